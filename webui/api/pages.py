# SPDX-License-Identifier: MIT
"""
Serve `/api/v1`: state, rolls, history and events for programs, and their requests for dice.

The addresses are those of `openapi.json`; tests hold both against each other. Every reply is JSON,
errors too (`application/problem+json`), except the stream and the pictures.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from flask import Blueprint, Response, request, url_for
from werkzeug.exceptions import BadRequest, Conflict, Forbidden, NotFound, ServiceUnavailable

from controller.games import GAMES
from controller.history.history import TableHistory
from controller.history.views import GameFilter, GameRolls, GameSummary, IndexProgress
from controller.integrations.api.parts import ApiParts
from controller.integrations.api.table_view import view_table
from controller.runtime.event_loop import TableLoop
from controller.runtime.running_table import RunningTable
from controller.table.events import RequestEnded
from controller.table.view.viewer import WATCHER
from webui.api.guard import (
    admit_program,
    read_limit,
    read_number,
    read_request,
    require_dice_rate,
    require_parameters,
)
from webui.api.stream import ApiStreams, TooManyStreamsError, stream_events
from webui.auth.origin import find_origin
from webui.page_responses import forbid_caching
from webui.stream import serve_stream

# The history as programs get it.
_GAME_KEYS = (
    *("number", "game", "title", "variant", "options", "status", "started_ms", "ended_ms"),
    *("played_ms", "rolls", "winners", "losers", "marked_rolls"),
)
_PLAYER_KEYS = ("name", "games", "finished", "wins", "last_ms")
"""What programs get: the history may know more than they were promised."""

_PICTURES = "/api/v1/pictures"


def view_game(game: GameSummary) -> dict[str, object]:
    return {
        **{key: getattr(game, key) for key in _GAME_KEYS},
        "players": [
            {
                "name": None if each.is_forgotten else each.name,
                "total": each.total,
                "place": each.place,
                "opponent": each.is_opponent,
            }
            for each in game.players
        ],
        "training": game.has_hints,
    }


def view_game_rolls(game: GameRolls) -> dict[str, object]:
    """Return a game roll by roll; of an open game without the choices, which may be secret."""
    is_over = game.summary.status in ("left", "finished")
    return {
        **view_game(game.summary),
        "start": list(game.start),
        "decisive": game.decisive if game.decisive >= 0 else None,
        "roll_list": [
            {
                "number": roll.number,
                "entry": roll.seq,
                "at_ms": roll.at_ms,
                "seat": roll.seat,
                "faces": list(roll.faces),
                "dice": list(roll.dice),
                "was": list(roll.was),
                "corrected_by": roll.corrected_by or None,
                "by_hand": roll.by_hand or None,
                "in_doubt": roll.is_doubted,
                "picture": f"{_PICTURES}/{roll.picture}.jpg" if roll.picture else None,
                "choices": [
                    {"seat": each.seat, "action": each.action, "gain": each.gain, "entry": each.seq}
                    for each in roll.choices
                    if is_over
                ],
                "totals": list(roll.totals) if is_over else [],
            }
            for roll in game.rolls
        ],
    }


def view_index(progress: IndexProgress) -> dict[str, object]:
    """Return how much of the journal the lists of games and players cover."""
    return {key: getattr(progress, key) for key in ("state", "percent", "problem")}


PREFIX = "/api/v1"
LOBBY, FAULT = "lobby", "fault"
STATUSES = ("open", "parked", "left", "finished")


def api_pages(table: RunningTable, parts: ApiParts, heartbeat_s: float) -> Blueprint:
    pages = Blueprint("api", __name__, url_prefix=PREFIX)

    @pages.get("/openapi.json")
    def openapi() -> Response:
        require_parameters(request)
        return Response(load_openapi(), mimetype="application/json")

    @pages.get("/table")
    def state() -> Response:
        admit_program(request, parts, "read")
        # The id comes first: an event may be sent twice then, but none is left out.
        last = parts.entries.newest_id()
        view = table.loop.snapshot(WATCHER)
        entries = parts.entries
        return _reply(view_table(view, entries.find_open_request(), last, entries.show_name))

    @pages.get("/events")
    def events() -> Response:
        return _serve_events(table.loop, parts, streams, heartbeat_s)

    @pages.get("/pictures/<digest>.jpg")
    def picture(digest: str) -> Response:
        admit_program(request, parts, "read", "ask")
        jpeg = table.pictures.read(digest)
        if jpeg is None:
            raise NotFound("expected the digest of a stored picture, found none of this name")
        return forbid_caching(Response(jpeg, mimetype="image/jpeg"))

    streams = ApiStreams()
    _add_rolls(pages, parts)
    _add_history(pages, parts)
    _add_requests(pages, table.loop, parts)
    return pages


@cache
def load_openapi() -> bytes:
    """Return the description of the interface, OpenAPI 3.1."""
    return files("webui.api").joinpath("openapi.json").read_bytes()


def _add_rolls(pages: Blueprint, parts: ApiParts) -> None:
    @pages.get("/rolls")
    def rolls() -> Response:
        admit_program(request, parts, "read", knows=("before", "limit"))
        before = read_number(request, "before", None)
        found, after = parts.entries.list_rolls(before=before, limit=read_limit(request))
        return _reply({"rolls": found, "before": after})

    @pages.get("/rolls/<int:entry>")
    def roll(entry: int) -> Response:
        admit_program(request, parts, "read", "ask")
        found = parts.entries.read_roll(entry)
        if found is None:
            raise NotFound(f"expected the entry of a roll, found none with the number {entry}")
        return _reply(found)


def _add_history(pages: Blueprint, parts: ApiParts) -> None:
    @pages.get("/games")
    def games() -> Response:
        admit_program(request, parts, "read", knows=("player", "game", "status", "offset", "limit"))
        offset = read_number(request, "offset", 0) or 0
        history = parts.history
        found = history.list_games(_read_filter(), offset=offset, limit=read_limit(request))
        games = [view_game(each) for each in found.games]
        index = view_index(history.index.read_progress())
        return _reply({"games": games, "count": found.count, "index": index})

    @pages.get("/games/<int:number>")
    def game(number: int) -> Response:
        admit_program(request, parts, "read")
        found = parts.history.read_rolls(number)
        _require_index(parts.history, is_found=found is not None)
        if found is None:
            raise NotFound(f"expected the number of a game, found none with {number}")
        return _reply(view_game_rolls(found))

    @pages.get("/players")
    def players() -> Response:
        admit_program(request, parts, "read")
        history = parts.history
        found = [
            {key: getattr(each, key) for key in _PLAYER_KEYS} for each in history.list_players()
        ]
        return _reply({"players": found, "index": view_index(history.index.read_progress())})


def _add_requests(pages: Blueprint, loop: TableLoop, parts: ApiParts) -> None:
    @pages.post("/requests")
    def ask() -> Response:
        token = admit_program(request, parts, "ask")
        wanted = read_request(request, token.name)
        require_dice_rate(parts, token)
        view = loop.snapshot(WATCHER)
        shown = view["request"]
        if shown is not None and shown["answered"]:
            loop.ask(RequestEnded("answered"), None)
        elif reason := _find_obstacle(view["phase"], has_request=shown is not None):
            raise Conflict(reason)
        if refusal := loop.ask(wanted, None).refusal:
            raise Conflict(str(refusal))
        made = parts.entries.find_newest_request()
        assert made is not None, "the table wrote it before it answered"
        answer = _reply(made, 201)
        answer.headers["Location"] = url_for("api.asked", number=made["id"])
        return answer

    @pages.get("/requests/<int:number>")
    def asked(number: int) -> Response:
        admit_program(request, parts, "ask", "read")
        return _reply(_require_request(parts, number))

    @pages.delete("/requests/<int:number>")
    def withdraw(number: int) -> Response:
        token = admit_program(request, parts, "ask")
        found = _require_request(parts, number)
        if found["asked_by"] != token.name:
            raise Forbidden("expected a request of this token, found one of another")
        if found["state"] != "open":
            raise Conflict(f"expected an open request, found one that is {found['state']}")
        if refusal := loop.ask(RequestEnded("withdrawn"), None).refusal:
            raise Conflict(str(refusal))
        return _reply(_require_request(parts, number))


def _serve_events(
    loop: TableLoop, parts: ApiParts, streams: ApiStreams, heartbeat_s: float
) -> Response:
    """Serve the stream from the newest entry on, or after the one that the program names."""
    token = admit_program(request, parts, "read", knows=("after",))
    wanted = request.headers.get("Last-Event-ID") or request.args.get("after", "")
    known = parts.entries.find_entry(wanted or parts.entries.newest_id())
    is_same = known is not None or not wanted
    if known is None:
        known = parts.entries.find_entry(parts.entries.newest_id())
    try:
        release = streams.acquire(token.number, is_own=find_origin(request.environ).is_own)
    except TooManyStreamsError as error:
        raise ServiceUnavailable(str(error)) from error
    entries = parts.entries.follow(known)
    return serve_stream(
        lambda is_gone: stream_events(
            loop,
            entries,
            is_same=is_same,
            heartbeat_s=heartbeat_s,
            is_over=lambda: is_gone() or not parts.tokens.is_valid(token.number),
        ),
        release,
    )


def _find_obstacle(phase: str, *, has_request: bool) -> str:
    """Return why the players cannot be asked for dice now; empty if they can."""
    if has_request:
        return "expected a table without a request, found one that waits for its dice"
    if phase == FAULT:
        return "expected a table that can read dice, found one with a fault; GET /table tells which"
    if phase != LOBBY:
        return f"expected a table between games, found one in a game ({phase})"
    return ""


def _read_filter() -> GameFilter:
    status = request.args.get("status")
    if status is not None and status not in STATUSES:
        found = json.dumps(status[:40])
        raise BadRequest(f"expected status: one of {', '.join(STATUSES)}, found {found}")
    game = request.args.get("game")
    if game is not None and game not in GAMES:
        found = json.dumps(game[:40])
        raise BadRequest(f"expected game: one of {', '.join(GAMES)}, found {found}")
    return GameFilter(
        player=request.args.get("player", "")[:200],
        game=game or "",
        status=status or "",  # type: ignore[arg-type]
    )


def _require_index(history: TableHistory, *, is_found: bool) -> None:
    """Check that the journal verifies, or lacks the game; otherwise ServiceUnavailable."""
    progress = history.index.read_progress()
    if progress.state == "refused":
        raise ServiceUnavailable(f"expected a journal that verifies, found: {progress.problem}")
    if progress.state == "building" and not is_found:
        percent = progress.percent
        raise ServiceUnavailable(f"expected an index of the whole journal, found {percent} % of it")


def _require_request(parts: ApiParts, number: int) -> dict[str, object]:
    found = parts.entries.read_request(number)
    if found is None:
        raise NotFound(f"expected the number of a request, found none with {number}")
    return found


def _reply(body: dict[str, object], status: int = 200) -> Response:
    return forbid_caching(
        Response(json.dumps(body, ensure_ascii=False), status, content_type="application/json")
    )
