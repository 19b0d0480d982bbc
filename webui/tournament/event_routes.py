# SPDX-License-Identifier: MIT
"""
What phones and screens ask of a running event: joining, choices, the stream.

Every answer is JSON, apart from the stream; a refusal has `error`, a line for people, and `code`.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from dataclasses import asdict
from typing import Any, TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from controller.base.errors import IllegalActionError, InputError, RefusedError
from controller.base.languages.catalogue import Catalogue
from controller.base.languages.message import message
from controller.base.logs import Log
from controller.base.strict_json import HalfCharacterError, parse_json
from controller.journal.hashchain import Entry
from controller.runtime.access.tickets import AccessControl
from controller.tournament.server.event_runner import BuildOwn, EventRunner
from controller.tournament.server.official_requests import enter_choice
from controller.tournament.server.phone_limits import PhoneLimits, RateExceededError
from controller.tournament.server.player_requests import (
    DoneAlreadyError,
    change_by_phone,
    choose_by_phone,
    is_secret,
    join_by_phone,
    take_phone,
)
from controller.tournament.server.store.values import StoreUnavailableError
from controller.tournament.server.wire.wire_request import WireAnswer, WireError
from controller.tournament.state.player_view import list_offers_after
from controller.tournament.state.refusal import RefusedEntryError
from controller.tournament.state.state import EventState
from webui.stream import STREAM_HEADERS, STREAM_TYPE
from webui.tournament.browsers import Browser, read_browser, remember_player, require_room
from webui.tournament.connections import find_address
from webui.tournament.event_stream import EventStreams
from webui.tournament.loop_answers import LoopAnswers
from webui.tournament.page_language import find_page_language
from webui.tournament.request_bodies import read_body, require_own_page

MOST_BODY_BYTES = 4096
LONGEST_JOKER = 40
_FRESH = {"Cache-Control": "no-store"}
_Answer: TypeAlias = Callable[[Request], Awaitable[Response]]
_STATUS = {"seat": 403, "unknown": 400}
_LOG = Log("tournament")


class EventRoutes:
    """The addresses of players, and of officials who act for one."""

    def __init__(self, runner: EventRunner, streams: EventStreams, access: AccessControl) -> None:
        self._runner = runner
        self._streams = streams
        self._access = access
        self._limits = PhoneLimits()
        self._answers = LoopAnswers()

    def list_routes(self) -> list[Route]:
        return [
            Route(path, self._refusing(answer), methods=[method])
            for method, path, answer in (
                ("POST", "/event/choices", self._choose),  # The most frequent one.
                ("GET", "/event/stream", self._follow),
                ("POST", "/event/players", self._join),
                ("POST", "/event/self", self._change_self),
                ("POST", "/event/phone", self._take_phone),
                ("GET", "/event/offers", self._list_offers),
                ("GET", "/event/curve", self._list_curve),
            )
        ]

    async def _follow(self, request: Request) -> Response:
        browser = read_browser(request, self._access)
        if request.method == "HEAD":
            return Response(None, 200, STREAM_HEADERS, STREAM_TYPE)
        has_groups = "groups" in request.query_params
        messages = self._streams.follow(browser, request.state.connection, has_groups=has_groups)
        return StreamingResponse(messages, 200, STREAM_HEADERS, STREAM_TYPE)

    async def _join(self, request: Request) -> Response:
        """
        `{"name", "secret"}` gives `{"player"}`, and a cookie with the secret of the phone.

        The phone makes the secret, so that the same request is known again if its answer was
        lost. Without one the server makes it. With `shares` the browser keeps its other players.
        """
        fields = await self._read(request)
        secret = _take_secret(fields)
        self._limits.require_join(find_address(request))
        browser = read_browser(request, None)
        if fields.pop("shares", False) is True:
            self._runner.read(lambda state: require_room(browser, state))
            build = join_by_phone(fields, secret)
        else:
            build = join_by_phone(fields, secret, browser.tokens)
        answer = await self._answer(self._runner.propose(build))
        self._runner.read(lambda state: remember_player(request, answer, secret, state))
        return answer

    async def _take_phone(self, request: Request) -> Response:
        """`{"phone", "secret"}`: the phone that brings an organiser's link is the player's."""
        fields = await self._read(request)
        secret = _take_secret(fields)
        issued = fields.get("phone")
        if not isinstance(issued, str) or not is_secret(issued):
            raise InputError(expected=message("the secret of a link"), found=message("none"))
        self._limits.require_guess(find_address(request))
        answer = await self._answer(self._runner.propose(take_phone(issued, secret)))
        self._runner.read(lambda state: remember_player(request, answer, secret, state))
        return answer

    async def _choose(self, request: Request) -> Response:
        """
        `{"game", "roll", "do"}`: actions, or the Terminator, which asks for a reserve roll.

        With `faces` the choice is from these faces alone, even if a ruling changes them.
        """
        fields = await self._read(request)
        browser = read_browser(request, self._access)
        if browser.official is None:
            return await self._act(browser, request, choose_by_phone(fields))
        self._limits.require_phone(_name_official(request))
        build = enter_choice(fields, browser.player, browser.official)
        return await self._answer(self._runner.propose(build))

    async def _change_self(self, request: Request) -> Response:
        """`{"do": "leave"}`, `{"do": "return"}` or `{"do": "rename", "name"}`."""
        build = change_by_phone(await self._read(request))
        return await self._act(read_browser(request, None), request, build)

    async def _list_offers(self, request: Request) -> Response:
        """`?after=corrector 2>6` gives `{"offers"}`: what the phone may choose after it."""
        player, joker = self._require_player(request), request.query_params.get("after", "")
        return JSONResponse(list_offers(self._runner, player, joker), headers=_FRESH)

    async def _list_curve(self, request: Request) -> Response:
        """`{"points"}`: the phone's score and place after each roll."""
        player = self._require_player(request)
        return JSONResponse(list_curve(self._runner, player), headers=_FRESH)

    def _require_player(self, request: Request) -> int:
        """Return for whom a browser asks, and count the request."""
        browser = read_browser(request, self._access)
        player = self._runner.read(browser.find_player)
        if browser.official is None:
            self._count(request, self._runner.read(browser.find_token), is_known=bool(player))
        else:
            self._limits.require_phone(_name_official(request))
        if player is None:
            expected, found = message("the phone of a player"), message("another phone")
            raise RefusedEntryError(expected=expected, found=found, code="seat")
        return player

    async def _act(self, browser: Browser, request: Request, build: BuildOwn) -> Response:

        def ask(state: EventState) -> tuple[str, bool]:
            token = browser.find_token(state)
            return token, state.find_player_by_token(token) is not None

        token, is_known = self._runner.read(ask)
        self._count(request, token, is_known=is_known)
        return await self._answer(self._runner.propose_by_phone(token, build))

    def _count(self, request: Request, token: str, *, is_known: bool) -> None:
        """Count a request of a phone, or of somebody who may be guessing a secret."""
        if is_known:
            self._limits.require_phone(token)
        else:
            self._limits.require_guess(find_address(request))

    async def _read(self, request: Request) -> dict[str, Any]:
        require_own_page(request)
        return parse_fields(await read_body(request, MOST_BODY_BYTES))

    async def _answer(self, future: Future[Any]) -> Response:
        return JSONResponse(await describe_done(self._answers.wait(future)))

    def _refusing(self, answer: _Answer) -> _Answer:
        """Return what answers as `answer` does, and refuses in the words of phones."""

        async def answer_or_refuse(request: Request) -> Response:
            try:
                return await answer(request)
            except RefusedError as error:
                return self._refuse(request, error)

        return answer_or_refuse

    def _refuse(self, request: Request, error: RefusedError) -> Response:
        answer, client = refuse_phone(error, find_page_language(request)), find_address(request)
        if self._limits.may_log(client):
            code = str(answer.body["code"])
            where = {"path": request.url.path, "client": client, "code": code}
            _LOG.info("a phone was refused", **where, status=answer.status)
        return JSONResponse(answer.body, answer.status, answer.headers)


def parse_fields(content: bytes) -> dict[str, Any]:
    """Return the fields of a phone's request; InputError if they are none."""
    try:
        found = parse_json(content)
    except HalfCharacterError as error:
        raise InputError(expected=message("whole characters"), found=error.args[0]) from error
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError(expected=message("an object as JSON"), found=message("something else"))
    return found


async def describe_done(writing: Awaitable[Entry]) -> dict[str, object]:
    """Return the answer when the entry is durable; the same request again gets the same."""
    try:
        entry = await writing
    except DoneAlreadyError as error:
        return {"player": error.player, "again": True}
    return {"player": entry.body.get("player"), "again": False}


def list_offers(runner: EventRunner, player: int, joker: str) -> dict[str, object]:
    """Return what a player may choose after a corrector; RefusedEntryError for another joker."""
    joker = joker[:LONGEST_JOKER]
    try:
        return {"offers": runner.read(lambda state: list_offers_after(state.data, player, joker))}
    except IllegalActionError as error:
        expected = message("a corrector that is legal now")
        raise RefusedEntryError(expected=expected, found=repr(joker), code="illegal") from error


def list_curve(runner: EventRunner, player: int) -> dict[str, object]:
    """Return a player's score and place after each roll."""
    points = runner.read(lambda state: state.list_curve(player))
    return {"points": [asdict(point) for point in points]}


def refuse_phone(error: RefusedError, language: Catalogue) -> WireAnswer:
    """Return the answer to a refused request of a phone, with a line for people."""
    code: str = error.code if isinstance(error, RefusedEntryError) else "unknown"
    status = _STATUS.get(code, 409)
    headers: dict[str, str] = {}
    if isinstance(error, StoreUnavailableError):
        code, status, headers = "away", 503, {"Retry-After": "1"}
    elif isinstance(error, RateExceededError):
        code, status, headers = "rate", 429, {"Retry-After": str(error.wait_s)}
    elif isinstance(error, WireError):
        status = error.status
    text = language.translate(error.args[0])
    return WireAnswer(status, {"error": text, "code": code}, headers)


def _take_secret(fields: dict[str, Any]) -> str:
    secret = fields.pop("secret", None) if "secret" in fields else secrets.token_urlsafe(24)
    if not isinstance(secret, str) or not is_secret(secret):
        expected = message("a secret of 22 to 100 letters and digits")
        raise InputError(expected=expected, found=message("another one"), where="secret")
    return secret


def _name_official(request: Request) -> str:
    """Return as whose requests those of an official count."""
    return f"official {find_address(request)}"
