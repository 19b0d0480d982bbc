# SPDX-License-Identifier: MIT
"""
What the choices of a running event cost, game by game, each after its end and never before.

A process of low priority compares a game once somebody asks, so no phone waits for it. A
ruling that plays a game again leads to another question and to another answer. A coach is not
exact, and its last digits depend on the machine. So where costs break ties they are written into
the journal of the event: what counts is what stands there.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TypeAlias

from controller.base.errors import InputError, RefusedError
from controller.base.languages.message import message
from controller.base.logs import Log
from controller.history.analysis.apart import run_apart
from controller.tournament.entries.fields import Source
from controller.tournament.entries.game_entries import CostsFound
from controller.tournament.results.play_costs.costs_codec import (
    GameCosts,
    decode_answer,
    encode_costs,
    encode_question,
    encode_table_question,
)
from controller.tournament.results.play_costs.costs_view import EventCostsView, GameKey, build_view
from controller.tournament.results.play_costs.field_costs import list_sheets
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.state.refusal import refuse_entry
from controller.tournament.state.state import EventState

Answer = Callable[[str], str]  # Answers a question; raises OSError if it cannot.

Question: TypeAlias = str | Source
"""As it is asked, or the line that ended the game of a table: its journal is read later."""

RETRY_S = 30.0  # After a failure, before the same question is asked again.

_LOG = Log("tournament")


class EventCosts:
    """The costs of one event; any thread may ask."""

    def __init__(self, runner: EventRunner, answer: Answer | None = None) -> None:
        self._runner = runner
        self._answer = answer or answer_apart
        self._lock = threading.Lock()
        self._answers: dict[Question, GameCosts | None] = {}
        self._failed_s: dict[Question, float] = {}
        self._questions: Mapping[GameKey, Question] = {}
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
            if self._list_missing() and not self._is_working:
                self._is_working = True
                threading.Thread(target=self._work, name="costs", daemon=True).start()
            is_complete = self._answers.keys() >= set(self._questions.values())
            known = {
                key: found
                for key, question in self._questions.items()
                if (found := self._answers.get(question)) is not None
            }
        return self._runner.read(
            lambda state: build_view(state.data, known, is_complete=is_complete)
        )

    def _follow(self) -> None:
        """Have games judged whose costs break ties, whether anybody looks at them or not."""
        if self._runner.read(_list_unjudged):
            self.read()

    def _list_missing(self) -> list[tuple[GameKey, Question]]:
        """Return the games to judge now and their questions; needs the lock."""
        latest_s = time.monotonic() - RETRY_S
        return [
            (key, question)
            for key, question in self._questions.items()
            if question not in self._answers and self._failed_s.get(question, latest_s) <= latest_s
        ]

    def _work(self) -> None:
        """Answer what is asked, the oldest game first, then end."""
        while True:
            with self._lock:
                asked = set(self._questions.values())
                # An answer to what a ruling has changed since is of no use any more.
                self._answers = {each: self._answers[each] for each in asked & self._answers.keys()}
                missing = self._list_missing()
                if not missing:
                    self._is_working = False
                    return
            key, question = missing[0]
            try:
                asks = (
                    question
                    if isinstance(question, str)
                    else encode_table_question(self._runner.read_lines(question))
                )
                found = decode_answer(self._answer(asks))
                if found is not None and self._breaks_ties(key):
                    self._write(key.game, question, found)
            except (OSError, ValueError, subprocess.SubprocessError, RefusedError) as error:
                _LOG.warning("costs not computed", error=str(error))
                with self._lock:
                    self._failed_s[question] = time.monotonic()
                if self._breaks_ties(key):
                    # Nobody needs to ask again: the standings wait for it.
                    threading.Event().wait(RETRY_S)
                continue
            with self._lock:
                self._answers[question] = found

    def _write(self, game: int, question: Question, found: GameCosts) -> None:
        """Write the costs of a game, unless a ruling or another server is faster."""

        def build(state: EventState) -> CostsFound:
            if _list_questions(state).get(GameKey(game, 0)) != question:
                expected = message("the game as it was judged")
                raise refuse_entry("late", expected, message("a changed game"), "costs.game")
            return encode_costs(game, found)

        with suppress(InputError):
            self._runner.propose(build).result()

    def _breaks_ties(self, key: GameKey) -> bool:
        """Return whether the journal has still to say what the choices of a game cost."""
        return not key.table and key.game in self._runner.read(_list_unjudged)


def answer_apart(question: str) -> str:
    """Answer in a process of low priority; OSError or a SubprocessError if there is no answer."""
    return run_apart("controller.tournament.results.play_costs", question)


def _list_questions(state: EventState) -> dict[GameKey, Question]:
    """Return a question for each duplicate game that is over, and for each game of a round."""
    data = state.data
    if data.begun is None:
        return {}
    event = data.begun
    sheets: dict[GameKey, Question] = {
        GameKey(game.number, 0): encode_question(event.game, event.options, list_sheets(game))
        for game in data.games
        if not game.is_open and game.sheets
    }
    return sheets | {
        GameKey(played.number, table): result.source
        for played in data.rounds.rounds
        if played.is_complete
        for table, result in played.recorded.items()
        if result.source
    }


def _list_unjudged(state: EventState) -> list[int]:
    return [game.number for game in state.data.list_without_costs()]
