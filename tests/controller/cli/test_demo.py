# SPDX-License-Identifier: MIT
"""The game that the demo is asked for: its options, and no other game beside an open one."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.cli.demo import HandsObserver
from controller.journal.journal import Journal
from controller.table.events import ChoiceTapped, DieTapped
from controller.table.state import TableState
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.hands import SimulatedHands
from tests.controller.conftest import Dicebell
from tests.support.table import die, play, rest_of, table, view


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--option", "luck=true"), "no option but jokers or secret"),
        (("--option", "jokers=2"), "jokers: expected true or false, found 2"),
        (("--option", "jokers=yes"), "a name, = and true, false or a whole number"),
        (("--option", "jokers"), "a name, = and true, false or a whole number"),
        (("--option", "=true"), "a name, = and true, false or a whole number"),
        (
            ("--game", "black-n-white", "--option", "chips_per_player=0"),
            "chips_per_player: expected a whole number from 1, found 0",
        ),
        (("--game", "black-n-white", "--players", "Ada"), "2 to 5 players, found 1"),
        (("--players", "A,B,C,D,E,F,G"), "players: expected 1 to 6 players, found 7"),
        (("--players", "Ada,Ada"), "names that do not look alike, found Ada and Ada"),
    ],
)
def test_an_unknown_option_is_refused_and_leaves_no_trace(
    dicebell: Dicebell, tmp_path: Path, arguments: tuple[str, ...], expected: str
) -> None:
    done = dicebell("demo", "--no-web", "--seed", "1", "--data", str(tmp_path / "data"), *arguments)
    assert (done.status, done.output) == (2, "")
    assert expected in done.complaint.splitlines()[-1]
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--players", "Eva,Finn"), "--players: expected Ada,Ben, as in the game that is open"),
        (("--game", "wuerfelspiel"), "--game: expected choice, as in the game that is open"),
        (("--option", "jokers=false"), "--option: expected jokers=true, as in the game"),
    ],
)
def test_another_game_is_refused_while_one_is_open(
    dicebell: Dicebell, tmp_path: Path, arguments: tuple[str, ...], expected: str
) -> None:
    journal, _ = Journal.open(tmp_path)
    journal.append("genesis", {"format": 1, "software": "dicebell", "torn": ""})
    journal.append(
        "game", {"game": "choice", "players": ["Ada", "Ben"], "options": {"jokers": True}}
    )
    journal.close()
    done = dicebell("demo", "--no-web", "--seed", "1", "--data", str(tmp_path), *arguments)
    assert done.status == 2
    assert expected in done.complaint


class TestThrow:
    """The button *Throw* of the simulated tray throws what the screen marks."""

    def setup_method(self) -> None:
        clock = SteppedClock()
        self.camera = SimulatedCamera(clock, seed=2, size_wh=(320, 180))
        self.hands = SimulatedHands(self.camera, seed=2)
        self.clock = clock

    def thrown(self, state: TableState) -> set[int]:
        """Return which dice lie elsewhere after a throw that follows this screen."""
        HandsObserver(self.hands).on_view(view(state))
        before = self.camera.truth()
        self.hands.throw()
        self.clock.wait_s(5.0)
        after = self.camera.truth()
        places = [[(one.x_mm, one.y_mm) for one in dice] for dice in (before, after)]
        return {at for at, (old, new) in enumerate(zip(*places, strict=True)) if old != new}

    def lying(self) -> TableState:
        """Return a table of Würfelspiel that has read the dice of this tray."""
        self.camera.throw()
        self.clock.wait_s(5.0)
        dice = [
            die(one.face, *self.camera.project(one.x_mm, one.y_mm, 16.0))
            for one in self.camera.truth()
        ]
        return play(table("Ada", game="wuerfelspiel"), *rest_of(*dice))

    def test_a_tapped_hold_is_not_lost(self) -> None:
        state = play(self.lying(), DieTapped(1), DieTapped(4))
        faces = [one.face for one in self.camera.truth()]
        shown = sorted(range(5), key=faces.__getitem__)
        assert self.thrown(state) == {shown[1], shown[4]}

    def test_nothing_marked_throws_all_dice(self) -> None:
        assert self.thrown(self.lying()) == {0, 1, 2, 3, 4}

    def test_a_cell_that_is_selected_marks_no_die(self) -> None:
        state = play(self.lying(), DieTapped(1), ChoiceTapped(0))
        assert self.thrown(state) == {0, 1, 2, 3, 4}
