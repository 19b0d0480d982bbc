# SPDX-License-Identifier: MIT
"""
Play games without people.

Everything works as with people: dice are thrown, removed and turned, frames are read, choices
are made with the four buttons, and every step is journalled first. Only the comparison knows
the real dice in the tray.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from controller.games.contract import FreeThrows
from controller.runtime.autoplay.ground_truth import AutoplayStats, GroundTruth
from controller.runtime.autoplay.players import PlayerDecision, RandomPlayers, find_kept_dice
from controller.runtime.table import TableRuntime
from controller.table.decisions import decide_action
from controller.table.events import ChoiceTapped, Event, GameStarted, Key, KeyPressed
from controller.table.state import Phase, TableState, require_game
from hardware.simulated.camera import SimulatedCamera

FRAME_TIMEOUT_S = 1.0
PATIENCE_S = 5.0  # After this time without a change the dice are moved again.
NOTICING_S = 0.5  # How long the table may take to notice a motion.
MOST_THROWS = 50  # More throws in a row without a roll mean that the table is stuck.


class StuckError(RuntimeError):
    """The table takes no rolls: a device failed, or no throw is read."""


class Autoplay:
    """
    Plays at a table whose threads are not running: every frame is one step.

    The tray of `camera` is open, with the number of dice of the game. `seed` determines the
    players' choices; `report` gets a line after every game.
    """

    def __init__(
        self,
        runtime: TableRuntime,
        camera: SimulatedCamera,
        *,
        start: GameStarted,
        seed: int,
        report: Callable[[str], None],
    ) -> None:
        self._runtime = runtime
        self._camera = camera
        self._start = start
        self._players = RandomPlayers(seed=seed)
        self._truth = GroundTruth(camera)
        self._report = report
        self._tally = AutoplayStats()
        self._throws = 0
        self._now_s = 0.0
        # When the dice were moved and the table must react; `None` if nothing is awaited.
        self._since_s: float | None = None
        self._thrown: tuple[int, ...] = ()
        # The action that the table must infer from the removed dice; empty if it was pressed.
        self._held = ""

    def play(self, games: int, is_stopped: Callable[[], bool] = lambda: False) -> AutoplayStats:
        """
        Play until this many more games are finished, with an open one, or it is stopped.

        StuckError if a device failed, or no roll is taken any more.
        """
        while self._tally.games < games and not is_stopped():
            if self._runtime.frame_events.is_ready:
                self._move()
            else:
                self._process_frame()
        return self._tally

    @property
    def _state(self) -> TableState:
        return self._runtime.loop.state

    def _move(self) -> None:
        phase = self._state.phase
        if phase is Phase.FAULT:
            raise StuckError(self._state.troubles.faults[-1].what)
        if phase is Phase.STRAIGHTEN:
            self._straighten()
        elif self._since_s is not None:
            self._wait(self._since_s)
        else:
            self._act(phase)

    def _act(self, phase: Phase) -> None:
        if phase is Phase.LOBBY:
            self._handle(self._start)
        elif phase is Phase.GAME_OVER:
            self._end_game()
        elif phase is Phase.CHOOSING:
            self._choose()
        elif self._wanted_dice():
            self._set_dice()
        elif phase in (Phase.AWAITING_ROLL, Phase.AWAITING_JOKER):
            self._throw(self._truth.dice_to_throw(self._state.play.rules, self._staying()))
        else:
            self._process_frame()

    def _wait(self, since_s: float) -> None:
        """Process a frame; throw the removed dice once the table has noticed them."""
        if self._state.phase is Phase.IN_HAND and self._held:
            self._check_in_hand()
            self._throw(self._thrown)
        elif self._held and self._lies_empty():
            self._throw(self._thrown)
        elif self._now_s - since_s <= PATIENCE_S:
            self._process_frame()
        else:
            self._tally.unseen += 1
            self._try_again()

    def _lies_empty(self) -> bool:
        """Return whether the table saw all dice removed, where they are up to the players."""
        is_free = isinstance(self._state.play.position, FreeThrows)
        return is_free and self._state.phase is Phase.CHOOSING and not self._state.dice_on_felt

    def _straighten(self) -> None:
        """React to a doubt as a person does; confirm a doubt about kept dice."""
        self._tally.doubtful += 1
        if self._held and self._state.reading.held_action == self._held:
            self._handle(KeyPressed(Key.CONFIRM))
        else:
            self._try_again()

    def _try_again(self) -> None:
        if self._wanted_dice():
            self._set_dice()
        else:
            self._throw(self._thrown)

    def _throw(self, which: tuple[int, ...]) -> None:
        self._count_throw()
        self._thrown = which
        self._camera.throw(which=which or None)
        self._hands_moved()

    def _set_dice(self) -> None:
        """Turn dice until the tray shows the wanted faces; push one if it does already."""
        self._count_throw()
        turns = self._truth.find_turns(self._state.play.rules, self._wanted_dice())
        for index, face in turns.items():
            self._camera.turn(index, face)
        if not turns:
            self._camera.nudge()
        self._hands_moved()

    def _count_throw(self) -> None:
        self._throws += 1
        if self._throws > MOST_THROWS:
            raise StuckError(f"{MOST_THROWS} throws in a row, and none was accepted")

    def _hands_moved(self) -> None:
        """Process frames until the table has noticed a motion."""
        since_s, before = self._now_s, self._state.phase
        self._since_s = since_s
        while self._state.phase is before and self._now_s - since_s < NOTICING_S:
            self._process_frame()

    def _choose(self) -> None:
        if action := decide_action(self._state):
            self._handle(action)
            return
        view = self._runtime.loop.snapshot()
        decision = self._players.decide(view["choices"])
        if decision.is_by_hand:
            self._take_dice(decision, view["choices"][decision.index]["action"])
        else:
            self._handle(ChoiceTapped(decision.index))
            self._handle(KeyPressed(Key.CONFIRM))

    def _take_dice(self, decision: PlayerDecision, action: str) -> None:
        """Remove the dice that the action throws again, and perhaps throw them at once."""
        game, player = require_game(self._state), self._state.chooser
        assert player is not None, "a choosing player sees choices"
        kept = find_kept_dice(game, player, action)
        self._held = action
        self._thrown = self._truth.dice_to_throw(self._state.play.rules, kept)
        if decision.is_waiting:
            self._camera.take_out(self._thrown)
            self._hands_moved()
        else:
            self._throw(self._thrown)

    def _check_in_hand(self) -> None:
        if self._state.reading.held_action != self._held:
            self._report_error(
                f"with {self._held} in the hand the table says {self._state.reading.held_action}"
            )

    def _staying(self) -> tuple[str, ...]:
        roller = self._state.play.roller
        return require_game(self._state).dice_to_leave(roller) if roller else ()

    def _wanted_dice(self) -> tuple[str, ...]:
        roller = self._state.play.roller
        return require_game(self._state).required_dice(roller) if roller else ()

    def _end_game(self) -> None:
        state = self._state
        totals = require_game(state).totals()
        results = ", ".join(f"{name} {total:+d}" for name, total in totals.items())
        self._tally.games += 1
        self._report(f"game {self._tally.games}: {results} after {state.play.rolls} rolls")
        self._handle(KeyPressed(Key.LEFT))

    def _process_frame(self) -> None:
        frame = self._camera.frame(FRAME_TIMEOUT_S)
        self._now_s = frame.at_s
        for event in self._runtime.frame_events.process(frame):
            self._handle(event)

    def _handle(self, event: Event) -> None:
        rolls = self._state.play.rolls
        # These players look at their choices as long as they need, which takes no time here.
        self._runtime.loop.handle(event, at_s=math.inf)
        if self._state.play.rolls > rolls:
            self._compare()

    def _compare(self) -> None:
        """Compare the roll with the real dice in the tray."""
        thrown = self._thrown if self._held else None
        for complaint in self._truth.find_errors(self._state.dice_on_felt, thrown=thrown):
            self._report_error(complaint)
        self._tally.rolls += 1
        self._tally.holds += bool(self._held)
        self._throws = 0
        self._since_s, self._thrown, self._held = None, (), ""

    def _report_error(self, what: str) -> None:
        self._tally.wrong += 1
        self._report(f"roll {self._state.play.rolls}: {what}")
