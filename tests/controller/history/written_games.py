# SPDX-License-Identifier: MIT
"""Games of Choice and Würfelspiel in a journal, with the entries that a test names."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from controller.games.contract import Options
from controller.history.history import TableHistory
from controller.journal.hashchain import Body
from tests.support.random_journal import RandomGame, WrittenJournal, lying

GENESIS: Body = {"format": 2, "software": "dicebell 1.2"}


def begin_journal() -> WrittenJournal:
    journal = WrittenJournal()
    journal.add("genesis", GENESIS)
    return journal


def add_game(
    journal: WrittenJournal, *players: str, game: str = "choice", options: Options | None = None
) -> None:
    body: Body = {"game": game, "players": list(players), "options": dict(options or {})}
    journal.add("game", body)


def add_roll(journal: WrittenJournal, by: str, faces: str, **more: str) -> None:
    body: Body = {"by": by, "held": "", "roll": faces, "by_hand": "", "picture": "", **more}
    journal.add("roll", {**body, "lie": lying(list(faces)), "doubts": []})


def add_action(journal: WrittenJournal, by: str, do: str, *, at_ms: int | None = None) -> None:
    journal.add("action", {"by": by, "do": do}, at_ms=at_ms)


def add_finished(
    journal: WrittenJournal, names: Sequence[str], game: str = "choice", *, seed: int = 0
) -> dict[str, int]:
    """Play a game to its end and close it; return the totals."""
    played = RandomGame(
        journal, game, names=tuple(names), players=len(names), seed=seed, mischief=0
    )
    totals = played.play().totals()
    journal.add("closed")
    return totals


def open_history(journal: WrittenJournal, folder: Path) -> TableHistory:
    """Write the journal, and read all of it."""
    journal.write(folder)
    history = TableHistory(folder)
    history.index.catch_up()
    return history
