# SPDX-License-Identifier: MIT
"""The page of a player's phone. Its scripts follow the stream and fill it."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.tournament.running.event_runner import EventRunner
from webui.tournament.page_language import PageTemplates


class PlayPage:
    """
    The page of every phone of one server.

    Args:
        runner: The event.
    """

    def __init__(self, runner: EventRunner) -> None:
        self._runner = runner
        self._templates = PageTemplates()

    def list_routes(self) -> list[Route]:
        """Return the routes for the application."""
        return [Route("/play", self._show, methods=["GET"])]

    async def _show(self, request: Request) -> Response:
        return await run_in_threadpool(self._render, request)

    def _render(self, request: Request) -> Response:
        begun = self._runner.read(lambda state: state.data.begun)
        values = {"name": begun.name if begun else "", "about": ""}
        return self._templates.render("play.html", request, values)
