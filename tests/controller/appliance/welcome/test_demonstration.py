# SPDX-License-Identifier: MIT
"""The demonstration is a whole game that the rules confirm, shown as any finished game."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from controller.appliance.welcome.demonstration import (
    SHOWN_GAMES,
    DemonstrationGames,
    play_demonstration,
)
from controller.base.languages.catalogue import load_catalogues
from controller.games import GAMES
from controller.journal.records.from_journal import export_record
from controller.journal.records.replay import replay


@pytest.mark.parametrize("game", SHOWN_GAMES)
def test_rules_confirm_a_demonstration(game: str) -> None:
    record = export_record(play_demonstration(game, seed=3)).encode()
    replayed = replay(record.splitlines(keepends=True))
    assert replayed.state.outcome() is not None
    again = export_record(play_demonstration(game, seed=3)).encode()
    assert again == record != export_record(play_demonstration(game, seed=5)).encode()


def test_every_game_is_shown_in_its_turn_and_language(tmp_path: Path) -> None:
    games, german = DemonstrationGames(tmp_path / "data"), load_catalogues()["de"]
    for number, game in enumerate(SHOWN_GAMES):
        view = json.loads(games.build_json(number, german))
        assert (view["game"], view["title"], view["stopped"]) == (game, GAMES[game].title, "")
        assert "gewinn" in view["result"]
        assert [step["roll"] for step in view["steps"]] == list(range(1, len(view["steps"]) + 1))
        last = view["steps"][-1]["sheets"]
        assert set(last) <= set(view["players"])
    assert not (tmp_path / "data").exists()
