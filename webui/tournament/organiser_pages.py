# SPDX-License-Identifier: MIT
"""
The page of the server: what anybody may see of it, and what the organiser does.

A form works without scripts; its cookie goes with no request of a foreign page.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from controller.base.errors import InputError, RefusedError
from controller.base.languages.message import message, plural_message
from controller.base.qr_code import render_qr_svg
from controller.games.player_names import clean_line, require_name
from controller.runtime.access.tickets import AccessControl
from controller.tournament.results.past_events import PastEvents
from controller.tournament.results.public_files import CSV_TYPE, JSON_TYPE
from controller.tournament.results.result_sheet import (
    describe_rules,
    list_broken_ties,
    list_rulings,
)
from controller.tournament.server.changed_keys import accept_key, refuse_key
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.form_labels import describe_refusal
from controller.tournament.server.lists.lists import LIST_FILES, describe_entered, plan_list
from controller.tournament.server.official_requests import (
    FormReader,
    build_official_entry,
    issue_phone,
)
from controller.tournament.server.official_view import build_official_view
from controller.tournament.server.store.box_queries import list_table_journals
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.store.values import BoxState, JournalView
from controller.tournament.server.table_troubles import SILENT_AFTER_S, list_troubles
from controller.tournament.server.wire.receiver import WireReceiver
from controller.tournament.state.state import EventState
from webui.auth.hosts import choose_base
from webui.tournament.browsers import read_browser, remember_player, require_room
from webui.tournament.official_session import (
    check_pin,
    find_name,
    forget_official,
    is_official,
    remember_official,
)
from webui.tournament.page_language import render_page
from webui.tournament.request_bodies import read_form

MOST_LIST_BYTES = 4_000_000
"""A list of 20,000 players, as a form writes it."""
_LOG_IN_FIRST = message("Log in with the PIN first.")


class OrganiserPages:
    """The pages of one server; `lan_url` is empty if only this machine reaches it."""

    def __init__(
        self,
        store: JournalStore,
        receiver: WireReceiver,
        access: AccessControl,
        runner: EventRunner,
        lan_url: str,
        past: PastEvents | None,
        start_next: Callable[[], None] | None,
    ) -> None:
        self._runner = runner
        self._lan_url = lan_url
        self._store = store
        self._receiver = receiver
        self._access = access
        self._past = past
        self._start_next = start_next

    def list_routes(self) -> list[Route]:
        return [
            Route("/organiser", self._show, methods=["GET"]),
            Route("/organiser", self._act, methods=["POST"]),
            Route("/organiser/phones", self._issue_phone, methods=["POST"]),
            Route("/organiser/lists", self._show, methods=["GET"]),
            Route("/organiser/revision", self._tell_revision, methods=["GET"]),
            Route("/organiser/lists", self._take_list, methods=["POST"]),
            Route("/organiser/lists/{name}", self._answer_list, methods=["GET"]),
            Route("/healthz", self._health, methods=["GET"]),
        ]

    async def _health(self, request: Request) -> Response:
        problem = self._store.problem
        body = {"ok": not problem, "database": problem or "live", "open": self._store.is_open}
        return JSONResponse(body, 503 if problem else 200, {"Cache-Control": "no-store"})

    async def _show(self, request: Request) -> Response:
        return await run_in_threadpool(self._render, request, "")

    async def _act(self, request: Request) -> Response:
        told: Mapping[str, str] = {}
        try:
            told = await read_form(request)
            return await run_in_threadpool(self._do, request, told)
        except RefusedError as error:
            # Like every answer to a form, a refusal is the page with a sentence on it.
            said = describe_refusal(error)
            return await run_in_threadpool(self._render, request, said, 400, told)

    async def _take_list(self, request: Request) -> Response:
        """Enter a list of players or results as a whole, or refuse it as a whole."""
        told: Mapping[str, str] = {}
        try:
            if not is_official(request, self._access):
                return await run_in_threadpool(self._render, request, _LOG_IN_FIRST, 403)
            told = await read_form(request, MOST_LIST_BYTES)
            content, reason = told.get("content", "").encode(), clean_line(told.get("reason", ""))
            plan = plan_list(told.get("list", ""), content, find_name(request), reason)
            entries = await asyncio.wrap_future(self._runner.propose_list(plan))
            return await run_in_threadpool(self._render, request, describe_entered(entries))
        except RefusedError as error:
            said = describe_refusal(error)
            return await run_in_threadpool(self._render, request, said, 400, told)

    async def _answer_list(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in LIST_FILES:
            raise HTTPException(404)
        if not is_official(request, self._access):
            return await run_in_threadpool(self._render, request, _LOG_IN_FIRST, 403)
        content = await run_in_threadpool(self._runner.read, LIST_FILES[name])
        headers = {
            "Content-Disposition": f'attachment; filename="{name}"',
            "Cache-Control": "no-store",
        }
        kind = JSON_TYPE if name.endswith(".json") else CSV_TYPE
        return Response(content, headers=headers, media_type=kind)

    async def _issue_phone(self, request: Request) -> Response:
        """
        A form with `player` gives `{"address", "qr"}`: a link, and its QR code as SVG.

        The phone that opens the link is the player's, once; from now on the old one is not.
        """
        if not is_official(request, self._access):
            raise HTTPException(403, _LOG_IN_FIRST)
        player = (await read_form(request)).get("player", "")
        if not player.isascii() or not player.isdigit() or len(player) > 6:
            raise InputError(expected=message("the number of a player"), found=repr(player[:20]))
        base = choose_base(str(request.base_url), self._lan_url).rstrip("/")
        secret = secrets.token_urlsafe(24)
        build = issue_phone(int(player), secret, find_name(request))
        await asyncio.wrap_future(self._runner.propose(build))
        # Behind the hash it is in no log of a proxy and in no Referer header.
        address = f"{base}/play#phone={secret}"
        qr = render_qr_svg(address).decode()
        return JSONResponse({"address": address, "qr": qr}, headers={"Cache-Control": "no-store"})

    def _do(self, request: Request, told: Mapping[str, str]) -> Response:
        done = RedirectResponse("/organiser", 303)
        act = told.get("do", "")
        if act == "log in":
            return self._log_in(request, told, done)
        if not is_official(request, self._access):
            return self._render(request, _LOG_IN_FIRST, 403)
        if act == "log out":
            forget_official(request, done, self._access)
        elif act == "new code":
            self._receiver.renew_code()
        elif act == "accept":
            by, reason = find_name(request), clean_line(told.get("reason", ""))
            accept_key(self._store, self._runner, told.get("box", ""), by, reason)
        elif act == "refuse":
            refuse_key(self._store, self._runner, told.get("box", ""))
        elif act == "next event" and self._start_next is not None:
            self._start_next()
        elif act == "play here":
            return self._play_here(request, told)
        else:
            by, now_ms = find_name(request), self._runner.now_ms()
            self._runner.propose(build_official_entry(act, told, by, now_ms)).result()
        return done

    def _play_here(self, request: Request, told: Mapping[str, str]) -> Response:
        """Make this browser one that a player may share; it need not stay an official's."""
        player, secret = FormReader(told, "", 0).whole("player"), secrets.token_urlsafe(24)
        browser, runner = read_browser(request, None), self._runner
        runner.read(lambda state: require_room(browser, state))
        runner.propose(issue_phone(player, secret, find_name(request))).result()
        done = RedirectResponse("/play", 303)
        runner.read(lambda state: remember_player(request, done, secret, state))
        return done

    def _log_in(self, request: Request, told: Mapping[str, str], done: Response) -> Response:
        name = require_name(told["name"], "name") if told.get("name") else ""
        result = check_pin(request, self._access, told.get("pin", ""))
        if not result.is_right:
            said = message("That is not the PIN.")
            if result.wait_s:
                said = plural_message(
                    "Too many wrong PINs were tried. Wait {count} second, or log in on the desk's"
                    " own machine, or in a browser that has logged in before.",
                    "Too many wrong PINs were tried. Wait {count} seconds, or log in on the desk's"
                    " own machine, or in a browser that has logged in before.",
                    result.wait_s,
                )
            return self._render(request, said, 403, told)
        remember_official(request, done, result, name)
        return done

    def _render(
        self,
        request: Request,
        said: str,
        status: int = 200,
        refused: Mapping[str, str] | None = None,
    ) -> Response:
        """
        Return the page.

        Args:
            said: A sentence about what was asked for; empty without one.
            refused: The fields of a form that was refused; they stand in it again.
        """
        problem, is_organiser = self._store.problem, is_official(request, self._access)
        values: dict[str, object] = {
            "said": said,
            "refused": {key: text for key, text in (refused or {}).items() if key != "pin"},
            "is_open": self._store.is_open,
            "is_organiser": is_organiser,
            "code": "",
            "tables": [],
        }
        if not problem:
            try:
                journals = self._store.read(list_table_journals)
                values["tables"] = [
                    self._view(each)
                    for each in journals
                    if is_organiser or each.state is not BoxState.PENDING
                ]
                if is_organiser:
                    values |= self._describe_event(journals)
            except RefusedError as error:
                problem = str(error)
        return render_page("tournament.html", request, {**values, "problem": problem}, status)

    def _describe_event(self, journals: Sequence[JournalView]) -> dict[str, object]:
        now_ms = self._runner.now_ms()

        def read(state: EventState) -> dict[str, object]:
            troubles = list_troubles(state, journals, self._receiver.senders.silent_s)
            begun = state.data.begun
            return {
                **build_official_view(state, now_ms),
                "troubles": troubles,
                "rules": describe_rules(begun) if begun else "",
                "broken_ties": list(list_broken_ties(state)),
                "rulings": list_rulings(state.data) if begun else [],
            }

        return {
            "code": self._receiver.read_code(),
            "official": self._runner.read(read),
            "revision": self._find_revision(),
            "past": self._past.list_events() if self._past else (),
            "has_next": self._start_next is not None,
        }

    def _find_revision(self) -> str:
        """Return a text that changes whenever the officials' page may have."""
        revisions = self._runner.revisions
        silent = self._receiver.senders.count_silent(SILENT_AFTER_S)
        return f"{revisions.shared}.{revisions.choices}.{revisions.tables}.{silent}"

    async def _tell_revision(self, request: Request) -> Response:
        return JSONResponse(self._find_revision(), headers={"Cache-Control": "no-store"})

    def _view(self, journal: JournalView) -> dict[str, object]:
        silent_s = self._receiver.senders.silent_s(journal.key)
        about = plural_message("{count} line", "{count} lines", journal.next)
        if journal.state is BoxState.PENDING:
            about = message("waits: another key has this name")
        elif journal.state is BoxState.ENROLLED and (silent_s is None or silent_s > SILENT_AFTER_S):
            about = plural_message(
                "{count} line, silent now", "{count} lines, silent now", journal.next
            )
        is_pending = journal.state is BoxState.PENDING
        return {"key": journal.key, "name": journal.name, "about": about, "is_pending": is_pending}
