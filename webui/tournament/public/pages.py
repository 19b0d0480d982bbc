# SPDX-License-Identifier: MIT
"""The first page of an event: what is played, and how a phone joins."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.qr_code import render_qr_svg
from controller.tournament.publishing.format_text import describe_format
from controller.tournament.running.event_runner import EventRunner, EventStore
from webui.auth.hosts import is_loopback
from webui.tournament.page_language import PageTemplates


class PublicPages:
    """
    The pages of one server that show a running event to everybody.

    Args:
        store: Its journals; knows whether the database is away.
        runner: The event.
        lan_url: The server's address in the local network; empty if only this machine reaches it.
    """

    def __init__(self, store: EventStore, runner: EventRunner, lan_url: str = "") -> None:
        self._store = store
        self._runner = runner
        self._lan_url = lan_url
        self._templates = PageTemplates()

    def list_routes(self) -> list[Route]:
        """Return the routes for the application."""
        return [Route("/", self._show_home, methods=["GET"])]

    async def _show_home(self, request: Request) -> Response:
        return self._render("event_home.html", request)

    def _render(self, template: str, request: Request, **values: object) -> Response:
        """Return a page with what all of them show."""
        begun = self._runner.read(lambda state: state.data.begun)
        join = f"{self._find_base(request)}play"
        common = {
            "is_open": self._store.is_open,
            "problem": self._store.problem,
            "name": begun.name if begun else "",
            "about": describe_format(begun) if begun else "",
            "join": join,
            "join_text": join.partition("://")[2],
            "join_code": render_qr_svg(join, is_inline=True).decode(),
        }
        return self._templates.render(template, request, {**common, **values})

    def _find_base(self, request: Request) -> str:
        """Return the address that phones use; on the server's own machine not that of the page."""
        if self._lan_url and is_loopback(request.url.hostname or ""):
            return self._lan_url
        return str(request.base_url)
