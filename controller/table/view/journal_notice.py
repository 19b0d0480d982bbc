# SPDX-License-Identifier: MIT
"""
The notice about a journal that was restored, was rolled back, or is not remembered.

It stays on the screen until a game that began with it is left, so that the players of that game
have seen it. The entry stays in the journal.
"""

from __future__ import annotations

from controller.languages.message import message
from controller.table.state import JournalNews
from controller.table.view.types import NoticeView


def show_journal_news(news: JournalNews | None) -> NoticeView | None:
    """Return the notice about the journal; `None` if there is no news, or of an unknown kind."""
    if news is None:
        return None
    if news.kind == "rollback":
        mend = message("Signed games are missing or changed. The journal keeps a note of it.")
        return {"kind": "fault", "text": _describe_rollback(news), "mend": mend}
    if news.kind == "restored":
        day = str(news.body.get("made_at", ""))[:10]
        text = message("The games come from a backup.")
        if day:
            text = message("The games come from a backup of {day}.", day=day)
        mend = message("Games that were played after it are not in the journal.")
        return {"kind": "info", "text": text, "mend": mend}
    text = message("The table does not remember what it signed before.")
    mend = message("Compare the journal with a checkpoint that somebody has noted.")
    return {"kind": "info", "text": text, "mend": mend}


def _describe_rollback(news: JournalNews) -> str:
    if news.body.get("how") == "older":
        size = news.body.get("size")
        return message("The journal has fewer than the {size} entries signed here.", size=size)
    return message("The journal is not the one that was signed here.")
