# SPDX-License-Identifier: MIT
"""What the journal says of its pictures: named, since when, by which game, and deleted."""

from __future__ import annotations

import json

from controller.journal.hashchain import Body, Entry, build_next_entry
from controller.journal.picture_index import PictureIndex

GAME: tuple[str, Body] = ("game", {})
CLOSED: tuple[str, Body] = ("closed", {})
A, B, C = (letter * 64 for letter in "abc")


def roll(picture: str, clip: str = "") -> tuple[str, Body]:
    return "roll", {"picture": picture, "clip": clip}


def journal(*entries: tuple[str, Body], times_ms: tuple[int, ...] = ()) -> list[Entry]:
    made: list[Entry] = []
    for number, (kind, body) in enumerate(entries):
        at_ms = times_ms[number] if times_ms else number
        made.append(build_next_entry(made[-1] if made else None, at_ms=at_ms, kind=kind, body=body))
    return made


def deletable(*entries: tuple[str, Body]) -> list[str]:
    return [named.digest for named in PictureIndex(journal(*entries)).deletable()]


def test_the_game_on_the_table_keeps_its_pictures() -> None:
    assert deletable(GAME, roll(A), CLOSED, GAME, roll(B, C)) == [A]
    assert deletable(GAME, roll(A), GAME, roll(B)) == [A]
    assert deletable(GAME, roll(A), CLOSED, GAME, roll(B, C), CLOSED) == [A, B, C]


def test_a_picture_is_as_young_as_its_newest_entry() -> None:
    assert deletable(GAME, roll(A), roll(B), roll(A), CLOSED) == [B, A]
    assert deletable(GAME, roll(A), roll(B), CLOSED, GAME, roll(A)) == [B]


def test_what_was_deleted_is_named_no_more() -> None:
    entries = journal(GAME, roll(A), roll(B), CLOSED, ("deleted", {"pictures": [A]}))
    index = PictureIndex(entries)
    assert (A in index, B in index) == (False, True)
    index.add_entry(build_next_entry(entries[-1], at_ms=9, kind="roll", body={"picture": A}))
    assert A in index


def test_a_clock_set_back_makes_no_picture_older() -> None:
    entries = journal(GAME, roll(A), roll(B), roll(C), CLOSED, times_ms=(0, 500, 3, 700, 4))
    assert [named.passed_ms for named in PictureIndex(entries).deletable()] == [500, 500, 1197]


def test_only_what_an_entry_calls_deleted_is_called_so() -> None:
    index = PictureIndex(journal(GAME, roll(A), ("deleted", {"pictures": [A, B]}), roll(A)))
    assert [index.is_marked_deleted(digest) for digest in (A, B, C)] == [False, True, False]


def test_the_ground_in_use_is_never_deleted() -> None:
    ground: tuple[str, Body] = ("background", {"picture": A})
    learnt: tuple[str, Body] = ("table_model", {"table_model": "text"})
    played: tuple[str, Body] = ("roll", {"picture": B, "background": A})
    forgotten: tuple[str, Body] = ("table_model", {"table_model": None})
    other: tuple[str, Body] = ("background", {"picture": C})
    assert deletable(ground, learnt, GAME, played, CLOSED) == [B]
    assert deletable(ground, learnt, GAME, played, CLOSED, other) == [A, B]
    assert deletable(ground, learnt, GAME, played, CLOSED, forgotten) == [A, B]


def test_pictures_that_a_table_was_taught_by_are_named_and_stay() -> None:
    text = json.dumps({"taught": [{"picture": A}, {"picture": "x"}, 5], "played": [{"picture": C}]})
    index = PictureIndex(journal(("table_model", {"table_model": text}), GAME, roll(B), CLOSED))
    assert [digest in index for digest in (A, B, C)] == [True, True, False]
    assert [named.digest for named in index.deletable()] == [B]
    for broken in ("[", "[]", '{"taught":4}', None):
        index.add_entry(
            build_next_entry(None, at_ms=9, kind="table_model", body={"table_model": broken})
        )
    assert A in index
