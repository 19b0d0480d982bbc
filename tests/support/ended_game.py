# SPDX-License-Identifier: MIT
"""A table whose only game has just ended, with its journal, its history and its analysis."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path

from controller.coach.account import build_account
from controller.coach.account_codec import encode_account
from controller.history.history import TableHistory
from controller.history.replays.parts import HistoryParts, build_history_parts
from controller.journal.records.replay import read_record
from controller.journal.signing_key import TableKey
from controller.table.journal_entries import restore_table
from controller.table.state import TableState
from tests.controller.coach.greedy_coach import GreedyCoach
from tests.support.proven_game import GENESIS, sign
from tests.support.random_journal import RandomGame, WrittenJournal


@dataclass(frozen=True)
class EndedGame:
    """A data folder with one finished game, and the table as it shows the end."""

    folder: Path
    history: TableHistory
    state: TableState

    def parts(self) -> HistoryParts:
        """Return what the pages of its history show; the greedy coach analyses at once."""
        return build_history_parts(self.folder, self.history, UTC, compute_greedily)


def end_game(folder: Path, game: str, *names: str, seed: int = 1, **options: bool) -> EndedGame:
    journal, key = WrittenJournal(), TableKey.load_or_create(folder)
    journal.add("genesis", GENESIS)
    journal.add("key", {"key": key.public_hex})
    began = len(journal.entries)
    RandomGame(
        journal, game, names=names, players=len(names), options=options, seed=seed, mischief=0
    ).play()
    entries = [(entry.kind, entry.body) for entry in journal.entries[began:]]
    sign(journal, key)
    journal.write(folder)
    history = TableHistory(folder)
    history.index.catch_up()
    return EndedGame(folder, history, restore_table(TableState(), entries))


def compute_greedily(record: str) -> str:
    game = read_record(record.encode().splitlines(keepends=True))
    coach = GreedyCoach(game.game, equal_below=10)
    return json.dumps(encode_account(build_account(coach, game.start, game.events)))
