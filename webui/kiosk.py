# SPDX-License-Identifier: MIT
"""The kiosk's own addresses: the page, its stream, the tray picture, and what it may ask."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flask import Blueprint, Response, current_app, jsonify, render_template, request
from werkzeug.exceptions import BadRequest, Forbidden, NotFound, ServiceUnavailable

from controller.qr_code import render_qr_svg
from controller.table.events import ReviewAsked
from controller.table.view.types import Snapshot
from webui.auth.request_guard import require_own_json
from webui.auth.roles import Role, doors, require_official, require_pin
from webui.commands import StaleError, parse_command
from webui.gate import FAULTS, TableGate, TrayControls
from webui.simulator import move_tray
from webui.stream import StreamSlots, stream


def kiosk_pages(
    table: TableGate, tray: TrayControls | None, *, heartbeat_s: float, most_streams: int
) -> Blueprint:
    """
    Return the kiosk's pages for one table.

    Args:
        table: The table they show and drive.
        tray: The simulated tray's controls; none on a real table, and none of them is shown.
        heartbeat_s: Longest silence of a stream, in seconds.
        most_streams: How many screens may follow the table at the same time.
    """
    pages = Blueprint("kiosk", __name__)
    slots = StreamSlots(most_streams, on_change=table.has_followers)

    @pages.get("/")
    def page() -> str:
        return render_template(
            "kiosk.html",
            has_tray=tray is not None,
            faults=FAULTS,
            role=doors().role_of(request).name.lower(),
            phones=doors().phones.value,
            has_service="service" in current_app.blueprints,
        )

    @pages.get("/events")
    def events() -> Response:
        return _events(table, slots, heartbeat_s)

    pictures: dict[str, Callable[..., Response]] = {
        "/tray.jpg": _picture,
        "/checkpoint.svg": _checkpoint,
        "/evidence/<digest>.jpg": _evidence,
    }
    for rule, show in pictures.items():
        pages.add_url_rule(rule, show.__name__, partial(show, table))

    @pages.post("/command")
    def command() -> Response:
        _command(table)
        return jsonify(ok=True)

    @pages.post("/tray")
    def hand() -> Response:
        _hand(tray)
        return jsonify(ok=True)

    return pages


def _command(table: TableGate) -> None:
    shown = table.snapshot()
    wish = parse_command(require_own_json(request), shown)
    if isinstance(wish.event, ReviewAsked):
        _require_new_review(shown)
    if wish.is_official:
        require_official(request)
    if wish.pin is not None:
        require_pin(request, wish.pin)
    heard = table.ask(wish.event, wish.about)
    if not heard.fits:
        raise StaleError
    if wish.is_told and heard.refused:
        raise BadRequest(heard.refused)


def _require_new_review(shown: Snapshot) -> None:
    """
    Let a phone ask only for the first review of a roll, so that it can't keep the table waiting.

    Raises:
        HTTPException: The roll was reviewed, and neither the box nor an official asks.
    """
    last_roll = shown["last_roll"]
    if last_roll and last_roll["reviewed"] and doors().role_of(request) is Role.PLAYER:
        again = "Review at the table itself, or its button left held, shows it once more."
        raise Forbidden(f"This roll was reviewed already. {again}")


def _hand(tray: TrayControls | None) -> None:
    if tray is None:
        raise NotFound("expected a simulated tray, found a real one")
    move_tray(require_own_json(request), tray)


def _evidence(table: TableGate, digest: str) -> Response:
    """Answer the picture that the last roll was read from; no other is anybody's business here."""
    last_roll = table.snapshot()["last_roll"]
    is_wanted = last_roll is not None and digest == last_roll["picture"]
    picture = table.evidence(digest) if is_wanted else None
    if picture is None:
        raise NotFound("expected the picture of the last roll, found none of this name")
    answer = Response(picture, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _events(table: TableGate, slots: StreamSlots, heartbeat_s: float) -> Response:
    """Answer a stream of the table's views, or 503 while too many of them are open."""
    free = slots.take()
    if free is None:
        raise ServiceUnavailable
    views = stream(table, heartbeat_s=heartbeat_s, is_gone=_hung_up())
    answer = Response(views, mimetype="text/event-stream")
    answer.headers["Cache-Control"] = "no-store"
    # Also called when the client hangs up before the first view was asked for, where
    # closing the generator would run none of its code.
    answer.call_on_close(free)
    return answer


def _hung_up() -> Callable[[], bool]:
    """Return waitress's word on this client; other servers just fail at the next write."""
    asked: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)
    return asked


def _picture(table: TableGate) -> Response:
    """Answer the newest picture, or nothing when the page has it: it asks with `?after=N`."""
    number, jpeg = table.picture()
    if not jpeg or request.args.get("after") == str(number):
        answer = Response(status=204)
    else:
        answer = Response(jpeg, mimetype="image/jpeg")
    answer.headers["X-Picture-Number"] = str(number)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _checkpoint(table: TableGate) -> Response:
    """Answer the code of the newest checkpoint; `?size=N` keeps one from passing for another."""
    signed = table.snapshot()["checkpoint"]
    if signed is None or request.args.get("size", str(signed["size"])) != str(signed["size"]):
        raise NotFound("expected the size of the newest checkpoint, found another one")
    answer = Response(render_qr_svg(signed["text"]), mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = "no-store"
    return answer
