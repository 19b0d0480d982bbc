# SPDX-License-Identifier: MIT
"""What is called aloud: faces, totals that change, and nothing that is hidden."""

from __future__ import annotations

import pytest

from controller.games.contract import Options
from controller.runtime.devices.sound_control import describe_spoken
from controller.table.effects import SoundCue, choose_sound
from controller.table.events import Event, GameStarted
from controller.table.state import TableState
from tests.support.table import CONFIRM, play, rolled_table, table, throw_of


def calls(state: TableState, *events: Event) -> list[str]:
    called = []
    for event in events:
        after = play(state, event)
        cue = choose_sound(state, after) or SoundCue.CHOICE
        called.append(describe_spoken(state, after, cue))
        state = after
    return [text for text in called if text]


def test_a_roll_calls_its_faces_and_a_choice_the_total() -> None:
    assert calls(table(), *throw_of("13446")) == ["1, 3, 4, 4, 6"]
    assert calls(rolled_table("13446", "Ada", "Ben"), CONFIRM, CONFIRM) == [
        "Ada: minus 200",
        "Ben: minus 200",
    ]


@pytest.mark.parametrize(("options", "called"), [({}, 1), ({"secret": True}, 0)])
def test_a_secret_choice_is_not_called(options: Options, called: int) -> None:
    state = play(TableState(), GameStarted("choice", ("Ada", "Ben"), options))
    state = play(state, *throw_of("13446"))
    assert len(calls(state, CONFIRM)) == called


def test_free_dice_call_their_sum() -> None:
    state = play(TableState(), GameStarted("dice", ("Ada",), {"dice": 2}))
    assert calls(state, *throw_of("26")) == ["2, 6. Ada: 8"]
