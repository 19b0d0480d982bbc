# SPDX-License-Identifier: MIT
"""
Players of a tournament choose at the table's own screen, one after the other.

The page is that of a shared phone. The table asks the desk for it with signed requests, so the
screen shows nothing but what the joined desk says, and never leaves the table. Other browsers may
not choose here.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial

from flask import Blueprint, Response, redirect, render_template, request
from werkzeug.exceptions import BadRequest, Forbidden
from werkzeug.wrappers import Response as AnyResponse

from controller.base.errors import UnavailableError
from controller.base.languages.message import message
from controller.tournament.sending.server_client import ServerAnswer, ServerAwayError, ServerClient
from controller.tournament.sending.uplink import TournamentUplink
from webui.auth.request_guard import require_own_json
from webui.auth.roles import Role, current_policy
from webui.auth.stream_slots import StreamSlots
from webui.kiosk import take_slot
from webui.language import find_catalogue
from webui.page_responses import forbid_caching
from webui.stream import SILENCE_S, STILL_HERE, serve_stream

LOOK_S = 0.5  # Between two looks at the event.


def kiosk_play_pages(uplink: TournamentUplink, slots: StreamSlots) -> Blueprint:
    """Return the addresses of a phone, for the box's own screen alone; `slots` are the table's."""
    pages = Blueprint("kiosk_play", __name__)

    @pages.before_request
    def only_own_screen() -> None:
        if current_policy().role_of(request) is not Role.BOX:
            raise Forbidden(message("expected the table's own screen"))

    @pages.get("/play")
    def page() -> str | AnyResponse:
        if not uplink.is_joined:
            return redirect("/")
        return render_template("play.html", is_kiosk=True)

    @pages.get("/event/stream")
    def follow() -> Response:
        ask = {"ask": "look", "player": _find_player()}
        client = uplink.open_client()
        return serve_stream(partial(follow_event, uplink, client, ask), take_slot(slots))

    @pages.post("/event/choices")
    def choose() -> Response:
        return _pass_on(uplink, ask="choose", choice=require_own_json(request))

    @pages.post("/event/self")
    def come_back() -> Response:
        if require_own_json(request) != {"do": "return"}:
            raise BadRequest(message("expected a player who comes back"))
        return _pass_on(uplink, ask="return")

    @pages.get("/event/offers")
    def list_offers() -> Response:
        return _pass_on(uplink, ask="offers", after=request.args.get("after", ""))

    @pages.get("/event/curve")
    def list_curve() -> Response:
        return _pass_on(uplink, ask="curve")

    return pages


def follow_event(
    uplink: TournamentUplink,
    client: ServerClient,
    ask: dict[str, object],
    is_gone: Callable[[], bool],
) -> Iterator[str]:
    """Yield the event's messages until the table closes or leaves, or page or server are gone."""
    seen, said_s = "", time.monotonic()
    with closing(client):
        while uplink.is_joined and not is_gone():
            try:
                answer = _ask(client, {**ask, "seen": seen})
            except ServerAwayError:
                return  # The page says so, and asks again.
            text, tag = answer.body.get("text"), answer.body.get("tag")
            if answer.status != 200 or not isinstance(text, str) or not isinstance(tag, str):
                return
            seen = tag
            if text or time.monotonic() - said_s > SILENCE_S:
                said_s = time.monotonic()
                yield text or STILL_HERE
            if uplink.wait(LOOK_S):
                return


def _pass_on(uplink: TournamentUplink, **fields: object) -> Response:
    language = find_catalogue().language
    asked = {**fields, "player": _find_player(), "language": language}
    try:
        with closing(uplink.open_client()) as client:
            answer = _ask(client, asked)
        # Without a code the page would send a choice again and again.
        status, body = answer.status, {"code": "refused", **answer.body}
    except ServerAwayError as error:
        status, body = 503, {"error": str(error), "code": "away"}
    except UnavailableError as error:
        status, body = 409, {"error": find_catalogue().translate(error.args[0]), "code": "refused"}
    return forbid_caching(Response(json.dumps(body), status, mimetype="application/json"))


def _ask(client: ServerClient, asked: dict[str, object]) -> ServerAnswer:
    content = json.dumps(asked).encode()
    return client.send("POST", f"/boxes/{client.table}/phone", content, "application/json")


def _find_player() -> int:
    number = request.args.get("player", "")
    return int(number) if number.isascii() and number.isdigit() and len(number) <= 6 else 0
