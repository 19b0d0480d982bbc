# SPDX-License-Identifier: MIT
"""What the journal says of its pictures: named, since when, by which game, and deleted."""

from __future__ import annotations

from controller.app.evidence.index import EvidenceIndex, named_by
from controller.proof.hashchain import Entry, next_entry
from controller.table.effects import Body

GAME: tuple[str, Body] = ("game", {})
CLOSED: tuple[str, Body] = ("closed", {})


def roll(picture: str, clip: str = "") -> tuple[str, Body]:
    return "roll", {"picture": picture, "clip": clip}


def journal(*entries: tuple[str, Body], times_ms: tuple[int, ...] = ()) -> list[Entry]:
    made: list[Entry] = []
    for number, (kind, body) in enumerate(entries):
        at_ms = times_ms[number] if times_ms else number
        made.append(next_entry(made[-1] if made else None, at_ms=at_ms, kind=kind, body=body))
    return made


def may_go(*entries: tuple[str, Body]) -> list[str]:
    return [named.digest for named in EvidenceIndex(journal(*entries)).may_go()]


def test_an_entry_names_its_picture_and_its_clip() -> None:
    assert named_by({"picture": "a", "clip": "b"}) == ("a", "b")
    assert named_by({"picture": "", "do": "4+10/4"}) == ()


def test_the_game_on_the_table_keeps_its_pictures() -> None:
    assert may_go(GAME, roll("a"), CLOSED, GAME, roll("b", "c")) == ["a"]
    assert may_go(GAME, roll("a"), GAME, roll("b")) == ["a"]
    assert may_go(GAME, roll("a"), CLOSED, GAME, roll("b", "c"), CLOSED) == ["a", "b", "c"]


def test_a_picture_that_is_named_again_is_as_young_as_its_newest_entry() -> None:
    assert may_go(GAME, roll("a"), roll("b"), roll("a"), CLOSED) == ["b", "a"]
    assert may_go(GAME, roll("a"), roll("b"), CLOSED, GAME, roll("a")) == ["b"]


def test_what_was_deleted_is_named_no_more() -> None:
    entries = journal(GAME, roll("a"), roll("b"), CLOSED, ("deleted", {"pictures": ["a"]}))
    index = EvidenceIndex(entries)
    assert ("a" in index, "b" in index) == (False, True)
    index.note(next_entry(entries[-1], at_ms=9, kind="roll", body={"picture": "a"}))
    assert "a" in index


def test_a_clock_that_was_set_back_makes_no_picture_older_than_those_before_it() -> None:
    entries = journal(GAME, roll("a"), roll("b"), roll("c"), CLOSED, times_ms=(0, 500, 3, 700, 4))
    assert [named.at_ms for named in EvidenceIndex(entries).may_go()] == [500, 500, 700]


def test_only_what_this_journal_left_behind_is_left_over() -> None:
    index = EvidenceIndex(
        journal(GAME, roll("a"), ("deleted", {"pictures": ["b"]}), times_ms=(100, 101, 102))
    )
    assert not index.is_left_over("a", 200)
    assert index.is_left_over("b", 50)
    assert index.is_left_over("cut off", 200)
    assert not index.is_left_over("from another journal", 50)
    assert not EvidenceIndex().is_left_over("cut off", 200)
