# SPDX-License-Identifier: MIT
"""Pictures of rolls as tables sent them: for officials all, for everybody those of the event."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.base.languages.message import message
from controller.journal.picture_refs import is_digest
from controller.runtime.access.tickets import AccessControl
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.store.box_queries import read_picture
from controller.tournament.server.store.store import JournalStore
from controller.tournament.state.state import EventState
from webui.tournament.official_session import is_official


class PictureRoutes:
    """The address of pictures."""

    def __init__(self, store: JournalStore, runner: EventRunner, access: AccessControl) -> None:
        self._store = store
        self._runner = runner
        self._access = access

    def list_routes(self) -> list[Route]:
        return [Route("/pictures/{digest}", self._show, methods=["GET"])]

    async def _show(self, request: Request) -> Response:
        digest = request.path_params["digest"]
        if not is_digest(digest):
            raise HTTPException(404, message("expected 64 hexadecimal digits"))
        is_public = self._runner.read(lambda state: is_shown(state, digest))
        if not is_public and not is_official(request, self._access):
            raise HTTPException(404, message("expected the picture of a roll of the event"))
        content = await run_in_threadpool(
            self._store.read, lambda connection: read_picture(connection, digest)
        )
        if content is None:
            raise HTTPException(404, message("the table has not sent this picture yet"))
        # The name is the digest of the content, so it never changes.
        headers = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(content, media_type="image/jpeg", headers=headers)


def is_shown(state: EventState, digest: str) -> bool:
    """Return whether a picture is of a roll of the event, which everybody may see."""
    boxes = state.data.boxes
    rolls = [roll for game in state.data.games for roll in game.rolls]
    sources = [roll.source for roll in rolls]
    sources += [roll.reserve.source for roll in rolls if roll.reserve]
    return any(boxes.find_picture(source) == digest for source in sources)
