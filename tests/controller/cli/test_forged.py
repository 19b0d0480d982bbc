# SPDX-License-Identifier: MIT
"""A journal that somebody made up is checked, told and exported, or refused: it breaks nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from controller.cli.main import main
from controller.games import GAMES
from controller.journal.hashchain import Body, Entry, Value
from tests.support.proven_game import proven_game
from tests.support.random_journal import WrittenJournal

TEXTS = ("", "0", "13446", "w1 b2", "Ada", "<b>", "\0\n", "ab" * 32, "../../x", "x" * 5000)
LISTS: tuple[Value, ...] = ([], [1, "x"], [[]], ["13446"], [None] * 6, [-1, -1, 10**9, 10**9])
OBJECTS: tuple[Value, ...] = ({}, {"x_mpx": "a"}, {"Ada": []}, {"by": "Ada", "do": "stop"})
JUNK: tuple[Value, ...] = (
    *(None, True, 0, 1, -1, 7, 2**63, 10**20, 10**400),
    *(*TEXTS, *LISTS, *OBJECTS),
)
BESIDE: Mapping[str, Body] = {
    "restart": {"software": "dicebell 2", "camera": "usb", "settings": "", "torn": "{"},
    "key": {"key": "ab" * 32},
    "calibration": {"calibration": "{}"},
    "deleted": {"pictures": ["ab" * 32], "why": "age", "on": "2026-11-22"},
    "checkpoint": {"size": 3, "root": "ab" * 32, "signature": "A" * 86, "key": "ab" * 32},
    "correction": {"by": "Eva", "reason": "", "was": "", "roll": "", "picture": "", "undone": []},
    "review": {"by": "Ben"},
    "reviewed": {"outcome": "stands"},
    "undo": {"by": "Ada", "do": "stop"},
    "fault": {"device": "camera", "what": "It is gone."},
    "closed": {},
    "never heard of": {"by": "Ada"},
}
"""What a forger puts between the entries."""

ODD_MS = (0, -1, 10**14, 10**17, -(10**17), 10**300)


def forged(value: Value, chance: random.Random) -> Value:
    """Return a value with something in it gone, there twice, or another one."""
    if isinstance(value, Mapping) and value and chance.random() < 0.9:
        key = chance.choice(sorted(value))
        others = {name: part for name, part in value.items() if name != key}
        return others if chance.random() < 0.15 else {**others, key: forged(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.7:
        place = chance.randrange(len(value))
        instead = [forged(value[place], chance)] * chance.choice((0, 1, 1, 1, 2))
        return [*value[:place], *instead, *value[place + 1 :]]
    return chance.choice(JUNK)


def made_up(entries: Sequence[Entry], chance: random.Random) -> Iterator[Entry]:
    """Yield entries of which some are gone, moved, changed, or not from here."""
    for entry in entries:
        way = chance.random()
        if way < 0.04:
            kind = chance.choice(sorted(BESIDE))
            body = forged(BESIDE[kind], chance)
            yield replace(entry, kind=kind, body=body if isinstance(body, Mapping) else {})
        if way < 0.12:
            body = forged(entry.body, chance)
            yield replace(entry, body=body if isinstance(body, Mapping) else {})
        elif way < 0.14:
            yield replace(entry, at_ms=chance.choice(ODD_MS))
        elif way > 0.02:
            yield entry


@settings(
    deadline=None, max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(game=st.sampled_from(sorted(GAMES)), seed=st.integers(0, 2**32))
def test_whatever_stands_in_it(tmp_path: Path, game: str, seed: int) -> None:
    chance, journal = random.Random(seed), WrittenJournal()
    jokers = {"jokers": True} if game == "choice" and chance.random() < 0.5 else None
    honest = proven_game(tmp_path, game, options=jokers, events=12, seed=seed, mischief=0.5)
    for entry in made_up(honest.journal.entries, chance):
        journal.add(entry.kind, entry.body, at_ms=entry.at_ms)
    journal.write(tmp_path)
    data, output = str(tmp_path), str(tmp_path / "answer")
    assert main(["verify", data]) in (0, 1, 2)
    assert main(["report", data, "--output", output]) in (0, 1, 2)
    assert main(["export", data, "--output", output]) in (0, 2)
