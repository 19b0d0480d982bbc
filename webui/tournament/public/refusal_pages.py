# SPDX-License-Identifier: MIT
"""Answer what is refused: a page for a browser that opens one, JSON for everything else."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from controller.base.errors import RefusedError
from controller.base.logs import Log
from controller.runtime.access.request_rate import RefusalLog
from controller.tournament.server.wire.receiver import find_status
from webui.auth.hosts import OwnNames, is_proxied
from webui.auth.refusals import TEMPLATE, describe_refusal, wants_page
from webui.tournament.connections import find_address
from webui.tournament.page_language import find_page_language, render_page

_FAILED = "the server failed"


class RefusalPages:
    """The refusals of one server."""

    def __init__(self) -> None:
        self._log = RefusalLog(Log("tournament"))

    def guard(self, app: ASGIApp, names: OwnNames) -> ASGIApp:
        """Return an application that answers only requests by one of its own names."""

        async def answer_own(scope: Scope, receive: Receive, send: Send) -> None:
            request = Request(scope)
            host = request.headers.get("Host", "")
            reason = names.find_refusal(host)
            if reason is None:
                await app(scope, receive, send)
                return
            if not wants_page(request.headers.get("Accept")):
                self._log.note_name(host=host, client=find_address(request))
            await self.answer(request, 403, reason)(scope, receive, send)

        return answer_own

    async def answer_error(self, request: Request, error: Exception) -> Response:
        """Answer a request whose handler raised an error; for Starlette."""
        if isinstance(error, HTTPException):
            return self.answer(request, error.status_code, error.detail, error.headers)
        if isinstance(error, RefusedError):
            return self.answer(request, find_status(error), error.args[0])
        return self.answer(request, 500, _FAILED)

    def answer(
        self, request: Request, status: int, reason: str, headers: Mapping[str, str] | None = None
    ) -> Response:
        """Return a refusal; a page shows its reason if it is a message."""
        if not wants_page(request.headers.get("Accept")):
            words = find_page_language(request).translate(reason)
            return JSONResponse({"error": words}, status, headers)
        host, client = request.headers.get("Host", ""), find_address(request)
        self._log.note_page(status=status, host=host, path=request.url.path, client=client)
        view = describe_refusal(status, reason, is_proxied=is_proxied(request.headers.get))
        page = render_page(TEMPLATE, request, view, status)
        page.headers.update(headers or {})
        return page
