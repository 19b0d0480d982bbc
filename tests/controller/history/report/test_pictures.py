# SPDX-License-Identifier: MIT
"""What a report shows of a stored picture, and what it says of one that is gone."""

from __future__ import annotations

import base64
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.history.report.pictures import ReportPictures, find_deletion_days
from tests.support.proven_game import PICTURE_WH, ProvenGame, proven_game
from tests.support.random_journal import WrittenJournal


def pictures_of(game: ProvenGame, *deleted: str) -> ReportPictures:
    return ReportPictures(game.evidence, dict.fromkeys(deleted, "2026-11-21"))


def test_the_stored_bytes_are_shown_as_they_are(tmp_path: Path) -> None:
    game = proven_game(tmp_path, events=2)
    shown = pictures_of(game).picture(game.pictures[0], (0, 0))
    kind, _, content = shown.uri.partition(",")
    assert kind == "data:image/jpeg;base64"
    assert base64.b64decode(content) == game.evidence.picture_path(game.pictures[0]).read_bytes()
    assert (shown.width_px, shown.height_px, shown.said) == (*PICTURE_WH, "")


def test_pictures_beyond_the_room_of_a_report_are_left_out(tmp_path: Path) -> None:
    game = proven_game(tmp_path, events=6)
    sizes = [game.evidence.picture_path(each).stat().st_size for each in game.pictures[:2]]
    pictures = ReportPictures(game.evidence, {}, most_bytes=sum(sizes) - 1)
    first, second = (pictures.picture(digest, (7, 9)) for digest in game.pictures[:2])
    assert (first.said, pictures.counts["shown"]) == ("", 1)
    assert second.said.startswith("The pictures above fill the report")
    assert (second.uri, second.width_px, pictures.counts["left out"]) == ("", 7, 1)
    assert pictures.counts["missing"] == 0


def test_a_picture_is_shown_once(tmp_path: Path) -> None:
    game = proven_game(tmp_path, events=2)
    pictures = pictures_of(game)
    pictures.picture(game.pictures[0], (0, 0))
    again = pictures.picture(game.pictures[0], (0, 0))
    assert (again.uri, again.said) == ("", "This picture is shown above.")
    assert pictures.counts["shown"] == 1


def test_a_deleted_picture_says_when_it_was_deleted(tmp_path: Path) -> None:
    game = proven_game(tmp_path, events=2)
    game.evidence.picture_path(game.pictures[0]).unlink()
    pictures = pictures_of(game, game.pictures[0])
    gone = pictures.picture(game.pictures[0], (400, 200))
    assert (gone.uri, gone.said) == ("", "Picture deleted on 2026-11-21.")
    assert (gone.width_px, gone.height_px) == (400, 200)
    assert pictures.counts["deleted"] == 1


def replace_by_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def add_a_byte(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\x00")


@pytest.mark.parametrize(
    ("harm", "said", "counted"),
    [
        (Path.unlink, "The picture is missing.", "missing"),
        (replace_by_pipe, "The picture cannot be read: Not a regular file", "missing"),
        (add_a_byte, "The stored picture is not the one that was journalled.", "changed"),
    ],
)
def test_a_picture_that_was_harmed_is_not_shown(
    tmp_path: Path, harm: Callable[[Path], None], said: str, counted: str
) -> None:
    game = proven_game(tmp_path, events=2)
    harm(game.evidence.picture_path(game.pictures[0]))
    pictures = pictures_of(game)
    gone = pictures.picture(game.pictures[0], (0, 0))
    assert (gone.uri, gone.said, pictures.counts[counted]) == ("", said, 1)


def test_a_clip_is_only_named_and_says_if_it_is_gone(tmp_path: Path) -> None:
    game = proven_game(tmp_path, events=1)
    clip = game.evidence.store_clip(b"RIFF")
    pictures = pictures_of(game, "ab" * 32)
    assert pictures.clip_note(clip) == pictures.clip_note("") == ""
    assert pictures.clip_note("ab" * 32) == "deleted on 2026-11-21"
    assert pictures.clip_note("cd" * 32) == "missing"
    game.evidence.clip_path(clip).write_bytes(b"RIFE")
    assert pictures.clip_note(clip) == "not the one that was journalled"


def test_no_digest_is_no_picture(tmp_path: Path) -> None:
    assert pictures_of(proven_game(tmp_path, events=1)).picture("", (0, 0)).said.startswith("No ")


@pytest.mark.parametrize("name", ["ab", "\0", "/"])
def test_a_name_that_no_picture_can_have_is_not_followed(tmp_path: Path, name: str) -> None:
    game = proven_game(tmp_path, events=1)
    (tmp_path / "holiday.jpg").write_bytes(b"somebody's own")
    (tmp_path / "holiday.avi").write_bytes(b"somebody's own")
    forged = str(tmp_path / "holiday") if name == "/" else name
    pictures = pictures_of(game)
    picture = pictures.picture(forged, (0, 0))
    assert (picture.uri, picture.said) == ("", "What the journal names is no picture's name.")
    assert pictures.counts["missing"] == 1
    assert pictures.clip_note(forged) == "missing"


def test_the_journal_says_on_which_day_pictures_were_deleted() -> None:
    journal = WrittenJournal()
    one, other, third = (letter * 64 for letter in "abc")
    journal.add(
        "deleted", {"pictures": [one, other, "no digest"], "why": "age", "on": "2026-01-02"}
    )
    journal.add("deleted", {"pictures": [third], "why": "size", "on": "2026-01-03"})
    expected = {one: "2026-01-02", other: "2026-01-02", third: "2026-01-03"}
    assert find_deletion_days(journal.entries) == expected
