# SPDX-License-Identifier: MIT
"""What phones and screens ask of a running event: joining, choices, the stream."""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.errors import InputError, RefusedError
from controller.tournament.event.codec import decode_body
from controller.tournament.event.entry_base import EventEntry
from controller.tournament.event.game_entries import ChoiceMade, ReserveAsked
from controller.tournament.event.player_entries import (
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    PlayerReturned,
)
from controller.tournament.fold.refusal import RefusedEntryError
from controller.tournament.fold.state import EventState
from controller.tournament.journals.values import StoreUnavailableError
from controller.tournament.running.event_runner import Build, EventRunner
from webui.tournament.event_stream import EventStreams
from webui.tournament.page_language import find_page_language
from webui.tournament.request_bodies import BodyBudget, require_own_page

PLAYER_COOKIE = "dicebell-player"
LASTS_S = 7 * 86_400
MOST_BODY_BYTES = 4096
_CHANGES = {
    "leave": PlayerLeft.kind,
    "return": PlayerReturned.kind,
    "rename": PlayerRenamed.kind,
}

Fields: TypeAlias = Mapping[str, Any]
BuildFor: TypeAlias = Callable[[int, Fields], EventEntry]


class EventRoutes:
    """
    The addresses of players; every answer of them is JSON, apart from the stream.

    Args:
        runner: The event.
        streams: Its open streams.
    """

    def __init__(self, runner: EventRunner, streams: EventStreams) -> None:
        self._runner = runner
        self._streams = streams
        self._budget = BodyBudget()

    def list_routes(self) -> list[Route]:
        """Return the routes for the application."""
        return [
            Route("/event/stream", self._follow, methods=["GET"]),
            Route("/event/players", self._join, methods=["POST"]),
            Route("/event/choices", self._choose, methods=["POST"]),
            Route("/event/self", self._change_self, methods=["POST"]),
        ]

    async def _follow(self, request: Request) -> Response:
        return self._streams.respond(request, self._find_player(request))

    async def _join(self, request: Request) -> Response:
        """`{"name"}` gives `{"player"}`, and a cookie with the secret of the phone."""
        secret = secrets.token_urlsafe(24)
        fields, refused = await self._read(request)
        if refused is not None:
            return refused

        def build(state: EventState) -> EventEntry:
            number = len(state.data.people) + 1
            # Only an official may name an official, so nothing else of the request is taken.
            body = {"name": fields.get("name", ""), "player": number, "token": hash_secret(secret)}
            return decode_body(PlayerJoined.kind, body)

        answer = await self._propose(request, build, None)
        if answer.status_code == 200:
            is_secure = request.url.scheme == "https"
            answer.set_cookie(
                PLAYER_COOKIE, secret, LASTS_S, secure=is_secure, httponly=True, samesite="lax"
            )
        return answer

    async def _choose(self, request: Request) -> Response:
        """`{"game", "roll", "do"}`: actions, or the Terminator, which asks for a reserve roll."""
        return await self._act(request, _build_choice)

    async def _change_self(self, request: Request) -> Response:
        """`{"do": "leave"}`, `{"do": "return"}` or `{"do": "rename", "name"}`."""
        return await self._act(request, _build_change)

    async def _act(self, request: Request, build_for: BuildFor) -> Response:
        player = self._find_player(request)
        fields, refused = await self._read(request)
        if refused is not None:
            return refused
        if player is None:
            return JSONResponse({"error": "join first", "code": "seat"}, 403)
        return await self._propose(request, lambda state: build_for(player, fields), player)

    def _find_player(self, request: Request) -> int | None:
        secret = request.cookies.get(PLAYER_COOKIE, "")
        if not secret:
            return None
        token = hash_secret(secret)
        return self._runner.read(lambda state: state.find_player_by_token(token))

    async def _read(self, request: Request) -> tuple[Fields, Response | None]:
        try:
            require_own_page(request)
            found = json.loads(await self._budget.read(request, MOST_BODY_BYTES))
        except RefusedError as error:
            return {}, _answer_refusal(request, error)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            return {}, JSONResponse({"error": "expected an object as JSON", "code": "unknown"}, 400)
        return found, None

    async def _propose(self, request: Request, build: Build, seat: int | None) -> Response:
        try:
            entry = await asyncio.wrap_future(self._runner.propose(build, seat))
        except RefusedError as error:
            return _answer_refusal(request, error)
        return JSONResponse({"seq": entry.seq, "player": entry.body.get("player")})


def hash_secret(secret: str) -> str:
    """Return what the journal holds of a phone's secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _build_choice(player: int, fields: Fields) -> EventEntry:
    body: dict[str, Any] = {**fields, "player": player}
    if body.get("do") == ["terminator"]:
        del body["do"]
        return decode_body(ReserveAsked.kind, body)
    return decode_body(ChoiceMade.kind, body)


def _build_change(player: int, fields: Fields) -> EventEntry:
    body: dict[str, Any] = {**fields, "player": player}
    do = body.pop("do", None)
    if do not in _CHANGES:
        raise InputError(expected=" or ".join(_CHANGES), found=repr(do)[:80], where="do")
    return decode_body(_CHANGES[str(do)], body)


def _answer_refusal(request: Request, error: RefusedError) -> Response:
    text = find_page_language(request).translate(error.args[0])
    if isinstance(error, StoreUnavailableError):
        return JSONResponse({"error": text, "code": "away"}, 503, {"Retry-After": "1"})
    code = error.code if isinstance(error, RefusedEntryError) else "unknown"
    return JSONResponse({"error": text, "code": code}, 409 if code != "unknown" else 400)
