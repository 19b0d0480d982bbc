# SPDX-License-Identifier: MIT
"""
What phones and screens ask of a running event: joining, choices, the stream.

Every answer is JSON, apart from the stream; a refusal has `error`, a line for people, and `code`.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from concurrent.futures import Future
from dataclasses import asdict
from typing import Any

from starlette.middleware import Middleware
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.base.errors import IllegalActionError, InputError, RefusedError
from controller.base.languages.message import message
from controller.base.logs import log_event, logger
from controller.base.strict_json import HalfCharacterError, parse_json
from controller.tournament.server.event_runner import BuildOwn, EventRunner
from controller.tournament.server.phone_limits import PhoneLimits, RateExceededError
from controller.tournament.server.player_requests import (
    DoneAlreadyError,
    change_by_phone,
    choose_by_phone,
    hash_secret,
    is_secret,
    join_by_phone,
    take_phone,
)
from controller.tournament.server.store.values import StoreUnavailableError
from controller.tournament.server.wire.wire_request import WireError
from controller.tournament.state.player_view import list_offers_after
from controller.tournament.state.refusal import RefusedEntryError
from webui.tournament.connections import find_address
from webui.tournament.event_stream import EventStreams
from webui.tournament.page_language import find_page_language
from webui.tournament.request_bodies import read_body, require_own_page

PLAYER_COOKIE = "dicebell-player"
LASTS_S = 7 * 86_400
MOST_BODY_BYTES = 4096
LONGEST_JOKER = 40
_FRESH = {"Cache-Control": "no-store"}
_STATUS = {"seat": 403, "unknown": 400}
_LOG = logger("tournament")


class EventRoutes:
    """The addresses of players."""

    def __init__(self, runner: EventRunner, streams: EventStreams) -> None:
        self._runner = runner
        self._streams = streams
        self._limits = PhoneLimits()

    def list_routes(self) -> list[Route]:
        refusing = [Middleware(ExceptionMiddleware, {RefusedError: self._refuse})]
        return [
            Route(path, answer, methods=[method], middleware=refusing)
            for method, path, answer in (
                ("GET", "/event/stream", self._follow),
                ("POST", "/event/players", self._join),
                ("POST", "/event/choices", self._choose),
                ("POST", "/event/self", self._change_self),
                ("POST", "/event/phone", self._take_phone),
                ("GET", "/event/offers", self._list_offers),
                ("GET", "/event/curve", self._list_curve),
            )
        ]

    async def _follow(self, request: Request) -> Response:
        secret = _read_secret(request)
        return self._streams.respond(hash_secret(secret) if secret else "")

    async def _join(self, request: Request) -> Response:
        """
        `{"name", "secret"}` gives `{"player"}`, and a cookie with the secret of the phone.

        The phone makes the secret, so that the same request is known again if its answer was
        lost. Without one the server makes it.
        """
        fields = await self._read(request)
        secret = _take_secret(fields)
        self._limits.require_join(find_address(request))
        build = join_by_phone(fields, secret, _read_secret(request))
        answer = await self._answer(self._runner.propose(build))
        return _remember(request, answer, secret)

    async def _take_phone(self, request: Request) -> Response:
        """`{"phone", "secret"}`: the phone that brings an organiser's link is the player's."""
        fields = await self._read(request)
        secret = _take_secret(fields)
        issued = fields.get("phone")
        if not isinstance(issued, str) or not is_secret(issued):
            raise InputError(expected=message("the secret of a link"), found=message("none"))
        self._limits.require_guess(find_address(request))
        answer = await self._answer(self._runner.propose(take_phone(issued, secret)))
        return _remember(request, answer, secret)

    async def _choose(self, request: Request) -> Response:
        """
        `{"game", "roll", "do"}`: actions, or the Terminator, which asks for a reserve roll.

        With `faces` the choice is from these faces alone, even if a ruling changes them.
        """
        return await self._act(request, choose_by_phone(await self._read(request)))

    async def _change_self(self, request: Request) -> Response:
        """`{"do": "leave"}`, `{"do": "return"}` or `{"do": "rename", "name"}`."""
        return await self._act(request, change_by_phone(await self._read(request)))

    async def _list_offers(self, request: Request) -> Response:
        """`?after=corrector 2>6` gives `{"offers"}`: what the phone may choose after it."""
        joker = request.query_params.get("after", "")[:LONGEST_JOKER]
        player = self._require_player(request)
        try:
            offers = self._runner.read(lambda state: list_offers_after(state.data, player, joker))
        except IllegalActionError as error:
            expected = message("a corrector that is legal now")
            raise RefusedEntryError(expected=expected, found=repr(joker), code="illegal") from error
        return JSONResponse({"offers": offers}, headers=_FRESH)

    async def _list_curve(self, request: Request) -> Response:
        """`{"points"}`: the phone's score and place after each roll."""
        player = self._require_player(request)
        points = self._runner.read(lambda state: state.list_curve(player))
        return JSONResponse({"points": [asdict(point) for point in points]}, headers=_FRESH)

    def _require_player(self, request: Request) -> int:
        """Return whose phone asks, and count the request."""
        token = hash_secret(_read_secret(request))
        player = self._runner.read(lambda state: state.find_player_by_token(token))
        if player is None:
            self._limits.require_guess(find_address(request))
            expected, found = message("the phone of a player"), message("another phone")
            raise RefusedEntryError(expected=expected, found=found, code="seat")
        self._limits.require_phone(token)
        return player

    async def _act(self, request: Request, build: BuildOwn) -> Response:
        token = hash_secret(_read_secret(request))
        is_known = self._runner.read(lambda state: state.find_player_by_token(token)) is not None
        # A phone that has just joined at another server of the event is not known here yet.
        if is_known:
            self._limits.require_phone(token)
        else:
            self._limits.require_guess(find_address(request))
        return await self._answer(self._runner.propose_by_phone(token, build))

    async def _read(self, request: Request) -> dict[str, Any]:
        require_own_page(request)
        content = await read_body(request, MOST_BODY_BYTES)
        try:
            found = parse_json(content)
        except HalfCharacterError as error:
            raise InputError(expected=message("whole characters"), found=error.args[0]) from error
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise InputError(expected=message("an object as JSON"), found=message("something else"))
        return found

    async def _answer(self, future: Future[Any]) -> Response:
        """Answer when the entry is durable; the same request again gets the same answer."""
        try:
            entry = await asyncio.wrap_future(future)
        except DoneAlreadyError as error:
            return JSONResponse({"player": error.player, "again": True})
        return JSONResponse({"player": entry.body.get("player"), "again": False})

    async def _refuse(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, RefusedError), "it is registered for these alone"
        text = find_page_language(request).translate(error.args[0])
        code: str = error.code if isinstance(error, RefusedEntryError) else "unknown"
        status = _STATUS.get(code, 409)
        headers: dict[str, str] = {}
        if isinstance(error, StoreUnavailableError):
            code, status, headers = "away", 503, {"Retry-After": "1"}
        elif isinstance(error, RateExceededError):
            code, status, headers = "rate", 429, {"Retry-After": str(error.wait_s)}
        elif isinstance(error, WireError):
            status = error.status
        client = find_address(request)
        if self._limits.may_log(client):
            where = {"path": request.url.path, "client": client, "code": code}
            log_event(_LOG, logging.INFO, "a phone was refused", **where, status=status)
        return JSONResponse({"error": text, "code": code}, status, headers)


def _read_secret(request: Request) -> str:
    found = request.cookies.get(PLAYER_COOKIE, "")
    return found if is_secret(found) else ""


def _take_secret(fields: dict[str, Any]) -> str:
    secret = fields.pop("secret", None) if "secret" in fields else secrets.token_urlsafe(24)
    if not isinstance(secret, str) or not is_secret(secret):
        expected = message("a secret of 22 to 100 letters and digits")
        raise InputError(expected=expected, found=message("another one"), where="secret")
    return secret


def _remember(request: Request, answer: Response, secret: str) -> Response:
    is_secure = request.url.scheme == "https"
    answer.set_cookie(
        PLAYER_COOKIE, secret, LASTS_S, secure=is_secure, httponly=True, samesite="lax"
    )
    return answer
