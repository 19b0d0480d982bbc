# SPDX-License-Identifier: MIT
"""What opponents chose is repeated, and told where it does not follow."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.coach import coaches
from controller.journal.hashchain import Body, Entry
from controller.table.journal_entries import restore_from_journal
from controller.table.state import TableState, require_game
from tests.support.opponent_table import findings_of, give_coaches, played

FIND_COACH = coaches.find_coach


@pytest.fixture(autouse=True)
def all_games_have_coaches(monkeypatch: pytest.MonkeyPatch) -> None:
    give_coaches(monkeypatch)


def with_opponent(start: Entry, *, t_steps: int) -> Entry:
    """Return the start of a game in which Pia plays by other weights."""
    pia: Body = {"name": "Pia", "grade": "strong", "t_steps": t_steps, "weights": "ab" * 32}
    return replace(start, body={**start.body, "opponents": [pia]})


def test_another_choice_is_reported() -> None:
    table = played("choice", "Ada", "Pia", steps=30)
    entries = table.journal.entries
    lines = [n for n, e in enumerate(entries) if e.kind == "action" and e.body["by"] == "Pia"]
    at, entry = lines[2], entries[lines[2]]
    state = restore_from_journal(TableState(), entries[:at])
    others = [one for one in require_game(state).legal_actions("Pia") if one != entry.body["do"]]
    found = set()
    for other in others:
        changed = [*entries[:at], replace(entry, body={**entry.body, "do": other})]
        found |= set(findings_of(changed))
    assert ("opponent", at + 1) in found


def test_dice_that_an_opponent_keeps_are_repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coaches, "find_coach", FIND_COACH)
    entries = played("wuerfelspiel", "Ada", "Pia", steps=12).journal.entries
    assert findings_of(entries) == []
    at = next(n for n, e in enumerate(entries) if str(e.body.get("do")).startswith("hold"))
    state = restore_from_journal(TableState(), entries[:at])
    found = set()
    for other in require_game(state).legal_actions("Pia"):
        if other != entries[at].body["do"]:
            body: Body = {**entries[at].body, "do": other}
            found |= set(findings_of([*entries[:at], replace(entries[at], body=body)]))
    assert ("opponent", at + 1) in found


def test_other_weights_are_a_note() -> None:
    entries = played("choice", "Ada", "Pia", steps=20).journal.entries
    assert findings_of([with_opponent(entries[0], t_steps=6_000), *entries[1:]]) == [
        ("opponent not checked", next(n for n, e in enumerate(entries, 1) if _is_of_pia(e)))
    ]


def test_a_game_entry_with_broken_opponents_is_refused() -> None:
    entries = played("choice", "Ada", "Pia", steps=5).journal.entries
    assert findings_of([with_opponent(entries[0], t_steps=0)]) == [("rules", 1)]


def _is_of_pia(entry: Entry) -> bool:
    return entry.kind == "action" and entry.body["by"] == "Pia"
