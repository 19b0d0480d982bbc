# SPDX-License-Identifier: MIT
"""The pages of a running event for everybody: how to join, standings, result, big screens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.base.packed_file import pack_file
from controller.base.qr_code import render_qr_svg
from controller.runtime.access.tickets import AccessControl
from controller.tournament.entries.event_entries import EventBegun
from controller.tournament.results.play_costs.event_costs import EventCosts
from controller.tournament.results.public_files import (
    CSV_TYPE,
    LiveFile,
    build_result_csv,
    build_standings_view,
    pack_json,
)
from controller.tournament.results.result_sheet import (
    build_result_sheet,
    describe_costs,
    describe_format,
    describe_rules,
)
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.wire.event_log import EventLog
from controller.tournament.state.state import EventState
from webui.auth.hosts import choose_base
from webui.tournament.browsers import read_browser
from webui.tournament.event_stream import EventStreams
from webui.tournament.official_session import is_official
from webui.tournament.page_language import render_page
from webui.tournament.public.file_answers import LIVE, answer_file

NARROWEST_PX, WIDEST_PX = 200, 3840


class LayerPart(StrEnum):
    """What a layer may show."""

    TURN = "turn"
    DICE = "dice"
    FIELD = "field"
    RANKING = "ranking"


@dataclass(frozen=True, slots=True)
class LayerAddress:
    """The width of a layer in pixels, and its parts."""

    width: int = 960
    parts: tuple[LayerPart, ...] = tuple(LayerPart)


class PublicPages:
    """
    The pages of one server that show a running event to everybody.

    Args:
        store: Its journals; knows whether the database is away.
        access: The PIN; `begin` was called.
        lan_url: The server's address in the local network; empty if only this machine reaches it.
        costs: What the choices cost; other ones for tests.
    """

    def __init__(
        self,
        store: JournalStore,
        runner: EventRunner,
        streams: EventStreams,
        access: AccessControl,
        lan_url: str = "",
        costs: EventCosts | None = None,
    ) -> None:
        self._store = store
        self._runner = runner
        self._streams = streams
        self._access = access
        self._lan_url = lan_url
        self._costs = costs or EventCosts(runner)
        self._log = EventLog(store)
        self._json = LiveFile(runner, build_standings_view, pack_json)
        self._csv = LiveFile(runner, build_result_csv, lambda text: pack_file(CSV_TYPE, text))

    def list_routes(self) -> list[Route]:
        return [
            Route("/", self._show_home, methods=["GET"]),
            Route("/play", self._show_play, methods=["GET"]),
            Route("/standings", self._show_standings, methods=["GET"]),
            Route("/result", self._show_result, methods=["GET"]),
            Route("/result.json", self._answer_json, methods=["GET"]),
            Route("/result.csv", self._answer_csv, methods=["GET"]),
            Route("/costs.json", self._answer_costs, methods=["GET"]),
            Route("/tv", self._show_tv, methods=["GET"]),
            Route("/overlay", self._show_overlay, methods=["GET"]),
            Route("/checkpoint.note", self._answer_note, methods=["GET"]),
            Route("/checkpoint.svg", self._answer_note_code, methods=["GET"]),
        ]

    async def _show_home(self, request: Request) -> Response:
        is_over = self._runner.read(lambda state: state.data.result is not None)
        sheet = await run_in_threadpool(self._runner.read, build_result_sheet) if is_over else {}
        return self._render("event_home.html", request, winner=sheet.get("winner", ""))

    async def _show_play(self, request: Request) -> Response:
        if "official" in request.query_params and not is_official(request, self._access):
            return RedirectResponse("/organiser", 303)
        first_view = self._streams.find_first_view(read_browser(request, self._access))
        # A whole hall opens it at once.
        return await run_in_threadpool(self._render, "play.html", request, first_view=first_view)

    async def _show_standings(self, request: Request) -> Response:
        return self._render("event_standings.html", request)

    async def _show_result(self, request: Request) -> Response:
        sheet = await run_in_threadpool(self._runner.read, build_result_sheet)
        costs = await run_in_threadpool(self._costs.read)
        sheet["costs"] = describe_costs(costs)
        return self._render("event_result.html", request, key=self._store.own_key, **sheet)

    async def _answer_costs(self, request: Request) -> Response:
        costs = await run_in_threadpool(self._costs.read)
        return JSONResponse(costs.to_plain(), 200 if costs.is_complete else 202, LIVE)

    async def _answer_json(self, request: Request) -> Response:
        return answer_file(request, await run_in_threadpool(self._json.find), LIVE)

    async def _answer_csv(self, request: Request) -> Response:
        name = {"Content-Disposition": 'attachment; filename="result.csv"'}
        return answer_file(request, await run_in_threadpool(self._csv.find), {**LIVE, **name})

    async def _answer_note(self, request: Request) -> Response:
        return PlainTextResponse(await self._find_note(), headers=LIVE)

    async def _answer_note_code(self, request: Request) -> Response:
        code = await run_in_threadpool(render_qr_svg, await self._find_note())
        return Response(code, headers=LIVE, media_type="image/svg+xml")

    async def _find_note(self) -> str:
        """Return the newest checkpoint of the event's own journal, as a signed note."""
        newest = await run_in_threadpool(self._log.find_newest)
        if newest is None:
            raise HTTPException(404, message("expected a checkpoint of the event, found none yet"))
        return newest.note

    async def _show_tv(self, request: Request) -> Response:
        return self._render("event_screen.html", request, kind="tv", layer=LayerAddress())

    async def _show_overlay(self, request: Request) -> Response:
        layer = read_layer_address(request.query_params)
        return self._render("event_screen.html", request, kind="overlay", layer=layer)

    def _render(self, template: str, request: Request, **values: object) -> Response:
        begun, may_join, is_over = self._runner.read(_find_stage)
        # Who may not join any more finds the standings from the first page.
        path = "play" if may_join else ""
        join = f"{choose_base(str(request.base_url), self._lan_url)}{path}"
        common = {
            "is_open": self._store.is_open,
            "problem": self._store.problem,
            "name": begun.name if begun else "",
            "about": describe_format(begun) if begun else "",
            "rules": describe_rules(begun) if begun else "",
            "is_at_tables": begun is not None and begun.style != "duplicate",
            "may_join": may_join,
            "is_over": is_over,
            "join": join,
            "join_text": join.partition("://")[2],
            "join_code": render_qr_svg(join, is_inline=True).decode(),
        }
        return render_page(template, request, {**common, **values})


def _find_stage(state: EventState) -> tuple[EventBegun | None, bool, bool]:
    """Return how the event began, whether players may join by themselves, and if it is over."""
    data = state.data
    is_drawn, is_over = bool(data.rounds.published), data.result is not None
    return data.begun, not is_drawn and not is_over, is_over


def read_layer_address(query: Mapping[str, str]) -> LayerAddress:
    """
    Return what a query asks for: `width=`, and `show=` with parts that commas separate.

    Raises:
        InputError: A part does not exist, or the width is no number or too small or large.
    """
    usual = LayerAddress()
    width = query.get("width", str(usual.width))
    is_number = width.isascii() and width.isdecimal() and len(width) <= len(str(WIDEST_PX))
    if not is_number or not NARROWEST_PX <= int(width) <= WIDEST_PX:
        expected = message("{least} to {most} pixels", least=NARROWEST_PX, most=WIDEST_PX)
        raise InputError(expected=expected, found=repr(width), where="width")
    if "show" not in query:
        return LayerAddress(int(width))
    wanted = {name.strip() for name in query["show"].split(",")}
    if not wanted <= set(LayerPart):
        expected = message("some of {names}", names=", ".join(LayerPart))
        raise InputError(expected=expected, found=repr(query["show"]), where="show")
    return LayerAddress(int(width), tuple(part for part in LayerPart if part in wanted))
