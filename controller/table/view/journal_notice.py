# SPDX-License-Identifier: MIT
"""
What everybody at the table must know of its journal: restored, rolled back, not remembered.

The notice stands on the screen until a game that began under it is left, so that whoever sits
down next has seen it. The entry stays for good.
"""

from __future__ import annotations

from controller.table.state import JournalNews
from controller.table.view.types import NoticeView


def show_journal_news(news: JournalNews | None) -> NoticeView | None:
    """Return the notice about the journal; `None` if there is no news, or of an unknown kind."""
    if news is None:
        return None
    if news.kind == "rollback":
        mend = "Signed games are missing or changed. The journal keeps this entry."
        return {"kind": "fault", "text": _describe_rollback(news), "mend": mend}
    if news.kind == "restored":
        day = str(news.body.get("made_at", ""))[:10]
        text = f"The games come from a backup{f' of {day}' if day else ''}."
        mend = "Games that were played after it are not in the journal."
        return {"kind": "info", "text": text, "mend": mend}
    text = "The table does not remember what it signed before."
    mend = "Compare the journal with a checkpoint that somebody kept."
    return {"kind": "info", "text": text, "mend": mend}


def _describe_rollback(news: JournalNews) -> str:
    if news.body.get("how") == "older":
        return f"The journal ends before the {news.body.get('size')} entries that were signed here."
    return "The journal is not the one that was signed here."
