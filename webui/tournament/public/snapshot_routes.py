# SPDX-License-Identifier: MIT
"""The files of an event for the world, which any cache may keep for some seconds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from controller.base.languages.catalogue import load_catalogues
from controller.base.languages.codes import ENGLISH
from controller.base.languages.message import Message, message
from controller.base.packed_file import PackedFile
from controller.tournament.results.public_files import EVENT_FILE, STANDINGS_FILE
from controller.tournament.results.publisher import EventPublisher, Views
from controller.tournament.results.result_sheet import format_score, name_unit
from webui.file_answers import answer_packed
from webui.page_files import FOLDER, join_style
from webui.tournament.page_language import render_text

INDEX_FILE, SCRIPT_FILE = "index.html", "live.js"
MAX_AGE_S = 5  # How long a cache may show a public file without asking.
MOST_ROWS = 500  # Of the standings on the page; all of them are in the file.
_SCRIPT = FOLDER / "js" / "event_public.js"
_STYLES = FOLDER / "css" / "event_public.css"
_PUBLIC = {"Cache-Control": f"public, max-age={MAX_AGE_S}", "Access-Control-Allow-Origin": "*"}


class SnapshotRoutes:
    """The addresses below `/public`."""

    def __init__(self, publisher: EventPublisher) -> None:
        self._publisher = publisher

    def list_routes(self) -> list[Route]:
        return [
            Route("/public/", self._answer, methods=["GET"]),
            Route("/public/{name}", self._answer, methods=["GET"]),
        ]

    async def _answer(self, request: Request) -> Response:
        files = self._publisher.files
        if not files:
            again = {"Retry-After": "1", "Cache-Control": "no-store"}
            raise HTTPException(503, message("nothing is public yet; try again"), again)
        file = files.get(request.path_params.get("name", INDEX_FILE))
        if file is None:
            names = ", ".join(sorted(files))
            raise HTTPException(
                404, message("expected one of {names}, found another name", names=names)
            )
        return answer_file(request, file, _PUBLIC)


def answer_file(request: Request, file: PackedFile, headers: Mapping[str, str]) -> Response:
    """Return a file, compressed if the client wants it, or 304 if the client has it."""
    return Response(*answer_packed(file, headers, request.headers.get))


def render_public_pages(views: Views, about: Message) -> Mapping[str, str]:
    """Return the page of the event in every language and its script, by the names of the files."""
    event, standings = views[EVENT_FILE], views[STANDINGS_FILE]
    shown = [
        {
            **row,
            "text": format_score(row["score"], standings["unit"]),
            "groups": _list_groups(row),
        }
        for row in standings["rows"][:MOST_ROWS]
    ]
    teams = [
        {**team, "text": format_score(team["score"], standings["unit"])}
        for team in standings.get("teams", ())
    ]
    values = {
        "styles": join_style(_STYLES),
        "event": event,
        "about": about,
        "rows": shown,
        "teams": teams,
        "unit": name_unit(standings["unit"]),
        "most_tables": MOST_ROWS,
        "left_out": len(standings["rows"]) - len(shown),
        "files": {code: name_index(code) for code in load_catalogues()},
    }
    pages = {
        name_index(code): render_text("event_public.html", catalogue, values)
        for code, catalogue in load_catalogues().items()
    }
    return {**pages, SCRIPT_FILE: _SCRIPT.read_text()}


def _list_groups(row: Mapping[str, Any]) -> list[str]:
    """Return the section of a player with the place in it, and the team."""
    section = row.get("section", "")
    if section and row["has_place"]:
        about = {"place": row["section_place"], "section": section}
        section = message("place {place} in {section}", **about)
    return [*filter(None, (section, row.get("team", "")))]


def name_index(code: str) -> str:
    """Return the name of the page in a language, such as index.de.html."""
    return INDEX_FILE if code == ENGLISH else f"index.{code}.html"
