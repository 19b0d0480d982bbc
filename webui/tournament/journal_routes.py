# SPDX-License-Identifier: MIT
"""The routes to which tables send: journals, pictures, enrolment."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Awaitable, Callable
from functools import partial

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.base.errors import RefusedError
from controller.journal.picture_refs import is_digest
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.shared_view import describe_part, find_seats, is_dealing
from controller.tournament.server.store.box_queries import MOST_PICTURE_BYTES
from controller.tournament.server.store.group_commit import LIVE_BYTES
from controller.tournament.server.store.values import MOST_LINE_BYTES
from controller.tournament.server.wire.receiver import WireReceiver, view_answer
from controller.tournament.server.wire.wire_request import (
    Needs,
    Sender,
    WireAnswer,
    WireError,
    WireRequest,
)
from controller.tournament.state.state import EventState
from webui.tournament.connections import find_address
from webui.tournament.kiosk_requests import KioskRequests
from webui.tournament.loop_answers import LoopAnswers
from webui.tournament.request_bodies import BodyBudget

MOST_ENROLMENT_BYTES = 4096
MOST_COSIGNATURE_BYTES = 1024
MOST_PHONE_BYTES = 4096
MOST_BULK_REQUESTS = 8
"""Long requests that are checked at once: between them the loop answers tables that keep up."""
_NUMBER = re.compile(r"0|[1-9][0-9]{0,14}")

_Answer = Callable[[WireRequest, Request], Awaitable[WireAnswer]]


class JournalRoutes:
    """The routes of one server; `kiosks` answers the tables' own screens."""

    def __init__(self, receiver: WireReceiver, runner: EventRunner, kiosks: KioskRequests) -> None:
        self._receiver = receiver
        self._runner = runner
        self._kiosks = kiosks
        self._budget = BodyBudget()
        self._answers = LoopAnswers()
        self._bulk = asyncio.Semaphore(MOST_BULK_REQUESTS)

    def list_routes(self) -> list[Route]:
        enrolled = Needs.ENROLMENT
        return [
            Route(
                f"/boxes/{{box}}{path}",
                partial(self._answer, answer, needs=needs, most_bytes=most_bytes),
                methods=[method],
            )
            for method, path, answer, needs, most_bytes in (
                ("GET", "", self._describe, Needs.NOTHING, 0),
                ("POST", "", self._enrol, Needs.SIGNATURE, MOST_ENROLMENT_BYTES),
                ("GET", "/event/{old}", self._prove, Needs.NOTHING, 0),
                ("POST", "/event", self._cosign, enrolled, MOST_COSIGNATURE_BYTES),
                ("POST", "/journal/{first}", self._append, enrolled, MOST_LINE_BYTES + 1),
                ("PUT", "/pictures/{digest}", self._store_picture, enrolled, MOST_PICTURE_BYTES),
                ("POST", "/phone", self._play, enrolled, MOST_PHONE_BYTES),
            )
        ]

    async def _describe(self, asked: WireRequest, _: Request) -> WireAnswer:
        return WireAnswer(200, await run_in_threadpool(self._describe_table, asked))

    def _describe_table(self, asked: WireRequest) -> dict[str, object]:
        about = self._receiver.describe_table(asked)
        return {**about, **self._runner.read(lambda state: _describe_part(state, asked.table))}

    async def _enrol(self, asked: WireRequest, _: Request) -> WireAnswer:
        return WireAnswer(200, await run_in_threadpool(self._receiver.enrol, asked))

    async def _prove(self, asked: WireRequest, request: Request) -> WireAnswer:
        old = request.path_params["old"]
        if not _NUMBER.fullmatch(old):
            raise WireError(expected="the size of a checkpoint", found=repr(old[:20]))
        return WireAnswer(200, await run_in_threadpool(self._receiver.event_log.prove, int(old)))

    async def _cosign(self, asked: WireRequest, _: Request) -> WireAnswer:
        await run_in_threadpool(self._receiver.receive_cosignature, asked)
        return WireAnswer(200, {"ok": True})

    async def _append(self, asked: WireRequest, request: Request) -> WireAnswer:
        first = request.path_params["first"]
        if not _NUMBER.fullmatch(first):
            raise WireError(expected="the number of a line", found=repr(first[:20]))
        is_live = len(asked.content) <= LIVE_BYTES
        async with contextlib.nullcontext() if is_live else self._bulk:
            future = self._receiver.receive_lines(asked, int(first))
            return view_answer(await self._answers.wait(future))

    async def _store_picture(self, asked: WireRequest, request: Request) -> WireAnswer:
        digest = request.path_params["digest"]
        if not is_digest(digest):
            expected = "a digest, 64 hexadecimal digits"
            raise WireError(expected=expected, found=repr(digest[:80]))
        await asyncio.wrap_future(self._receiver.receive_picture(asked, digest))
        return WireAnswer(200, {"ok": True})

    async def _play(self, asked: WireRequest, _: Request) -> WireAnswer:
        return await self._kiosks.answer(asked)

    async def _answer(
        self, answer: _Answer, request: Request, *, needs: Needs, most_bytes: int
    ) -> Response:
        """Read a request, its body only if its sender may send it; sign the answer."""
        asked = _read_head(request)
        try:
            if not is_digest(asked.table):
                expected = "the key of a table, 64 hexadecimal digits"
                raise WireError(expected=expected, found=repr(asked.table[:80]))
            senders = self._receiver.senders
            if senders.is_known(asked.table):
                asked = senders.identify(asked)
            else:
                asked = await run_in_threadpool(senders.identify, asked)
            senders.admit(asked, needs)
            content = await self._budget.read(request, most_bytes, asked.sender.name)
            asked = senders.add_content(asked, content)
            found = await answer(asked, request)
        except RefusedError as error:
            found = self._receiver.answer_error(asked, error)
        content, headers = self._receiver.encode_answer(asked, found)
        return Response(content, found.status, headers)


def _describe_part(state: EventState, table: str) -> dict[str, object]:
    """
    Return who sits at a table (or null), whether it deals, how many choose at its screen, and where
    the event stands for it (or null).
    """
    return {
        "seats": find_seats(state, table),
        "deals": is_dealing(state, table),
        "kiosk": len(state.data.list_at_kiosk(table)),
        "part": describe_part(state, table),
    }


def _read_head(request: Request) -> WireRequest:
    client = find_address(request)
    return WireRequest(
        method=request.method,
        path=request.scope["raw_path"].decode("ascii", "replace"),
        headers=request.headers,
        client=client,
        table=request.path_params["box"],
        sender=Sender(client),
    )
