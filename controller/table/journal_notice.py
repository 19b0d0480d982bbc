# SPDX-License-Identifier: MIT
"""
What everybody at the table must know of its journal: restored, rolled back, not remembered.

The notice stands on the screen until a game that began under it is left, so that whoever sits
down next has seen it. The entry stays for good.
"""

from __future__ import annotations

from controller.journal.hashchain import Body
from controller.table.state import JournalNotice

_MISSING = "Some that were played are missing or changed. It stays in the journal."


def describe_disclosure(kind: str, body: Body) -> JournalNotice | None:
    """Return the notice of an entry about the journal itself; `None` for any other entry."""
    if kind == "rollback":
        return JournalNotice(_describe_rollback(body), _MISSING, is_alarm=True)
    if kind == "restored":
        made_at = str(body.get("made_at", ""))[:10]
        text = f"The games come from a backup{f' of {made_at}' if made_at else ''}."
        return JournalNotice(text, "Games played after it are not in the journal.")
    if kind == "memory_lost":
        text = "The table does not remember what it signed before."
        return JournalNotice(text, "Compare the journal with a checkpoint that somebody kept.")
    return None


def _describe_rollback(body: Body) -> str:
    if body.get("how") == "older":
        return f"The journal is older than the one of {body.get('size')} entries signed here."
    return "The journal is not the one that was signed here."
