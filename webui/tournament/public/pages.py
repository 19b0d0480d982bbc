# SPDX-License-Identifier: MIT
"""
The pages of an event for everybody: how to join, standings, result, big screens.

Of an event that is over, a desk with a later one still shows the standings and the result.
"""

from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import ClassVar, TypeAlias

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from controller.base.languages.message import message
from controller.base.packed_file import pack_file
from controller.base.qr_code import render_qr_svg
from controller.runtime.access.tickets import AccessControl
from controller.tournament.entries.event_entries import EventBegun
from controller.tournament.results.past_events import PastEvents
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
    describe_winner,
)
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.wire.event_log import EventLog
from controller.tournament.state.state import EventState
from webui.auth.hosts import choose_base
from webui.big_screens import USUAL_WIDTH_PX, Layer, read_layer
from webui.tournament.browsers import PLAYER_COOKIE, read_browser
from webui.tournament.event_stream import EventStreams
from webui.tournament.official_session import is_official
from webui.tournament.page_language import find_page_language, render_page
from webui.tournament.public.snapshot_routes import answer_file, name_index

LIVE = {"Cache-Control": "no-cache"}
MOST_LOADED = 4  # Earlier events in memory, whose pages somebody opened.
_PARTS = ("turn", "dice", "field", "ranking")  # What a layer may show.

Answer: TypeAlias = Callable[[Request], Awaitable[Response]]


class ResultPages:
    """
    What everybody may know of an event, running or over.

    Args:
        store: Its journals; knows whether the database is away.
        costs: What the choices cost; other ones for tests.
        address: What the addresses of the pages begin with.
    """

    def __init__(
        self,
        store: JournalStore,
        runner: EventRunner,
        costs: EventCosts | None = None,
        address: str = "",
    ) -> None:
        self._store = store
        self._runner = runner
        self._address = address
        self._costs = costs or EventCosts(runner)
        self._log = EventLog(store)
        self._json = LiveFile(runner, build_standings_view, pack_json)
        self._csv = LiveFile(runner, build_result_csv, lambda text: pack_file(CSV_TYPE, text))

    def close(self) -> None:
        """Let go of the file of the journals; a page that is being answered opens it again."""
        self._store.close()

    def render(self, template: str, request: Request, **values: object) -> Response:
        begun, may_join, is_over = self._runner.read(_find_stage)
        common = {
            "is_open": self._store.is_open,
            "problem": self._store.problem,
            "name": begun.name if begun else "",
            "about": describe_format(begun) if begun else "",
            "rules": describe_rules(begun) if begun else "",
            "is_at_tables": begun is not None and begun.style != "duplicate",
            "may_join": may_join,
            "is_over": is_over,
            "address": self._address,
        }
        return render_page(template, request, {**common, **values})

    async def _show_standings(self, request: Request) -> Response:
        return self.render("event_standings.html", request)

    async def _show_result(self, request: Request) -> Response:
        section = request.query_params.get("section", "")
        sheet = await run_in_threadpool(
            self._runner.read, lambda state: build_result_sheet(state, section)
        )
        costs = await run_in_threadpool(self._costs.read)
        sheet["costs"] = describe_costs(costs)
        return self.render("event_result.html", request, key=self._store.own_key, **sheet)

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

    # By the last part of its address.
    ANSWERS: ClassVar[Mapping[str, Callable[[ResultPages, Request], Awaitable[Response]]]] = {
        "standings": _show_standings,
        "result": _show_result,
        "result.json": _answer_json,
        "result.csv": _answer_csv,
        "costs.json": _answer_costs,
        "checkpoint.note": _answer_note,
        "checkpoint.svg": _answer_note_code,
    }


class PublicPages:
    """The pages of one server that show a running event to everybody."""

    def __init__(
        self,
        store: JournalStore,
        runner: EventRunner,
        streams: EventStreams,
        access: AccessControl,
        lan_url: str = "",
        costs: EventCosts | None = None,
        past: PastEvents | None = None,
        published: str = "",
    ) -> None:
        self._runner = runner
        self._results = ResultPages(store, runner, costs)
        self._streams = streams
        self._access = access
        self._lan_url = lan_url
        self._past = past
        self._published = published

    def list_routes(self) -> list[Route]:
        answers: Mapping[str, Answer] = {
            "": self._show_home,
            "play": self._show_play,
            "tv": self._show_tv,
            "overlay": self._show_overlay,
            **{name: partial(each, self._results) for name, each in ResultPages.ANSWERS.items()},
            "standings": self._show_standings,
        }
        return [Route(f"/{name}", answer, methods=["GET"]) for name, answer in answers.items()]

    async def _show_home(self, request: Request) -> Response:
        past = await run_in_threadpool(self._past.list_events) if self._past else ()
        winner = self._runner.read(describe_winner)
        return self._render("event_home.html", request, past=past, winner=winner)

    async def _show_play(self, request: Request) -> Response:
        if "official" in request.query_params and not is_official(request, self._access):
            return RedirectResponse("/organiser", 303)
        first_view = self._streams.find_first_view(read_browser(request, self._access))
        # A whole hall opens it at once.
        return await run_in_threadpool(self._render, "play.html", request, first_view=first_view)

    async def _show_tv(self, request: Request) -> Response:
        published = self._find_published(request, "#tv")
        layer = Layer(USUAL_WIDTH_PX, _PARTS)
        return self._render(
            "event_screen.html", request, kind="tv", layer=layer, published=published
        )

    async def _show_standings(self, request: Request) -> Response:
        published = self._find_published(request)
        return self._results.render("event_standings.html", request, published=published)

    def _find_published(self, request: Request, part: str = "") -> str:
        """Return where a spectator finds a page; empty for players and officials, and `?here`."""
        is_own = PLAYER_COOKIE in request.cookies or is_official(request, self._access)
        if not self._published or is_own or "here" in request.query_params:
            return ""
        return f"{self._published}{name_index(find_page_language(request).language)}{part}"

    async def _show_overlay(self, request: Request) -> Response:
        layer = read_layer(request.query_params, _PARTS, usual=_PARTS)
        return self._render("event_screen.html", request, kind="overlay", layer=layer)

    def _render(self, template: str, request: Request, **values: object) -> Response:
        may_join = self._runner.read(_find_stage)[1]
        # Who may not join any more finds the standings from the first page.
        path = "play" if may_join else ""
        join = f"{choose_base(str(request.base_url), self._lan_url)}{path}"
        common = {
            "join": join,
            "join_text": join.partition("://")[2],
            "join_code": render_qr_svg(join, is_inline=True).decode(),
        }
        return self._results.render(template, request, **common, **values)


class PastPages:
    """
    The pages of the events of this desk before the open one, below `/events/N`.

    An event that was read stays until several others are asked for: its costs would otherwise be
    computed again, and a large event takes some tens of megabytes.
    """

    def __init__(self, past: PastEvents) -> None:
        self._past = past
        self._loading = threading.Lock()
        self._pages: dict[str, ResultPages] = {}

    def list_routes(self) -> list[Route]:
        return [Route("/events/{number}/{name}", self._answer, methods=["GET"])]

    async def _answer(self, request: Request) -> Response:
        number, name = request.path_params["number"], request.path_params["name"]
        if name not in ResultPages.ANSWERS:
            raise HTTPException(404)
        pages = self._pages.get(number)
        if pages is None:
            pages = await run_in_threadpool(self._load_pages, number)
        return await ResultPages.ANSWERS[name](pages, request)

    def _load_pages(self, number: str) -> ResultPages:
        events = {str(event.number): event.number for event in self._past.list_events()}
        if number not in events:
            raise HTTPException(404, message("expected an earlier event of this desk"))
        with self._loading:
            if number not in self._pages:
                store = self._past.load(events[number])
                address = f"/events/{number}"
                self._pages[number] = ResultPages(store, EventRunner(store), None, address)
                if len(self._pages) > MOST_LOADED:
                    self._pages.pop(next(iter(self._pages))).close()
            return self._pages[number]


def _find_stage(state: EventState) -> tuple[EventBegun | None, bool, bool]:
    """Return how the event began, whether players may join by themselves, and if it is over."""
    data = state.data
    is_drawn, is_over = bool(data.rounds.published), data.result is not None
    return data.begun, not is_drawn and not is_over, is_over
