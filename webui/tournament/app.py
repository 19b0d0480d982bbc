# SPDX-License-Identifier: MIT
"""The application of a tournament: its routes, its errors, and what every answer says."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from controller.base.errors import RefusedError
from controller.base.languages.message import message
from controller.runtime.access.tickets import AccessControl
from controller.tournament.results.past_events import PastEvents
from controller.tournament.results.play_costs.event_costs import EventCosts
from controller.tournament.results.publisher import EventPublisher
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.store.store import JournalStore
from controller.tournament.server.wire.receiver import WireReceiver
from webui.auth.hosts import OwnNames, parse_host_names
from webui.page_files import ROOT, answer_page_file
from webui.tournament.event_routes import EventRoutes
from webui.tournament.event_stream import EventStreams
from webui.tournament.journal_routes import JournalRoutes
from webui.tournament.kiosk_requests import KioskRequests
from webui.tournament.organiser_pages import OrganiserPages
from webui.tournament.picture_routes import PictureRoutes
from webui.tournament.public.pages import PastPages, PublicPages
from webui.tournament.public.refusal_pages import RefusalPages
from webui.tournament.public.snapshot_routes import SnapshotRoutes

OPEN_HEADER = "Dicebell-Open"
OPEN_WARNING = "unsigned tables are accepted; for tests only"
_HOST_NAMES_OPTION = message("the option --host-names of `dicebell desk`")
_POLICY = "Content-Security-Policy"
_SAFE = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    _POLICY: (
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline';"
        " frame-ancestors 'none'; form-action 'self'; base-uri 'none'; object-src 'none'"
    ),
}


def create_tournament_app(
    store: JournalStore,
    access: AccessControl,
    runner: EventRunner,
    *,
    receiver: WireReceiver | None = None,
    publisher: EventPublisher | None = None,
    lan_url: str = "",
    host_names: str = "",
    costs: EventCosts | None = None,
    past: PastEvents | None = None,
    start_next: Callable[[], None] | None = None,
    published: str = "",
) -> TournamentApp:
    """
    Return the application of one server.

    Args:
        store: Its journals; they need not be open yet.
        access: The PIN; `begin` was called.
        runner: Runs the event.
        receiver: Receives what tables send; one for the store by default.
        lan_url: Its address in the local network; empty if only this machine reaches it.
        host_names: The names by which browsers may call it, beside those of this machine;
            commas separate them.
        costs: What the choices cost; those of the runner by default.
        past: The events of this desk before this one.
        start_next: Opens the next event of this desk; refuses it with a RefusedError.
        published: Where the files for spectators are published, with a slash at its end; empty
            for nowhere.
    """
    receiver = receiver or WireReceiver(store)
    streams = EventStreams(runner)
    public = PublicPages(store, runner, streams, access, lan_url, costs, past, published)
    organiser = OrganiserPages(store, receiver, access, runner, lan_url, past, start_next)
    routes: list[BaseRoute] = [
        *EventRoutes(runner, streams, access).list_routes(),
        *JournalRoutes(receiver, runner, KioskRequests(runner, streams)).list_routes(),
        *PictureRoutes(store, runner, access).list_routes(),
        *public.list_routes(),
        *(PastPages(past).list_routes() if past else ()),
        *(SnapshotRoutes(publisher).list_routes() if publisher else ()),
        *organiser.list_routes(),
        Route(f"{ROOT}/{{path:path}}", _answer_page_file, methods=["GET"]),
    ]
    refusals = RefusalPages()
    handlers = dict.fromkeys((HTTPException, RefusedError, Exception), refusals.answer_error)
    app = Starlette(routes=routes, exception_handlers=handlers)
    headers = {OPEN_HEADER: OPEN_WARNING} if store.is_open else {}
    if published:
        # Pages ask whether it can be reached.
        where = urlsplit(published)
        headers[_POLICY] = f"{_SAFE[_POLICY]}; connect-src 'self' {where.scheme}://{where.netloc}"
    names = OwnNames(parse_host_names(host_names), _HOST_NAMES_OPTION, takes_internet=True)
    return TournamentApp(refusals.guard(app, names), headers, streams)


class TournamentApp:
    """The application of one server, which adds headers to every answer."""

    def __init__(self, app: ASGIApp, headers: dict[str, str], streams: EventStreams) -> None:
        self._app = app
        # As bytes, which they are in every answer; no handler sets one of them.
        self._headers = [
            (name.lower().encode(), value.encode()) for name, value in {**_SAFE, **headers}.items()
        ]
        # Ends what would not end by itself; for the event loop of a server that stops.
        self.end_streams = streams.end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *self._headers]
            await send(message)

        await self._app(scope, receive, send_with_headers)


class DeskApp:
    """Answers as the application of the open event does, one event after the other."""

    def __init__(self, app: TournamentApp) -> None:
        self._app = app
        self._loop: asyncio.AbstractEventLoop | None = None

    def replace(self, app: TournamentApp) -> None:
        """Answer as another event; streams of the one before end. Any thread may call it."""
        before, self._app = self._app, app
        if self._loop is not None:
            self._loop.call_soon_threadsafe(before.end_streams)

    def end_streams(self) -> None:
        """End what would not end by itself; for the event loop of a server that stops."""
        self._app.end_streams()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self._loop = asyncio.get_running_loop()
        await self._app(scope, receive, send)


async def _answer_page_file(request: Request) -> Response:
    answer = answer_page_file(request.path_params["path"], request.headers.get)
    if answer is None:
        raise HTTPException(404)
    return Response(*answer)
