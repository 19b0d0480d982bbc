# SPDX-License-Identifier: MIT
"""
The accounts of the games of a running table: computed once, beside play, and kept.

A coach computes for seconds on a small machine. So a process of low priority builds each
account, one at a time, and only for a game that somebody looks at. Asking again is how one waits.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from controller.base.errors import InputError
from controller.base.logs import Log
from controller.coach.account_codec import decode_account
from controller.games import GAMES
from controller.history.analysis.account_cache import AccountCache
from controller.history.analysis.analysis_view import AnalysisView, build_view
from controller.history.analysis.apart import run_apart
from controller.history.analysis.skill_views import VariantSkill, summarize_variants
from controller.history.views import GameSummary
from controller.journal.records.from_journal import JournalGame, export_record
from controller.journal.records.rename import rename_players

WORKING: AnalysisView = {"state": "working"}
UNKNOWN: AnalysisView = {"state": "unknown"}

_LOG = Log("analysis")

Compute = Callable[[str], str]
"""Makes JSON of an account, or `null`, from a record; raises OSError if it cannot."""

ReadGame = Callable[[int], JournalGame | None]
"""Reads a game of the journal by its number, with the names of the journal."""


class GameAnalyses:
    """The accounts of one data folder; any thread may ask. Tests give another `compute`."""

    def __init__(self, folder: Path, read_game: ReadGame, compute: Compute | None = None) -> None:
        self._cache = AccountCache(folder)
        self._read_game = read_game
        self._compute = compute or compute_apart
        self._lock = threading.Lock()
        self._waiting: deque[GameSummary] = deque()
        self._unknown: set[str] = set()
        self._is_working = False

    def show(self, summary: GameSummary) -> AnalysisView:
        """Return the analysis of an ended game, or have it made."""
        encoded = self._cache.find(name_game(summary))
        if encoded is None:
            return WORKING if self._ask([summary], first=True) else UNKNOWN
        game = self._read_game(summary.number)
        if game is None:
            return UNKNOWN
        shown = [player.name for player in summary.players]
        return build_view(decode_account(encoded), game, shown)

    def summarize_player(
        self, name: str, games: Sequence[GameSummary]
    ) -> tuple[tuple[VariantSkill, ...], int]:
        """Return what games, newest first, say by variant, and how many are not ready yet."""
        names = {name_game(game): game for game in games if _may_know(game)}
        found = self._cache.find_sums([*names])
        missing = [game for key, game in names.items() if key not in found]
        waiting = self._ask(missing, first=False)
        known = [(names[key], sums) for key, sums in found.items()]
        return summarize_variants(name, known), waiting

    def _ask(self, games: Iterable[GameSummary], *, first: bool) -> int:
        """Have accounts made; return how many will be there some time."""
        count = 0
        with self._lock:
            for game in games:
                if name_game(game) in self._unknown or not _may_know(game):
                    continue
                count += 1
                if game not in self._waiting:
                    self._waiting.append(game)
                if first:
                    self._waiting.remove(game)
                    self._waiting.appendleft(game)
            if self._waiting and not self._is_working:
                self._is_working = True
                threading.Thread(target=self._work, name="analyses", daemon=True).start()
        return count

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._is_working = False
                    return
                game = self._waiting[0]
            # Who asked just before an account was kept has asked for it once more.
            encoded = self._cache.find(name_game(game)) or self._build(game)
            with self._lock:
                if encoded is None:
                    self._unknown.add(name_game(game))
                else:
                    self._cache.keep(name_game(game), encoded)
                self._waiting.remove(game)

    def _build(self, summary: GameSummary) -> Mapping[str, Any] | None:
        """Return an encoded account; None if there is no coach, or the game cannot be read."""
        try:
            game = self._read_game(summary.number)
            if game is None:
                return None
            names = [str(index) for index in range(1, len(summary.players) + 1)]
            text = self._compute(export_record(rename_players(game, names)))
            encoded: Mapping[str, Any] | None = json.loads(text)
            return encoded
        except (OSError, InputError, ValueError, subprocess.SubprocessError) as error:
            _LOG.warning("game not analysed", game=summary.number, error=str(error))
            return None


def name_game(summary: GameSummary) -> str:
    """Return a name that changes if a game is corrected; one table plays one game at a time."""
    return f"{summary.game} {summary.started_ms} {summary.ended_ms}"


def _may_know(summary: GameSummary) -> bool:
    return summary.game in GAMES and not summary.problem and summary.rolls > 0


def compute_apart(record: str) -> str:
    """Return the account of a record as JSON, by a process of low priority; as `run_apart`."""
    return run_apart("controller.history.analysis", record)
