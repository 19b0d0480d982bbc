# SPDX-License-Identifier: MIT
"""The table as other programs get it; `openapi.json` and `docs/api.md` describe every key."""

from __future__ import annotations

from controller.integrations.api.entry_views import ShowName
from controller.table.view.types import Snapshot


def view_table(
    view: Snapshot, request: dict[str, object] | None, last: str, show_name: ShowName
) -> dict[str, object]:
    """
    Return the table now.

    Args:
        view: As a watcher sees it, so that no secret choice is in it.
        request: The open request for dice, from `EntryQueries.find_open_request`.
        last: The id of the newest event, after which a stream continues this state.
        show_name: As in `EntryViews`.
    """
    names = [player["name"] for player in view["players"]]
    # These texts name the players as they sat down, so they cannot hide or rename anybody.
    hides_texts = any(show_name(name) != name for name in names)
    return {
        "phase": view["phase"],
        "game": view["game"],
        "title": view["title"],
        "headline": "" if hides_texts else view["headline"],
        "hint": "" if hides_texts else view["hint"],
        "progress": view["progress"],
        "players": [
            {
                "name": show_name(player["name"]) or None,
                "state": player["state"],
                "total": player["total"],
                "winner": player["winner"],
                "opponent": player["opponent"] or None,
            }
            for player in view["players"]
        ],
        "dice": [
            {
                "face": die["face"],
                "polarity": die["polarity"],
                "colour": die["colour"],
                "placed": die["placed"],
            }
            for die in view["dice"]
        ],
        "dice_wanted": view["dice_wanted"],
        "doubts": [{"kind": doubt["kind"], "text": doubt["text"]} for doubt in view["doubts"]],
        "fault": view["fault"],
        "request": request,
        "last_event": last,
        "training": view["training"],
    }
