# SPDX-License-Identifier: MIT
"""Serve the kiosk: its page, its stream, the tray picture, and its commands."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from functools import partial

from flask import (
    Blueprint,
    Response,
    after_this_request,
    current_app,
    jsonify,
    render_template,
    request,
)
from werkzeug.exceptions import BadRequest, Forbidden, NotFound, ServiceUnavailable

from controller.appliance.welcome.parts import WelcomeParts
from controller.base.errors import InputError, UnavailableError
from controller.base.languages.message import message
from controller.base.qr_code import render_qr_svg
from controller.base.settings import Layout
from controller.base.speech import speak_text
from controller.runtime.running_table import RunningTable
from controller.table.events import ReviewRequested, StartRequested
from controller.table.view.hints import build_hints
from controller.table.view.types import Snapshot
from controller.table.view.viewer import SHARED, WATCHER
from hardware.simulated.hands import SimulatedHands
from webui.auth.joining import SeatsView, follow_seats, render_phone_page
from webui.auth.phone_commands import sign_event
from webui.auth.request_guard import require_own_json
from webui.auth.roles import (
    Role,
    Seat,
    current_policy,
    identify_viewer,
    needs_pin,
    require_official,
    require_pin,
)
from webui.auth.stream_slots import StreamSlots
from webui.commands import StaleCommandError, parse_command, run_command
from webui.language import find_catalogue, reply_view
from webui.listeners.connections import HANG_UP
from webui.page_responses import forbid_caching
from webui.simulator import ACTIONS, FAULTS
from webui.stream import EventCache, serve_stream, stream_views


def kiosk_pages(
    table: RunningTable,
    tray: SimulatedHands | None,
    layout: Layout,
    welcome: WelcomeParts | None,
    heartbeat_s: float,
    slots: StreamSlots,
) -> Blueprint:
    """Return the kiosk's pages; `layout` is for the box's own screen, others are near readers."""
    pages = Blueprint("kiosk", __name__)
    follow = partial(stream_views, table.loop, EventCache(), heartbeat_s=heartbeat_s)
    render = partial(_render_kiosk, tray, layout, welcome)

    @pages.get("/")
    def page() -> str:
        if current_policy().role_of(request) in (Role.GUEST, Role.PLAYER):
            return render_phone_page(has_tray=tray is not None)
        return render(current_policy().role_of(request))

    @pages.get("/watch")
    def watch() -> str:
        return render(min(current_policy().role_of(request), Role.GUEST))

    @pages.get("/events")
    def events() -> Response:
        return _serve_events(partial(follow, catalogue=find_catalogue()), slots)

    @pages.app_context_processor
    def add_first_view() -> dict[str, object]:
        return {"find_first_view": partial(_find_first_view, table)}

    for rule, show in _FILES.items():
        pages.add_url_rule(rule, show.__name__, partial(show, table))

    pages.add_url_rule("/command", "command", partial(_command, table), methods=["POST"])

    @pages.post("/simulator")
    def simulator() -> Response:
        if tray is None:
            raise NotFound(message("expected a simulated tray, found a real one"))
        run_command(ACTIONS, require_own_json(request), tray)
        return jsonify(ok=True)

    if tray is not None:

        @pages.get("/styles")
        def styles() -> str:
            return render_template("styles.html")

    return pages


def _render_kiosk(
    tray: SimulatedHands | None, layout: Layout, welcome: WelcomeParts | None, role: Role
) -> str:
    return render_template(
        "kiosk.html",
        has_tray=tray is not None,
        faults=find_catalogue().translate(FAULTS),
        role=role.name.lower(),
        needs_pin=needs_pin(role),
        size=(layout if role is Role.BOX else Layout.NORMAL).value,
        phones=current_policy().phones.value,
        has_idle=welcome is not None and role is Role.BOX,
        has_guide=welcome is not None and role >= Role.OFFICIAL,
        starts_guide="guide" in request.args,
        offers_guide=welcome is not None and welcome.guide.is_offered,
        is_calibrated=welcome is not None and welcome.is_calibrated(),
        has_service="service" in current_app.blueprints,
        has_setup="setup" in current_app.blueprints,
    )


def _serve_speech(table: RunningTable) -> Response:
    """Return what the newest sound calls, as a file; only that: a client cannot choose a text."""
    sound = table.loop.snapshot()["sound"]
    if not sound or not sound["spoken"] or request.args.get("number") != str(sound["number"]):
        raise NotFound(message("expected the number of the newest sound, which calls something"))
    catalogue = find_catalogue()
    try:
        wav = speak_text(str(catalogue.translate(sound["spoken"])), catalogue.language)
    except UnavailableError as error:
        raise NotFound(error.args[0]) from error
    return forbid_caching(Response(wav, mimetype="audio/wav"))


def _command(table: RunningTable) -> Response:
    seat = _find_seat()
    viewer = seat.player if seat else SHARED
    view = table.loop.snapshot(viewer)
    command = parse_command(require_own_json(request), view)
    event = sign_event(command.event, seat, view) if seat else command.event
    if isinstance(command.event, ReviewRequested):
        _require_new_review(view)
    if command.is_official:
        require_official(request)
    if command.pin is not None:
        require_pin(request, command.pin)
    result = table.loop.ask(event, command.question_id, viewer)
    if not result.fits:
        raise StaleCommandError
    lobby = view["lobby"]
    is_asked = lobby is not None and bool(lobby["parked"]) and not lobby["ends"]
    if seat and isinstance(event, StartRequested) and not (result.refusal or is_asked):
        current_policy().access.seats.note_starter(seat.phone)
    if command.reply_on_refusal and result.refusal:
        raise BadRequest(result.refusal)
    return jsonify(ok=True)


def _serve_hints(table: RunningTable) -> Response:
    """Serve what a coach says of the choices that this browser shows; 403 if the game counts."""
    seat = _find_seat()
    if seat is None:
        require_official(request)
    try:
        hints = build_hints(table.loop.state, seat.player if seat else SHARED)
    except InputError as error:
        refused = reply_view({"error": error.args[0]})
        refused.status_code = 403
        return refused
    return reply_view(hints)


def _find_seat() -> Seat | None:
    """Return the seat of a request; an official may have one, and says then where it comes from."""
    role, seat = current_policy().role_of(request), current_policy().seat_of(request)
    return seat if role is Role.PLAYER or (seat.player and "seat" in request.args) else None


def _require_new_review(view: Snapshot) -> None:
    """Allow a phone only the first review of a roll, so that it cannot block the table."""
    last_roll = view["last_roll"]
    if last_roll and last_roll["reviewed"] and current_policy().role_of(request) is Role.PLAYER:
        raise Forbidden(
            message(
                "This roll was reviewed already. To see it again, press Review at the table "
                "or hold its left button."
            )
        )


def _serve_evidence(table: RunningTable, digest: str) -> Response:
    """Serve the picture of the last roll or of the deciding one, and no other."""
    view = table.loop.snapshot()
    decisive = view["outcome"]["decisive"] if view["outcome"] else None
    shown = [roll["picture"] for roll in (view["last_roll"], decisive) if roll is not None]
    picture = table.pictures.read(digest) if digest in shown else None
    if picture is None:
        raise NotFound(
            message("expected the picture of a roll that is shown, found none of this name")
        )
    return forbid_caching(Response(picture, mimetype="image/jpeg"))


def _serve_events(stream: Callable[..., Iterator[bytes]], slots: StreamSlots) -> Response:
    """
    Serve a stream of the table's views, or 503 while too many are open.

    With `?seat` it is the own view of the player whose seat the phone has, with `?watch` that of a
    watcher, for any role.
    """
    viewer, seats = _choose_view(current_policy().role_of(request), request.args)
    release = take_slot(slots)
    return serve_stream(
        lambda is_gone: stream(is_gone=is_gone, viewer=viewer, seats=seats), release
    )


def take_slot(slots: StreamSlots) -> Callable[[], None]:
    """Return what releases a slot for the stream of this browser; 503 if there is none."""
    release = slots.acquire(identify_viewer(request), request.environ.get(HANG_UP, lambda: None))
    if release is None:
        raise ServiceUnavailable(
            message("Too many screens follow this table. Close one, then try again.")
        )
    return release


def _choose_view(role: Role, asked: Container[str]) -> tuple[str, Callable[[], SeatsView] | None]:
    """Return whose view a screen gets that asks for `seat`, `watch` or neither; and the seats."""
    seats = follow_seats(request)
    if "seat" in asked:
        return (seats and seats()["mine"]) or WATCHER, seats
    return SHARED if role >= Role.OFFICIAL and "watch" not in asked else WATCHER, seats


def _find_first_view(table: RunningTable, kind: str) -> dict[str, object] | None:
    """
    Return the view with which a page begins: that of its stream, which comes a round trip later.

    It is None for who may not follow the table. No cache stores the page: the view grows old.
    """
    role = current_policy().role_of(request)
    if role < Role.WATCHER:
        return None
    after_this_request(forbid_caching)
    viewer, seats = _choose_view(role, (kind,))
    view: dict[str, object] = {**table.loop.snapshot(viewer)}
    return find_catalogue().translate(view | ({"seats": seats()} if seats else {}))


def _serve_tray_picture(table: RunningTable) -> Response:
    """Serve the newest picture, with `?small` at half its size; 204 if it is that of `?after`."""
    number, jpeg, scale = table.frame_events.picture(is_small="small" in request.args)
    if not jpeg or request.args.get("after") == str(number):
        answer = Response(status=204)
    else:
        answer = Response(jpeg, mimetype="image/jpeg")
    answer.headers["X-Picture-Number"] = str(number)
    answer.headers["X-Picture-Scale"] = str(scale)
    return forbid_caching(answer)


def _serve_checkpoint_code(table: RunningTable) -> Response:
    """Serve the code of the newest checkpoint; `?size=N` must match it."""
    signed = table.loop.snapshot()["checkpoint"]
    if signed is None or request.args.get("size", str(signed["size"])) != str(signed["size"]):
        raise NotFound(message("expected the size of the newest checkpoint, found another one"))
    return forbid_caching(Response(render_qr_svg(signed["text"]), mimetype="image/svg+xml"))


_FILES: dict[str, Callable[..., Response]] = {
    "/tray.jpg": _serve_tray_picture,
    "/checkpoint.svg": _serve_checkpoint_code,
    "/evidence/<digest>.jpg": _serve_evidence,
    "/spoken.wav": _serve_speech,
    "/hints.json": _serve_hints,
}
"""Every address of a file of the table, and what serves it."""
