# SPDX-License-Identifier: MIT
"""
Let phones join: show them the way, ask who they are, and give each a seat.

The code in the link stands behind a `#`, which no browser sends, so no log can hold it. A phone
that entered it has a ticket and may take the seat of one player. Only that seat's phone answers
for the player; the box and officials may free the seat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from flask import Blueprint, Request, Response, jsonify, render_template, request
from werkzeug.exceptions import BadRequest, Conflict, Forbidden, NotFound

from controller.base.languages.message import message
from controller.base.qr_code import render_qr_svg
from controller.base.settings import Phones
from controller.games.player_names import compute_look
from controller.runtime.access.tickets import TicketKind
from controller.runtime.event_loop import TableLoop
from controller.table.events import PlayerJoined, SeatTaken
from controller.table.view.types import Snapshot
from webui.auth.hosts import find_public_hosts
from webui.auth.origin import find_origin
from webui.auth.phone_commands import list_players
from webui.auth.request_guard import require_own_json
from webui.auth.roles import AccessPolicy, current_policy, get_ticket, require_official
from webui.commands import require_fields, require_keys, require_text
from webui.page_responses import forbid_caching


class SeatsView(TypedDict):
    """
    The seats, as a stream shows them to its browser.

    `taken` are the players who have a phone. `joined`: whether this browser has entered the code;
    `mine` is its player, empty for none; `leads`: whether it may pause and leave the game.
    """

    taken: list[str]
    joined: bool
    mine: str
    leads: bool


class JoinView(TypedDict):
    """How a phone joins: `link` in the QR code, `address` and `name` to type; None without."""

    code: str | None
    link: str | None
    address: str | None
    name: str | None


def joining_pages(loop: TableLoop, *, has_tray: bool) -> Blueprint:
    """Return the pages of joining at one table; with a simulated tray, phones can throw."""
    pages = Blueprint("joining", __name__)

    @pages.get("/join")
    def page() -> str:
        return render_phone_page(has_tray=has_tray)

    @pages.get("/join/link")
    def link() -> Response:
        require_official(request)
        return forbid_caching(jsonify(_find_join_link(request, current_policy())))

    @pages.get("/join/code.svg")
    def code() -> Response:
        require_official(request)
        found = _find_join_link(request, current_policy())["link"]
        if found is None:
            raise NotFound(message("expected phones that may join, found none"))
        return forbid_caching(Response(render_qr_svg(found), mimetype="image/svg+xml"))

    @pages.post("/join/seat")
    def take_seat() -> Response:
        return jsonify(player=_take_seat(loop, request))

    @pages.post("/join/leave")
    def leave() -> Response:
        require_own_json(request)
        current_policy().access.seats.free(current_policy().seat_of(request).player)
        return jsonify(ok=True)

    @pages.post("/join/free")
    def free() -> Response:
        require_official(request)
        current_policy().access.seats.free(_read_player(request))
        return jsonify(ok=True)

    return pages


def render_phone_page(*, has_tray: bool) -> str:
    """Return the page of a phone, which joins, takes a seat and plays on it."""
    policy = current_policy()
    seat = policy.seat_of(request)
    return render_template(
        "phone.html",
        has_tray=has_tray,
        phones=policy.phones.value,
        is_joined=bool(seat.phone),
        player=seat.player,
    )


def follow_seats(asked: Request) -> Callable[[], SeatsView] | None:
    """Return a function that returns the seats as they are then; None if phones do not play."""
    policy = current_policy()
    access, number = policy.access, policy.seat_of(asked).phone
    if policy.phones is not Phones.PLAY:
        return None

    def show() -> SeatsView:
        return {
            "taken": sorted(access.seats.list_players()),
            "joined": bool(number),
            "mine": access.seats.player_of(number),
            "leads": access.seats.is_starter(number),
        }

    return show


def _take_seat(loop: TableLoop, asked: Request) -> str:
    """Give a phone its seat and return the player, or refuse it: 403, 400 or 409."""
    wanted = _read_player(asked)
    if not current_policy().seat_of(asked).phone:
        raise Forbidden(message("Scan the table's code first. The table's own screen shows it."))
    player = _find_player(loop.snapshot(), wanted) or _seat_player(loop, wanted)
    if not current_policy().access.take_seat(player, get_ticket(asked, TicketKind.PHONE)):
        raise Conflict(
            message(
                "Another phone plays for {player}. If that is wrong, free the seat on the table's"
                " own screen.",
                player=player,
            )
        )
    return player


def _find_player(view: Snapshot, name: str) -> str:
    """Return the player of this name, or of the look of it; empty if there is none."""
    players = list_players(view)
    looks = {compute_look(player): player for player in players}
    return name if name in players else looks.get(compute_look(name), "")


def _seat_player(loop: TableLoop, name: str) -> str:
    view = loop.snapshot()
    if view["joiners"] is not None:
        return _join_game(loop, name)
    if view["lobby"] is None:
        raise BadRequest(
            message("This game is on already. Choose one of its players, or wait for the next one.")
        )
    seat = next((seat for seat, player in _list_seats(view) if not player), None)
    if seat is None:
        raise BadRequest(message("All seats are taken. Choose one of the players."))
    result = loop.ask(SeatTaken(seat, name), view["question"])
    if not result.fits or result.refusal:
        text = message("The table has changed. Choose your name again.")
        raise BadRequest(result.refusal or text)
    seated = dict(_list_seats(loop.snapshot())).get(seat)
    if not seated:
        raise BadRequest(message("The table has changed. Choose your name again."))
    return seated


def _join_game(loop: TableLoop, name: str) -> str:
    result = loop.ask(PlayerJoined(name), None)
    player = _find_player(loop.snapshot(), name)
    if not player:
        text = message("The table has changed. Choose your name again.")
        raise BadRequest(result.refusal or text)
    return player


def _list_seats(view: Snapshot) -> list[tuple[int, str]]:
    lines = view["lobby"]["lines"] if view["lobby"] else []
    return [(line["seat"], line["value"]) for line in lines if line["kind"] == "seat"]


def _find_join_link(asked: Request, policy: AccessPolicy) -> JoinView:
    """Return how phones join; the port of this request may be one that only the box reaches."""
    if not policy.is_reached or policy.phones is Phones.OFF:
        return {"code": None, "link": None, "address": None, "name": None}
    is_play = policy.phones is Phones.PLAY
    code = policy.access.pairing_code() if is_play else None
    port, page = find_origin(asked.environ).public_port, "join" if is_play else ""
    by_address, by_name = (f"{host}/{page}" if host else None for host in find_public_hosts(port))
    best = by_address or by_name
    return {
        "code": code,
        "link": best and f"http://{best}" + (f"#code={code}" if code else ""),
        "address": by_address,
        "name": by_name,
    }


def _read_player(asked: Request) -> str:
    fields = require_fields(require_own_json(asked), "player")
    require_keys(fields, ("player",))
    return require_text(fields, "player")
