# SPDX-License-Identifier: MIT
"""
The page of the server: what anybody may see of it, and what the organiser does.

A form works without scripts; its cookie goes with no request of a foreign page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from controller.access.tickets import AccessControl
from controller.errors import RefusedError, UnavailableError
from controller.languages.message import Message, message, plural_message
from controller.tournament.event.codec import encode_body
from controller.tournament.event.event_entries import KeyAccepted, KeyChanged
from controller.tournament.fold.state import EventState
from controller.tournament.journals.box_queries import find_box, find_named, list_boxes
from controller.tournament.journals.store import JournalStore
from controller.tournament.journals.transaction import GroupTransaction
from controller.tournament.journals.values import BoxState, BoxView, Draft
from controller.tournament.running.event_runner import EventRunner
from controller.tournament.running.official_requests import build_official_entry
from controller.tournament.running.official_view import build_official_view
from controller.tournament.wire.receiver import WireReceiver
from webui.tournament.official_session import (
    check_pin,
    find_name,
    forget_official,
    is_official,
    remember_official,
)
from webui.tournament.page_language import PageTemplates
from webui.tournament.request_bodies import BodyBudget, read_form

SILENT_AFTER_S = 30.0
_KEY = re.compile(r"[0-9a-f]{64}")


class OrganiserPages:
    """
    The pages of one server.

    Args:
        store: Its journals.
        receiver: Knows the code and which tables are silent.
        access: The PIN; `begin` was called.
        runner: The event; without it there are only tables.
    """

    def __init__(
        self,
        store: JournalStore[Any],
        receiver: WireReceiver,
        access: AccessControl,
        runner: EventRunner | None = None,
    ) -> None:
        self._runner = runner
        self._store = store
        self._receiver = receiver
        self._access = access
        self._templates = PageTemplates()
        self._budget = BodyBudget()

    def list_routes(self) -> list[Route]:
        """Return the routes for the application."""
        return [
            Route("/organiser", self._show, methods=["GET"]),
            Route("/organiser", self._act, methods=["POST"]),
            Route("/organiser/revision", self._tell_revision, methods=["GET"]),
            Route("/healthz", self._health, methods=["GET"]),
        ]

    async def _health(self, request: Request) -> Response:
        problem = self._store.problem
        body = {"ok": not problem, "database": problem or "live", "open": self._store.is_open}
        return JSONResponse(body, 503 if problem else 200, {"Cache-Control": "no-store"})

    async def _show(self, request: Request) -> Response:
        return await run_in_threadpool(self._render, request, "")

    async def _act(self, request: Request) -> Response:
        try:
            told = await read_form(request, self._budget)
            return await run_in_threadpool(self._do, request, told)
        except (RefusedError, ValueError) as error:
            said = error.args[0] if isinstance(error, RefusedError) else message("Not understood.")
            return await run_in_threadpool(self._render, request, said, 400)

    def _do(self, request: Request, told: Mapping[str, str]) -> Response:
        done = RedirectResponse("/organiser", 303)
        act = told.get("do", "")
        if act == "log in":
            return self._log_in(request, told, done)
        if not is_official(request, self._access):
            return self._render(request, message("Log in with the PIN first."), 403)
        if act == "log out":
            forget_official(request, done, self._access)
        elif act == "new code":
            self._receiver.renew_code()
        elif act == "accept":
            self._accept(told.get("box", ""), find_name(request))
        elif self._runner is not None:
            by, now_ms = find_name(request), self._runner.now_ms()
            self._runner.propose(build_official_entry(act, told, by, now_ms)).result()
        else:
            return self._render(request, message("Not understood."), 400)
        return done

    def _log_in(self, request: Request, told: Mapping[str, str], done: Response) -> Response:
        result = check_pin(request, self._access, told.get("pin", ""))
        if not result.is_right:
            said = message("That is not the PIN.")
            if result.wait_s:
                said = plural_message(
                    "That is not the PIN. Wait {count} second.",
                    "That is not the PIN. Wait {count} seconds.",
                    result.wait_s,
                )
            return self._render(request, said, 403)
        remember_official(request, done, result, told.get("name", ""))
        return done

    def _accept(self, box: str, by: str) -> None:
        """Let in a table that waits for the organiser; it takes the place of the one it was."""
        found = None
        if _KEY.fullmatch(box):
            found = self._store.read(lambda connection: find_box(connection, box))
        if found is None or found.state is not BoxState.PENDING:
            raise UnavailableError(
                expected=message("a table that waits"), found=message("one that does not wait")
            )
        name = found.name
        owner = self._store.read(lambda connection: find_named(connection, name))
        if self._runner is None or owner is None or not self._runner.read(_knows(owner)):
            self._store.enrol(box, name).result()
            return
        reason = message("accepted on the organiser's page")
        changes = (KeyChanged(owner, box), KeyAccepted(owner, box, by, reason))
        drafts = [Draft(each.kind, encode_body(each)) for each in changes]
        at_ms = self._runner.now_ms()

        def accept(transaction: GroupTransaction[Any]) -> None:
            transaction.append_own(drafts, at_ms)
            transaction.admit(box, name, BoxState.ENROLLED)

        # All or nothing: a key that changed and was not accepted would leave the table standing.
        self._store.write(accept).result()

    def _render(self, request: Request, said: str, status: int = 200) -> Response:
        problem, is_organiser = self._store.problem, is_official(request, self._access)
        values: dict[str, object] = {
            "said": said,
            "is_open": self._store.is_open,
            "is_organiser": is_organiser,
            "code": "",
            "tables": [],
        }
        if not problem:
            try:
                boxes = self._store.read(list_boxes)
                shown = [box for box in boxes if is_organiser or box.state is not BoxState.PENDING]
                values["tables"] = [self._view(box) for box in shown]
                if is_organiser:
                    values |= self._describe_event(request)
            except RefusedError as error:
                problem = str(error)
        return self._templates.render(
            "tournament.html", request, {**values, "problem": problem}, status
        )

    def _describe_event(self, request: Request) -> dict[str, object]:
        """Return what only officials see."""
        view: dict[str, object] = {"code": self._receiver.read_code(), "by": find_name(request)}
        if self._runner is None:
            return view
        return {
            **view,
            "official": self._runner.read(build_official_view),
            "revision": self._find_revision(),
        }

    def _find_revision(self) -> str:
        """Return a text that changes whenever the officials' page may have."""
        if self._runner is None:
            return ""
        revisions = self._runner.revisions
        return f"{revisions.shared}.{revisions.choices}.{revisions.tables}"

    async def _tell_revision(self, request: Request) -> Response:
        return JSONResponse(self._find_revision(), headers={"Cache-Control": "no-store"})

    def _view(self, box: BoxView) -> dict[str, object]:
        """Return a table as the page shows it."""
        silent_s = self._receiver.silent_s(box.key)
        about = plural_message("{count} line", "{count} lines", box.next)
        if box.state is BoxState.PENDING:
            about = message("waits: another key has this name")
        elif box.state is BoxState.ENROLLED and (silent_s is None or silent_s > SILENT_AFTER_S):
            about = plural_message(
                "{count} line, silent now", "{count} lines, silent now", box.next
            )
        troubles: list[Message] = [
            message("It sent two different lines {number}.", number=seq) for seq in box.forks
        ]
        troubles += [
            message("Line {number}: {what}", number=seq, what=what)
            for seq, what in box.flaws.items()
        ]
        return {
            "key": box.key,
            "name": box.name,
            "about": about,
            "is_pending": box.state is BoxState.PENDING,
            "troubles": troubles,
        }


def _knows(box: str) -> Callable[[EventState], bool]:
    return lambda state: state.data.begun is not None and not state.is_still(box)
