# SPDX-License-Identifier: MIT
"""
What the choices of a running event cost, game by game, each after its end and never before.

A process of low priority compares a game once somebody asks, so no phone waits for it. A
ruling that plays a game again leads to another question and to another answer. A coach is not
exact, and its last digits depend on the machine. So where costs break ties they are written into
the journal of the event: what counts is what stands there.
"""

from __future__ import annotations

import logging
import subprocess
import threading
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from statistics import fmean

from controller.analysis.apart import run_apart
from controller.errors import InputError, RefusedError
from controller.languages.message import message
from controller.logs import log_event, logger
from controller.tournament.event.game_entries import CostsFound
from controller.tournament.fold.refusal import refuse_entry
from controller.tournament.fold.state import EventState
from controller.tournament.play_costs.costs_codec import (
    FieldCosts,
    decode_answer,
    encode_costs,
    encode_question,
)
from controller.tournament.play_costs.field_costs import list_sheets
from controller.tournament.running.event_runner import EventRunner

Answer = Callable[[str], str]
"""Answers a question; raises OSError if it cannot."""

RETRY_S = 30.0
"""After a failure, where the standings wait for the costs."""

_LOG = logger("tournament")


@dataclass(frozen=True, slots=True)
class PlayerCost:
    """A player's own choices in all games that are over: how many, and their mean cost."""

    player: int
    name: str
    choices: int
    cost: float

    def to_plain(self) -> dict[str, int | str | float]:
        """Return it as JSON has it."""
        return {
            "player": self.player,
            "name": self.name,
            "choices": self.choices,
            "cost": round(self.cost, 2),
        }


@dataclass(frozen=True, slots=True)
class RollDifficulty:
    """What the field lost on a roll: the mean cost, and how many of the choices cost nothing."""

    game: int
    roll: int
    faces: str
    choices: int
    best: int
    cost: float

    def to_plain(self) -> dict[str, int | str | float]:
        """Return it as JSON has it."""
        return {
            "game": self.game,
            "roll": self.roll,
            "faces": self.faces,
            "choices": self.choices,
            "best": self.best,
            "cost": round(self.cost, 2),
        }


@dataclass(frozen=True, slots=True)
class EventCostsView:
    """
    The statistic of an event.

    Attributes:
        is_complete: Whether every game that is over is in it.
        equal_below: Costs below count as none.
        weights: SHA-256 of what the coach knows; empty without one.
        players: The least cost first.
        rolls: The hardest first.
    """

    is_complete: bool = True
    equal_below: float = 0.0
    weights: str = ""
    players: tuple[PlayerCost, ...] = ()
    rolls: tuple[RollDifficulty, ...] = ()

    def to_plain(self) -> dict[str, object]:
        """Return it as JSON has it."""
        return {
            "is_complete": self.is_complete,
            "equal_below": self.equal_below,
            "weights": self.weights,
            "players": [player.to_plain() for player in self.players],
            "rolls": [roll.to_plain() for roll in self.rolls],
        }


class EventCosts:
    """
    The costs of one event; any thread may ask.

    Args:
        runner: The event.
        answer: Answers questions; another one for tests.
    """

    def __init__(self, runner: EventRunner, answer: Answer | None = None) -> None:
        self._runner = runner
        self._answer = answer or answer_apart
        self._lock = threading.Lock()
        self._answers: dict[str, FieldCosts | None] = {}
        self._questions: dict[int, str] = {}
        self._revision = -1
        self._is_working = False
        runner.listen(self._follow)
        self._follow()

    def read(self) -> EventCostsView:
        """Return what is known now, and have the rest computed."""
        with self._lock:
            revision = self._runner.revisions.shared
            if revision != self._revision:
                self._questions, self._revision = self._runner.read(_list_questions), revision
            missing = self._list_missing()
            if missing and not self._is_working:
                self._is_working = True
                threading.Thread(target=self._work, name="costs", daemon=True).start()
            known = {
                game: found
                for game, text in self._questions.items()
                if (found := self._answers.get(text)) is not None
            }
        return self._runner.read(lambda state: _build_view(state, known, not missing))

    def _follow(self) -> None:
        """Have games judged whose costs break ties, whether anybody looks at them or not."""
        if self._runner.read(_list_unjudged):
            self.read()

    def _list_missing(self) -> list[tuple[int, str]]:
        """Return the numbers and the questions of games that are not judged; needs the lock."""
        return [each for each in self._questions.items() if each[1] not in self._answers]

    def _work(self) -> None:
        """Answer what is asked, the oldest game first, then end."""
        while True:
            with self._lock:
                asked = set(self._questions.values())
                # An answer to what a ruling has changed since is of no use any more.
                self._answers = {text: self._answers[text] for text in asked & self._answers.keys()}
                missing = self._list_missing()
                if not missing:
                    self._is_working = False
                    return
            game, question = missing[0]
            try:
                found = decode_answer(self._answer(question))
                if found is not None and self._breaks_ties(game):
                    self._write(game, question, found)
            except (OSError, ValueError, subprocess.SubprocessError, RefusedError) as error:
                log_event(_LOG, logging.WARNING, "costs not computed", error=str(error))
                if self._breaks_ties(game):
                    threading.Event().wait(RETRY_S)
                    continue
                found = None
            with self._lock:
                self._answers[question] = found

    def _write(self, game: int, question: str, found: FieldCosts) -> None:
        """
        Write the costs of a game into the journal; a ruling or another server may be faster.

        Raises:
            StoreUnavailableError: The database is away.
        """

        def build(state: EventState) -> CostsFound:
            if _list_questions(state).get(game) != question:
                expected = message("the game as it was judged")
                raise refuse_entry("late", expected, message("a changed game"), "costs.game")
            return encode_costs(game, found)

        with suppress(InputError):
            self._runner.propose(build).result()

    def _breaks_ties(self, game: int) -> bool:
        """Return whether the journal has still to say what the choices of a game cost."""
        return game in self._runner.read(_list_unjudged)


def answer_apart(question: str) -> str:
    """
    Answer a question in a process of low priority.

    Raises:
        OSError, subprocess.SubprocessError: There is no answer.
    """
    return run_apart("controller.tournament.play_costs", question)


def _list_questions(state: EventState) -> dict[int, str]:
    """Return a question for each game that is over and has rolls, by its number."""
    data = state.data
    if data.begun is None or data.begun.style != "duplicate":
        return {}
    event = data.begun
    return {
        game.number: encode_question(event.game, event.options, list_sheets(game))
        for game in data.games
        if not game.is_open and game.sheets
    }


def _list_unjudged(state: EventState) -> list[int]:
    return [game.number for game in state.data.list_without_costs()]


def _build_view(
    state: EventState, known: dict[int, FieldCosts], is_complete: bool
) -> EventCostsView:
    data, own = state.data, defaultdict[int, list[float]](list)
    rolls: list[RollDifficulty] = []
    for game, found in known.items():
        of_roll = defaultdict[int, list[float]](list)
        for player, costs in found.costs.items():
            own[player] += costs.values()
            for number, cost in costs.items():
                of_roll[number].append(cost)
        for number, each in of_roll.items():
            faces = data.games[game - 1].rolls[number - 1].faces
            rolls.append(
                RollDifficulty(game, number, faces, len(each), each.count(0.0), fmean(each))
            )
    players = [
        PlayerCost(player, data.people.find(player).name, len(costs), fmean(costs))
        for player, costs in own.items()
        if costs
    ]
    newest = next(iter(known.values()), None)
    return EventCostsView(
        is_complete=is_complete,
        equal_below=newest.equal_below if newest else 0.0,
        weights=newest.weights if newest else "",
        players=tuple(sorted(players, key=lambda one: (one.cost, one.player))),
        rolls=tuple(sorted(rolls, key=lambda one: (-one.cost, one.game, one.roll))),
    )
