# SPDX-License-Identifier: MIT
"""What the rules do not allow is found, also where chain and signatures are sound."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from controller.games.contract import Options
from controller.journal.hashchain import Body, Entry, Value
from controller.journal.signing_key import TableKey
from controller.verify.findings import FindingKind
from controller.verify.verify import VerifyResult
from tests.controller.verify.journals import (
    SignedJournal,
    breaks_of,
    checked,
    edited,
    kinds_of,
    notes_of,
    places_of,
    relinked,
)
from tests.support.random_journal import PLAYED, RandomGame


@pytest.fixture
def key(tmp_path: Path) -> TableKey:
    return TableKey.load_or_create(tmp_path)


def game_of(key: TableKey, game: str, *, options: Options | None = None) -> SignedJournal:
    """Return a journal with a whole game and all that happens beside it."""
    journal = SignedJournal(key)
    RandomGame(journal, game, options=options, seed=4).play()
    return journal


def forged(tmp_path: Path, entries: list[Entry]) -> VerifyResult:
    """Check a journal of these entries whose chain is sound, and that nobody signed."""
    return checked(tmp_path, relinked(entries))


def line_of(entries: list[Entry], kind: str) -> int:
    return next(place for place, entry in enumerate(entries, start=1) if entry.kind == kind)


@pytest.mark.parametrize(("game", "options"), PLAYED)
def test_a_wrong_result_is_told(tmp_path: Path, key: TableKey, game: str, options: Options) -> None:
    entries = game_of(key, game, options=options).entries
    place = next(i for i, entry in enumerate(entries) if "result" in entry.body)
    result = entries[place].body["result"]
    assert isinstance(result, Mapping)
    totals = result["totals"]
    assert isinstance(totals, Mapping)
    wrong: Body = {**result, "totals": {**totals, "Ada": 1000}}
    entries[place] = replace(entries[place], body={**entries[place].body, "result": wrong})
    examined = forged(tmp_path, entries)
    assert places_of(examined) == [(FindingKind.RESULT, place + 1)]
    (finding,) = breaks_of(examined)
    assert "Ada 1000" in finding.found
    assert f"Ada {totals['Ada']}" in finding.expected


def test_a_roll_in_a_game_left_for_later_is_told(tmp_path: Path, key: TableKey) -> None:
    entries = game_of(key, "choice").entries
    place = [each.kind for each in entries].index("action")
    parked, continued = (
        replace(entries[0], kind=kind, body={}) for kind in ("parked", "continued")
    )
    left = [*entries[:place], parked, continued, *entries[place:]]
    assert places_of(forged(tmp_path, left)) == []
    left[place : place + 3] = [parked, entries[place], continued]
    assert places_of(forged(tmp_path, left)) == [(FindingKind.RULES, place + 2)]


def test_a_result_before_the_end_and_none_at_the_end_are_told(
    tmp_path: Path, key: TableKey
) -> None:
    entries = game_of(key, "black-n-white").entries
    last = next(i for i, entry in enumerate(entries) if "result" in entry.body)
    without = {name: value for name, value in entries[last].body.items() if name != "result"}
    result = entries[last].body["result"]
    early = edited(entries, "roll", lambda body: {**body, "result": result})
    assert places_of(forged(tmp_path, early))[0] == (FindingKind.RESULT, line_of(entries, "roll"))
    entries[last] = replace(entries[last], body=without)
    assert places_of(forged(tmp_path, entries)) == [(FindingKind.RESULT, last + 1)]


def test_a_roll_that_its_own_dice_do_not_make_is_told(tmp_path: Path, key: TableKey) -> None:
    journal = SignedJournal(key)
    RandomGame(journal, "wuerfelspiel", seed=1, mischief=0.0).play(1)
    roll = journal.entries[-1]
    faces = sorted(str(roll.body["roll"]))
    other = "".join(["1" if faces[0] != "1" else "2", *faces[1:]])
    entries = edited(journal.entries, "roll", lambda body: {**body, "roll": other})
    (finding,) = breaks_of(forged(tmp_path, entries))
    assert (finding.kind, finding.line) == (FindingKind.RULES, 4)
    assert (finding.expected, finding.found) == (" ".join(faces), " ".join(sorted(other)))


@pytest.mark.parametrize(("game", "options"), PLAYED)
def test_an_illegal_action_ends_the_replay_of_its_game_only(
    tmp_path: Path, key: TableKey, game: str, options: Options
) -> None:
    journal = game_of(key, game, options=options)
    RandomGame(journal, game, options=options, seed=5).play()
    entries = edited(journal.entries, "action", lambda body: {**body, "do": "cheat"})
    line = line_of(entries, "action")
    (finding,) = breaks_of(forged(tmp_path, entries))
    assert (finding.kind, finding.line, finding.game) == (FindingKind.RULES, line, 1)
    assert finding.found.startswith("cheat by ")
    assert finding.expected


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("undo", {"do": "another"}),
        ("undo", {"by": "Nobody"}),
        ("correction", {"was": "w1 b1"}),
        ("correction", {"undone": [{"by": "Ada", "do": "stop"}, {"by": "Ada", "do": "stop"}]}),
        ("correction", {"roll": "w9 b9"}),
    ],
)
def test_what_was_taken_back_or_corrected_must_be_what_was_there(
    tmp_path: Path, key: TableKey, kind: str, change: Body
) -> None:
    journal = SignedJournal(key)
    for seed in range(4):
        RandomGame(journal, "black-n-white", seed=seed, mischief=0.6).play()
    entries = journal.entries
    changed = edited(entries, kind, lambda body: {**body, **change})
    found = breaks_of(forged(tmp_path, changed))
    assert (FindingKind.RULES, line_of(entries, kind)) in [(one.kind, one.line) for one in found]


def test_nothing_of_a_game_stands_outside_of_one(tmp_path: Path, key: TableKey) -> None:
    journal = SignedJournal(key)
    journal.add("action", {"by": "Ada", "do": "stop"})
    assert places_of(forged(tmp_path, journal.entries)) == [(FindingKind.RULES, 3)]


def test_a_break_ends_the_replay_of_a_game_but_not_of_the_next(
    tmp_path: Path, key: TableKey
) -> None:
    journal = game_of(key, "choice")
    RandomGame(journal, "choice", seed=5).play()
    lines = journal.lines()
    lines[5] = b"rubbish"
    examined = checked(tmp_path, lines)
    assert kinds_of(breaks_of(examined)) == {FindingKind.NO_ENTRY}
    assert [note.what for note in notes_of(examined) if note.kind is FindingKind.NOT_REPLAYED] == [
        "game 1 is not replayed from here on, since the chain is broken"
    ]
    place = max(i for i, entry in enumerate(journal.entries) if entry.kind == "action")
    entry = journal.entries[place]
    journal.entries[place] = replace(entry, body={**entry.body, "do": "cheat"})
    lines = relinked(journal.entries)
    lines[5] = b"rubbish"
    found = breaks_of(checked(tmp_path, lines))
    assert (FindingKind.RULES, place + 1, 2) in [(one.kind, one.line, one.game) for one in found]


def test_whatever_an_entry_says_a_check_comes_to_its_end(tmp_path: Path, key: TableKey) -> None:
    entries = game_of(key, "choice", options={"jokers": True}).entries[:60]
    chance = random.Random(1)
    odd: tuple[Value, ...] = (None, True, -1, 10**400, "", "7", [], [[]], {}, {"a": [1]}, [[[[7]]]])
    for _ in range(150):
        place = chance.randrange(2, len(entries))
        body = dict(entries[place].body)
        if not body:
            continue
        body[chance.choice(list(body))] = chance.choice(odd)
        changed = [*entries[:place], replace(entries[place], body=body), *entries[place + 1 :]]
        # Every line is told as part of the journal, whatever stands in it.
        assert forged(tmp_path, changed).entries == len(entries)


def test_a_wrong_result_of_an_early_end_is_told(tmp_path: Path, key: TableKey) -> None:
    journal = SignedJournal(key)
    position = RandomGame(journal, "choice", seed=4, mischief=0.0).play(7)
    best = max(position.totals().values())
    winners = [name for name, total in position.totals().items() if total == best]
    losers = [name for name in position.players if name not in winners]
    result: Body = {"totals": position.totals(), "winners": winners, "losers": losers}
    journal.add("counted", {"by": "Ada", "result": result})
    journal.add("undo", {"by": "Ada", "do": "count"})
    sound = list(journal.entries)
    assert breaks_of(forged(tmp_path, sound)) == []
    wrong = edited(sound, "counted", lambda body: {**body, "result": {**result, "losers": []}})
    assert places_of(forged(tmp_path, wrong)) == [(FindingKind.RESULT, len(sound) - 1)]
