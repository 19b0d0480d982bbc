# SPDX-License-Identifier: MIT
"""
Journals of random games with everything that goes wrong at a table, written without one.

What is true is kept beside the entries, as the positions themselves: taking back is
going back to an older position, so nobody has to read the entries to know it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.base.errors import IllegalActionError
from controller.games import GAMES
from controller.games.contract import ActionEvent, GameState, Options, RollEvent
from controller.games.game import Game
from controller.journal.hashchain import Body, Entry, Value, build_next_entry, encode_entry
from controller.journal.journal import JOURNAL_FILE
from tests.controller.games.playing import NAMES, legal_roll, random_roll

BEGAN_MS = 1_795_000_000_000
PLAYED: tuple[tuple[str, Options], ...] = (
    ("choice", {"jokers": False}),
    ("choice", {"jokers": True}),
    ("black-n-white", {"chips_per_player": 2}),
    ("wuerfelspiel", {}),
)
"""Every game with a result, as tests play it."""
FAULTS = ("undo", "correction", "pause", "fault", "restart", "review", "reading")


class WrittenJournal:
    """Entries as a journal holds them, one bound to the next."""

    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def add(self, kind: str, body: Body | None = None, *, at_ms: int | None = None) -> Entry:
        """Append an entry; unless somebody sets the clock, it goes on by four seconds."""
        before = self.entries[-1] if self.entries else None
        at_ms = self.next_at_ms if at_ms is None else at_ms
        entry = build_next_entry(before, at_ms=at_ms, kind=kind, body=body or {})
        self.entries.append(entry)
        return entry

    @property
    def next_at_ms(self) -> int:
        return self.entries[-1].at_ms + 4_000 if self.entries else BEGAN_MS

    def text(self) -> bytes:
        return b"".join(encode_entry(entry) + b"\n" for entry in self.entries)

    def write(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        (folder / JOURNAL_FILE).write_bytes(self.text())


@dataclass
class _Open:
    """The game that is on: its position, the last roll, and what can be taken back."""

    rules: Game
    position: GameState
    before_roll: GameState | None = None
    rolled: RollEvent | None = None
    done: tuple[tuple[ActionEvent, GameState], ...] = ()


class RandomGame:
    """
    Plays one game into a journal.

    Args:
        journal: Where it goes.
        game: Its key.
        players: How many.
        seed: Decides everything.
        mischief: How often something else happens between two events of the game.
        picture: Returns the digest of the next picture.
        marks: More keys of the first entry: who plays by itself, and hints.
    """

    def __init__(
        self,
        journal: WrittenJournal,
        game: str,
        *,
        players: int = 2,
        names: tuple[str, ...] = NAMES,
        options: Options | None = None,
        seed: int = 0,
        mischief: float = 0.3,
        picture: Callable[[], str] = lambda: "",
        marks: Body | None = None,
    ) -> None:
        self._journal, self._picture, self._mischief = journal, picture, mischief
        self._chance = random.Random(seed)
        rules = GAMES[game]
        position = rules.start(names[:players], options or {})
        self._open = _Open(rules, position)
        self.happened: dict[str, int] = dict.fromkeys(FAULTS, 0)
        body: Body = {
            "game": game,
            "players": list(position.players),
            "options": dict(position.options),
            **(marks or {}),
        }
        journal.add("game", body)

    @property
    def position(self) -> GameState:
        return self._open.position

    def play(self, events: int = 5_000) -> GameState:
        """Play so many events or to the end; return where it stands then."""
        for _ in range(events):
            if self._chance.random() < self._mischief:
                self._interrupt()
            if self.position.outcome() is not None:
                break
            self._go_on()
        return self.position

    def _go_on(self) -> None:
        expects = self.position.expects()
        acting = list(expects.do)
        if acting and (not expects.roll or self._chance.random() < 0.5):
            name = self._chance.choice(acting)
            self._act(ActionEvent(name, self._chance.choice(expects.do[name])))
        else:
            self._roll(self._chance.choice(expects.roll), held="")

    def _act(self, action: ActionEvent) -> None:
        before = self.position
        self._open.position = before.apply(action)
        if action.action.startswith(("throw", "hold")) and self._chance.random() < 0.5:
            self._roll(action.by, held=action.action)
            return
        self._open.done = (*self._open.done, (action, before))
        self._journal.add("action", {"by": action.by, "do": action.action, **self._result()})

    def _roll(self, by: str, *, held: str) -> None:
        opened, rules = self._open, self._open.rules
        roll = RollEvent(by, legal_roll(rules, opened.position, by, self._chance))
        opened.before_roll, opened.rolled, opened.done = opened.position, roll, ()
        opened.position = opened.position.apply(roll)
        is_by_hand = self._chance.random() < 0.1
        body: Body = {
            "by": by,
            "held": held,
            "roll": roll.roll,
            "by_hand": "Eva" if is_by_hand else "",
            "reason": "It leans." if is_by_hand else "",
            "lie": [] if is_by_hand else self._lie(roll.roll),
            "doubts": ["cocked: A die leans against the wall."] if is_by_hand else [],
            "picture": self._picture(),
        }
        self._journal.add("roll", {**body, **self._result()})

    def _interrupt(self) -> None:
        what = self._chance.choice(FAULTS)
        if what == "undo" and self._open.done:
            self._undo()
        elif what == "correction" and self._open.rolled:
            self._correct()
        elif what == "reading":
            lie = self._lie(random_roll(self._open.rules, self._chance))
            doubts = ["placed: A hand set the 4."]
            self._journal.add(
                "reading", {"lie": lie, "doubts": doubts, "rejected": [], "picture": ""}
            )
        elif what in _PLAIN and (what != "review" or self._open.rolled):
            for kind, body in _PLAIN[what].items():
                self._journal.add(kind, body)
        else:
            return
        self.happened[what] += 1

    def _undo(self) -> None:
        actions = [action for action, _ in self._open.done]
        by = self._chance.choice([action.by for action in actions])
        place = max(place for place, action in enumerate(actions) if action.by == by)
        if not self.position.faces or not self._redo(actions[:place] + actions[place + 1 :]):
            # What followed from it stands in the way, or the roll is over.
            place = len(actions) - 1
            assert self._redo(actions[:place])
        self._journal.add("undo", {"by": actions[place].by, "do": actions[place].action})

    def _redo(self, actions: Sequence[ActionEvent]) -> bool:
        """Let just these actions have been done since the roll; tell whether the rules allow it."""
        position, done = self._open.done[0][1], []
        for action in actions:
            done.append((action, position))
            try:
                position = position.apply(action)
            except IllegalActionError:
                return False
        self._open.done, self._open.position = tuple(done), position
        return True

    def _correct(self) -> None:
        opened = self._open
        assert opened.rolled is not None
        assert opened.before_roll is not None
        was, before = opened.rolled, opened.before_roll
        roll = RollEvent(was.by, legal_roll(opened.rules, before, was.by, self._chance))
        undone: list[Value] = [{"by": act.by, "do": act.action} for act, _ in opened.done]
        opened.position, opened.rolled, opened.done = before.apply(roll), roll, ()
        body: Body = {
            "by": "Eva",
            "reason": "The 4 is a 5.",
            "was": was.roll,
            "roll": roll.roll,
            "picture": "",
            "undone": undone,
        }
        self._journal.add("correction", {**body, **self._result()})

    def _result(self) -> Body:
        return describe_result(self.position)

    def _lie(self, roll: str) -> list[Value]:
        return lying(self._open.rules.parse_roll(roll))


def describe_result(position: GameState) -> Body:
    """Return what an entry that leads to a position says of the result; nothing before the end."""
    outcome, totals = position.outcome(), dict(position.totals())
    if outcome is None:
        return {}
    winners, losers = list(outcome.winners), list(outcome.losers)
    return {"result": {"totals": totals, "winners": winners, "losers": losers}}


def lying(dice: Sequence[str]) -> list[Value]:
    """Return dice in a row, given by their texts in a roll, as an entry tells them."""
    return [_lying(place, die) for place, die in enumerate(dice)]


def _lying(place: int, die: str) -> Mapping[str, Value]:
    is_black = die.startswith("b")
    return {
        "face": int(die[-1]),
        "polarity": "dark" if is_black else "light",
        "colour": "black" if is_black else "white",
        "x_mpx": 60_000 + 80_000 * place,
        "y_mpx": 90_000,
        "angle_mdeg": 12_000 * place,
        "edge_mpx": 40_000,
        "origin": "thrown",
        "was": 0,
        "confidence_ppm": 998_000,
    }


_PLAIN: Mapping[str, Mapping[str, Body]] = {
    "pause": {"pause": {}, "resume": {}},
    "fault": {
        "fault": {"device": "camera", "what": "The camera is gone."},
        "back": {"device": "camera"},
    },
    "restart": {"restart": {"torn": ""}},
    "review": {"review": {"by": "Ben"}, "reviewed": {"outcome": "stands"}},
}
