# SPDX-License-Identifier: MIT
"""A table with opponents, whose entries are linked as in a journal."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from controller.coach import coaches
from controller.games.contract import Options
from controller.journal.hashchain import Entry
from controller.runtime.die_origins import match_dice_to_table
from controller.table.decisions import decide_action
from controller.table.effects import PendingEntry
from controller.table.events import ChoiceTapped, Event, GameStarted, TrayDie
from controller.table.journal_entries import with_roll_link
from controller.table.machine import step
from controller.table.state import Phase, TableState, require_game
from controller.verify.replay_check import ReplayCheck
from tests.controller.coach.greedy_coach import GreedyCoach
from tests.support.random_journal import WrittenJournal
from tests.support.table import CONFIRM, dice_of, die, rest_of, view

NO_COACH = ("dice",)


def give_coaches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give every game but Just dice a coach that knows little."""

    def find_coach(game: str, options: Options) -> GreedyCoach | None:
        return None if game in NO_COACH else GreedyCoach(game)

    monkeypatch.setattr(coaches, "find_coach", find_coach)


@dataclass
class OpponentTable:
    """A table that writes its entries; `people` act when the test says so."""

    state: TableState = field(default_factory=TableState)
    journal: WrittenJournal = field(default_factory=WrittenJournal)
    spot: int = 0

    def start(
        self, game: str, *players: str, grade: str = "strong", options: Options | None = None
    ) -> None:
        """Start a game of people, and of opponents, whose names begin with P."""
        grades = {name: grade for name in players if name.startswith("P")}
        self.do(GameStarted(game, players, options or {}, grades))

    def do(self, *events: Event) -> tuple[PendingEntry, ...]:
        found: tuple[PendingEntry, ...] = ()
        for event in events:
            matched = match_dice_to_table(event, self.state.dice_on_felt)
            self.state, effects = step(self.state, matched)
            for effect in effects:
                entry = self.journal.add(effect.kind, effect.body)
                self.state = with_roll_link(self.state, entry)
            found += effects
        return found

    def throw(self, faces: str) -> None:
        """Let the camera see a throw of all dice, to another spot each time."""
        self.spot += 1
        self.do(*rest_of(*dice_of(faces, spot=self.spot)))

    def answer(self) -> str:
        """Let the next opponent choose; return the action, empty if none is due."""
        event = decide_action(self.state)
        if event is None:
            return ""
        assert self.do(event), "an opponent's choice counts"
        return event.action

    def play_on(self, chance: random.Random) -> None:
        """Throw or choose, whatever comes next; people take what the screen lists first."""
        state, game = self.state, require_game(self.state)
        for viewer in ("", "nobody", *game.players):
            shown = view(state, viewer)
            assert not shown["choices"] or state.chooser not in state.play.opponent_names
        if state.phase is Phase.GAME_OVER or self.answer():
            return
        if state.phase is Phase.CHOOSING:
            self.do(ChoiceTapped(0), CONFIRM)
            return
        assert state.play.roller is not None
        self.spot += 1
        staying = list(game.dice_to_leave(state.play.roller))
        lying = [
            replace(one, origin="")
            for one in state.dice_on_felt
            if _takes(staying, one.face, one.polarity)
        ]
        self.do(*rest_of(*lying, *self._throw_others(state, len(lying), chance)))

    def _throw_others(
        self, state: TableState, kept: int, chance: random.Random
    ) -> Iterator[TrayDie]:
        colours = list(state.play.polarities)
        if "" not in colours and kept:
            (left,) = require_game(state).dice_to_leave(state.play.roller or "")
            colours.remove("light" if left.startswith("w") else "dark")
        else:
            colours = colours[kept:]
        for place, colour in enumerate(colours):
            yield die(
                chance.randint(1, 6), 90.0 * place, 100.0 * self.spot, is_black=colour == "dark"
            )


def played(
    game: str, *players: str, steps: int = 60, seed: int = 1, options: Options | None = None
) -> OpponentTable:
    table, chance = OpponentTable(), random.Random(seed)
    table.start(game, *players, options=options)
    for _ in range(steps):
        if table.state.phase is Phase.GAME_OVER:
            break
        table.play_on(chance)
    return table


def findings_of(entries: list[Entry]) -> list[tuple[str, int]]:
    check = ReplayCheck()
    return [
        (finding.kind.value, finding.line or line)
        for line, entry in enumerate(entries, start=1)
        for finding in check.add_entry(entry, line=line, is_sound=True)
    ]


def _takes(staying: list[str], face: int, polarity: str) -> bool:
    for text in (str(face), f"{'w' if polarity == 'light' else 'b'}{face}"):
        if text in staying:
            staying.remove(text)
            return True
    return False
