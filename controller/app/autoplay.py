# SPDX-License-Identifier: MIT
"""
A table that plays by itself, and is held against the truth of its simulated tray.

Everything goes the way it goes with people: dice are thrown, frames are watched, rolls
are taken from pixels, choices are made with the four buttons, and every step is on the
disk before the next. Only here is the truth of the dice looked at, to compare.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from controller.app.house import House
from controller.dice import roll_text
from controller.table.events import GameStarted, Key, KeyPressed
from controller.table.state import Phase, TableState, require_game
from hardware.simulated.camera import SimulatedCamera

FRAME_TIMEOUT_S = 1.0
PATIENCE_FRAMES = 150
"""Frames without anything new after which the dice are thrown again: five seconds."""
MOST_THROWS = 50
"""Throws in a row that lead to no roll; more mean that the table is stuck."""
LIKED_CHOICES = 3
"""The players choose at random among so many of the best."""


@dataclass(slots=True)
class Tally:
    """What came of the throws, compared roll by roll with the truth of the tray."""

    games: int = 0
    rolls: int = 0
    wrong: int = 0
    doubtful: int = 0
    unseen: int = 0


class StuckError(RuntimeError):
    """The table takes no roll any more: a device failed, or no throw is read."""


class Autoplay:
    """
    Plays games at a house whose threads are not running: every frame is one step.

    Args:
        house: The table.
        camera: Its tray; opened by the caller.
        players: Who sits down to every game.
        game: Which game.
        seed: Decides what the players choose.
        tell: Told a line after every game.
    """

    def __init__(
        self,
        house: House,
        camera: SimulatedCamera,
        *,
        players: tuple[str, ...],
        game: str,
        seed: int,
        tell: Callable[[str], None],
    ) -> None:
        self._house = house
        self._camera = camera
        self._players = players
        self._game = game
        self._random = random.Random(seed)
        self._tell = tell
        self._tally = Tally()
        self._throws = 0
        # Frames seen since the dice were thrown; none while it is still to be done.
        self._waited: int | None = None

    def play(self, games: int, is_stopped: Callable[[], bool] = lambda: False) -> Tally:
        """
        Play until this many more games are finished; one that is open counts as the first.

        Args:
            games: How many.
            is_stopped: Asked before every step; once true, the games end where they are.

        Raises:
            StuckError: A device failed, or no roll is taken any more.
        """
        while self._tally.games < games and not is_stopped():
            if self._house.watch.is_ready:
                self._move()
            else:
                self._see_frame()
        return self._tally

    @property
    def _state(self) -> TableState:
        return self._house.loop.state

    def _move(self) -> None:
        match self._state.phase:
            case Phase.LOBBY:
                self._house.loop.handle(GameStarted(self._game, self._players))
            case Phase.CHOOSING:
                self._choose()
            case Phase.GAME_OVER:
                self._end_game()
            case Phase.FAULT:
                raise StuckError(self._state.faults[-1].what)
            case Phase.STRAIGHTEN:
                self._tally.doubtful += 1
                self._throw()
            case Phase.AWAITING_ROLL if self._waited is None:
                self._throw()
            case _ if (self._waited or 0) > PATIENCE_FRAMES:
                self._tally.unseen += 1
                self._throw()
            case _:
                self._watch_on()

    def _watch_on(self) -> None:
        rolls = self._state.rolls
        self._see_frame()
        if self._state.rolls > rolls:
            self._compare()

    def _compare(self) -> None:
        """Compare the roll that was taken with what really lies in the tray."""
        read = roll_text(require_game(self._state).faces)
        true = roll_text(die.face for die in self._camera.truth())
        self._tally.rolls += 1
        self._throws = 0
        if read != true:
            self._tally.wrong += 1
            self._tell(f"roll {self._state.rolls} was read {read}, and is {true}")

    def _throw(self) -> None:
        self._throws += 1
        if self._throws > MOST_THROWS:
            raise StuckError(f"{MOST_THROWS} throws of which none could be taken")
        self._camera.throw()
        self._waited = 0
        self._watch_on()

    def _choose(self) -> None:
        view = self._house.snapshot()
        for _ in range(self._random.randrange(min(LIKED_CHOICES, len(view["choices"])))):
            self._house.loop.handle(KeyPressed(Key.RIGHT))
        self._house.loop.handle(KeyPressed(Key.CONFIRM))
        self._waited = None

    def _end_game(self) -> None:
        state = self._state
        totals = require_game(state).totals()
        results = ", ".join(f"{name} {total:+d}" for name, total in totals.items())
        self._tally.games += 1
        self._tell(f"game {self._tally.games}: {results} after {state.rolls} rolls")
        self._house.loop.handle(KeyPressed(Key.CONFIRM))
        self._waited = None

    def _see_frame(self) -> None:
        for event in self._house.watch.look(self._camera.frame(FRAME_TIMEOUT_S)):
            self._house.loop.handle(event)
        if self._waited is not None:
            self._waited += 1
