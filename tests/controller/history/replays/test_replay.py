# SPDX-License-Identifier: MIT
"""A finished game step by step: its sheets, its marks, its pictures, as the report has them."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path

import pytest

from controller.games.contract import Options
from controller.history.replays.parts import read_journal_game
from controller.history.replays.replay import ReplayStep, ReplayView, build_replay
from controller.history.report.texts import TimeFormat
from controller.journal.journal import JOURNAL_FILE
from controller.journal.picture_store import PictureStore
from controller.journal.records.from_journal import JournalGames
from tests.support.proven_game import ProvenGame, proven_game
from tests.support.random_journal import PLAYED

GAMES = (*PLAYED, ("dice", {}))


def replay_of(game: ProvenGame) -> ReplayView:
    (played,) = JournalGames(game.journal.entries)
    return build_replay(played, PictureStore(game.folder), TimeFormat(UTC))


def rolls_of(replay: ReplayView) -> list[ReplayStep]:
    return [step for step in replay["steps"] if step["roll"]]


@pytest.mark.parametrize(("game", "options"), GAMES)
def test_the_steps_lead_to_where_the_game_stands(
    tmp_path: Path, game: str, options: Options
) -> None:
    played = proven_game(tmp_path, game, options=options, events=60, mischief=0.5)
    replay, shown = replay_of(played), dict[str, int]()
    for step in replay["steps"]:
        shown |= {name: one["total"] for name, one in step["sheets"].items()}
    assert shown == played.end.totals()
    assert set(replay["steps"][0]["sheets"]) == set(replay["players"])
    kinds = [entry.kind for entry in played.journal.entries]
    numbers = [step["roll"] for step in rolls_of(replay)]
    assert numbers == list(range(1, kinds.count("roll") + 1))


def test_marked_rolls_say_what_happened_to_them(tmp_path: Path) -> None:
    played = proven_game(tmp_path, "choice", events=200, mischief=0.5)
    steps = rolls_of(replay_of(played))
    rolls = [entry.body for entry in played.journal.entries if entry.kind == "roll"]
    for step, body in zip(steps, rolls, strict=True):
        assert ("hand" in step["marks"]) == bool(body["by_hand"])
        assert ("doubt" in step["marks"]) == bool(body["doubts"])
        assert ("corrected" in step["marks"]) == bool(step["was"])
    fixes = [entry.body for entry in played.journal.entries if entry.kind == "correction"]
    corrected = [step for step in steps if "corrected" in step["marks"]]
    assert corrected
    assert "".join(str(die["face"]) for die in corrected[-1]["faces"]) == fixes[-1]["roll"]
    assert any("Eva" in note for note in corrected[-1]["notes"])


def test_every_roll_names_its_own_picture(tmp_path: Path) -> None:
    played = proven_game(tmp_path, "choice")
    named = [step["picture"]["digest"] for step in rolls_of(replay_of(played))]
    assert named == list(played.pictures)


def test_a_game_is_read_from_its_first_byte(tmp_path: Path) -> None:
    played = proven_game(tmp_path, "choice")
    (whole,) = JournalGames(played.journal.entries)
    raw = (tmp_path / JOURNAL_FILE).read_bytes()
    first_byte = raw.index(b"\n", raw.index(b'"kind":"key"')) + 1
    assert read_journal_game(tmp_path, 1, first_byte) == whole
    assert read_journal_game(tmp_path, 1, 0) is None
    with (tmp_path / JOURNAL_FILE).open("ab") as file:
        file.write(b'{"at_ms":179')  # the table writes its next entry
    assert read_journal_game(tmp_path, 1, first_byte) == whole
