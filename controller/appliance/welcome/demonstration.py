# SPDX-License-Identifier: MIT
"""
Play a game for the idle screen: the same rules as at the table, dice and choices by chance.

The game is written as journal entries in memory, and its replay is built of them. So the screen
shows it as it shows any finished game, and knows no rules.
"""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from datetime import UTC
from functools import lru_cache
from pathlib import Path

from controller.base.languages.catalogue import Catalogue
from controller.games import GAMES
from controller.games.contract import ActionEvent, GameEvent, GameState, RollEvent
from controller.games.game import Game
from controller.history.replays.replay import build_replay
from controller.history.report.texts import TimeFormat
from controller.journal.hashchain import Body, build_next_entry
from controller.journal.picture_store import PictureStore
from controller.journal.records.from_journal import JournalGame
from controller.table.events import NO_PICTURE_INFO, TrayDie
from controller.table.reading_codec import encode_reading

SHOWN_GAMES = ("choice", "wuerfelspiel")  # Games whose sheets alone show what happens.

PLAYERS = ("Ada", "Ben")
LIKED_CHOICES = 2  # The number of best choices that the players choose from.

_STEP_MS = 4000
_KEPT_GAMES = 4


class DemonstrationGames:
    """Demonstration games as JSON; any thread may ask. No step has a picture to read."""

    def __init__(self, folder: Path) -> None:
        self._pictures = PictureStore(folder)
        self._lock = threading.Lock()
        self._build = lru_cache(maxsize=_KEPT_GAMES)(self._build_replay)

    def build_json(self, number: int, catalogue: Catalogue) -> bytes:
        """Return the demonstration of this number, a `ReplayView`, in a language."""
        with self._lock:
            return self._build(number, catalogue)

    def _build_replay(self, number: int, catalogue: Catalogue) -> bytes:
        game = play_demonstration(SHOWN_GAMES[number % len(SHOWN_GAMES)], seed=number)
        view = catalogue.translate(build_replay(game, self._pictures, TimeFormat(UTC)))
        return json.dumps(view, ensure_ascii=False, separators=(",", ":")).encode()


def play_demonstration(game: str, *, seed: int) -> JournalGame:
    """Play a whole game for two players; the same seed plays the same game."""
    rules, chance = GAMES[game], random.Random(seed)
    position = rules.start(PLAYERS, {})
    header: Body = {
        "game": game,
        "players": list(position.players),
        "options": dict(position.options),
    }
    entries = [build_next_entry(None, at_ms=0, kind="game", body=header)]
    for kind, body in _play(rules, position, chance):
        at_ms = entries[-1].at_ms + _STEP_MS
        entries.append(build_next_entry(entries[-1], at_ms=at_ms, kind=kind, body=body))
    return JournalGame(1, entries[0], tuple(entries[1:]))


def _play(rules: Game, position: GameState, chance: random.Random) -> Iterator[tuple[str, Body]]:
    while position.outcome() is None:
        event = _choose_event(rules, position, chance)
        position = position.apply(event)
        if isinstance(event, RollEvent):
            dice = tuple(
                TrayDie(int(text[-1]), "light", "white") for text in rules.parse_roll(event.roll)
            )
            reading = encode_reading(dice, (), "", NO_PICTURE_INFO)
            yield "roll", {"by": event.by, "roll": event.roll, "by_hand": "", **reading}
        else:
            yield "action", {"by": event.by, "do": event.action}


def _choose_event(rules: Game, position: GameState, chance: random.Random) -> GameEvent:
    """Return what happens next: the choice of a player, or a throw of the dice that do not stay."""
    expects = position.expects()
    for player in expects.do:
        offers = rules.ui.list_offers(position, player)[:LIKED_CHOICES]
        return ActionEvent(player, chance.choice(offers).action)
    player = expects.roll[0]
    faces = [int(text[-1]) for text in position.dice_to_leave(player)]
    faces += [chance.randint(1, 6) for _ in rules.polarities[len(faces) :]]
    return RollEvent(player, rules.roll_text(faces, ["light"] * len(faces)))
