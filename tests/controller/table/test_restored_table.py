# SPDX-License-Identifier: MIT
"""A restarted table is the one that was cut off, though it does not play its old games again."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from controller.base.errors import InputError
from controller.games import GAMES
from controller.table.journal_entries import restore_from_journal
from controller.table.state import TableState
from tests.controller.games.playing import NAMES
from tests.support.random_journal import RandomGame, WrittenJournal


@pytest.mark.parametrize("seed", range(6))
def test_old_signed_games_need_not_be_played_again(seed: int) -> None:
    """A restart shows the same table, whatever it played before, and wherever it was signed."""
    chance, journal = random.Random(seed), WrittenJournal()
    for number, key in enumerate((*GAMES, *GAMES)):
        game = RandomGame(journal, key, names=NAMES[number % 4 :], seed=seed * 100 + number)
        game.play(chance.choice([0, 3, 60]))
        journal.add(*chance.choice([("closed",), ("parked",), ("memory_lost",)]))
    for end in chance.sample(range(len(journal.entries)), 5):
        entries = journal.entries[:end]
        whole = restore_from_journal(TableState(), iter(entries))
        for signed in (end // 2, end):
            assert restore_from_journal(TableState(), iter(entries), signed=signed) == whole


def test_signed_games_before_the_last_two_are_left_out() -> None:
    journal = WrittenJournal()
    for number in range(3):
        RandomGame(journal, "choice", seed=number, mischief=0).play(5)
        journal.add("closed")
    first = next(entry for entry in journal.entries if entry.kind == "roll")
    body = {**first.body, "by": "nobody who plays"}
    entries = [replace(e, body=body) if e is first else e for e in journal.entries]
    assert restore_from_journal(TableState(), entries, signed=len(entries)).setup.known_players
    with pytest.raises(InputError, match=f"entry {first.seq + 1}: expected entries that follow"):
        restore_from_journal(TableState(), entries)
