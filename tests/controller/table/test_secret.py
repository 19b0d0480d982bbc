# SPDX-License-Identifier: MIT
"""The option `secret`: choices are hidden on every other screen until everyone has confirmed."""

from __future__ import annotations

import json

from controller.table.events import ActionRequested, Key, RollCorrected
from controller.table.state import require_game
from controller.table.view.viewer import WATCHER
from tests.controller.table.test_phones import NAMES, SECRET, phone, player_state, three, view
from tests.support.table import BACK, CONFIRM, RIGHT, play, table, throw_of


class TestSecret:
    def test_nothing_of_a_choice_reaches_another_screen(self) -> None:
        state = three(secret=True)
        ready = play(state, phone("Ada", Key.RIGHT), phone("Ada", Key.RIGHT), phone("Ada"))
        for action in (choice["action"] for choice in view(state, "Ada")["choices"]):
            other = play(state, ActionRequested("Ada", action))
            for viewer in ("", "Ben", "Cleo", WATCHER):
                assert view(other, viewer) == view(ready, viewer)
                assert player_state(other, "Ada", viewer) == "done"
                assert action not in json.dumps({**view(other, viewer), "choices": []})
        assert view(ready, "Ada")["players"][0] != view(state, "Ada")["players"][0]
        assert view(ready, "Ada")["undo"]

    def test_a_face_that_ends_ones_game_is_no_tell(self) -> None:
        state = table(*NAMES, options={"secret": True})
        for spot in range(7):
            state = play(state, *throw_of("11111", spot=spot), *map(phone, NAMES))
        state = play(state, *throw_of("11111", spot=7), phone("Ada"))
        assert require_game(state).is_finished("Ada")
        assert player_state(state, "Ada", "Ben") == "done"
        assert player_state(state, "Ada", "Ada") == "finished"

    def test_all_is_shown_once_the_last_has_confirmed(self) -> None:
        actions = [ActionRequested(name, "4+10/4") for name in NAMES]
        hidden = play(three(secret=True), *actions[:2])
        assert [one["total"] for one in view(hidden)["players"]] == [0, 0, 0]
        told, plain = play(three(secret=True), *actions), play(three(), *actions)
        assert view(told)["players"] == view(plain)["players"]

    def test_the_shared_screen_shows_choices_on_request_alone(self) -> None:
        state = three(secret=True)
        assert view(state)["choices"] == []
        assert view(state)["headline"] == "Everyone chooses in secret"
        asked = play(state, RIGHT)
        assert view(asked)["choices"]
        for viewer in ("Ben", "Cleo", WATCHER):
            assert view(asked, viewer) == view(state, viewer)
        assert view(play(asked, CONFIRM))["choices"] == []
        assert view(play(asked, BACK)) == view(state)

    def test_a_choice_from_private_dice_is_hidden_too(self) -> None:
        state = play(three(**SECRET), ActionRequested("Ada", "terminator"))
        state = play(state, *throw_of("22345", spot=1))
        chosen = play(state, phone("Ada"))
        assert (
            view(chosen, "Ben")["players"][0]["sheet"] == view(state, "Ben")["players"][0]["sheet"]
        )

    def test_a_correction_does_not_tell_what_it_takes_back(self) -> None:
        state = play(three(secret=True), ActionRequested("Ada", "4+10/4"))
        after = play(state, RollCorrected("13445", "Eva", "It was misread."))
        assert "4+10" not in json.dumps(view(after)["notice"])
        assert "4+10" not in json.dumps(view(state, "Ben")["last_roll"])

    def test_it_is_journalled_when_the_game_starts_and_only_then(self) -> None:
        assert require_game(three(secret=True)).options == {"jokers": False, "secret": True}
        assert require_game(three()).options == {"jokers": False}
