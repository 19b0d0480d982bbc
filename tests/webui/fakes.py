# SPDX-License-Identifier: MIT
"""A table and a tray as the pages see them, driven by the test."""

from __future__ import annotations

import threading
from typing import Literal, cast

from controller.base.errors import InputError
from controller.runtime.monitoring.health_status import Health
from controller.table.events import Event
from controller.table.view.question import CommandResult, is_current
from controller.table.view.types import (
    ChoiceView,
    DieView,
    HintsView,
    LastRollView,
    LobbyLine,
    LobbyView,
    Snapshot,
)

WELL = Health(
    wrong=(),
    loop="live",
    camera="live",
    tournament="off",
    journal="live",
    phase="lobby",
    frames=7,
    up_s=1.5,
    version="1.2.3",
    clock="live",
    mqtt="off",
)


def view(**changes: object) -> Snapshot:
    """Return a small view of a table in its lobby, with some keys changed."""
    plain: dict[str, object] = {
        "version": 1,
        "viewer": "",
        "question": "lobby",
        "recalibrating": False,
        "phase": "lobby",
        "game": None,
        "title": "Choice",
        "headline": "Who is playing?",
        "hint": "Choose a game and the players, then start.",
        "notice": None,
        "players": [],
        "board": None,
        "dice": [],
        "by_hand": False,
        "corrected": False,
        "last_roll": None,
        "review": None,
        "doubts": [],
        "choices": [],
        "cursor": -1,
        "arrows": {},
        "joker": "",
        "buttons": {"left": None, "right": None, "confirm": "start game", "back": "up"},
        "lamps": [["confirm", "back"]] * 6,
        "undo": None,
        "outcome": None,
        "request": None,
        "progress": "",
        "dice_wanted": 5,
        "polarities": ["", "", "", "", ""],
        "lobby": lobby(),
        "checkpoint": None,
        "help": {"title": "Choice", "parts": []},
    }
    return cast(Snapshot, {**plain, **changes})


def lobby() -> LobbyView:
    """Return a lobby of two games, where Ada sits alone and start has the focus."""
    return {
        "lines": [
            _line("game", "Game", "Choice", ["Choice", "Black'n'White"]),
            _line("option", "Jokers", "without", ["without", "with"], key="jokers"),
            _line("seat", "Player 1", "Ada", ["Ada", "Ben"], seat=0),
            _line("seat", "Player 2", "", ["Ben"], seat=1),
            _line("start", "Start", "", []),
        ],
        "focus": 4,
        "games": ["choice", "black-n-white"],
        "known_players": ["Ada", "Ben"],
        "option_values": {"jokers": [False, True]},
        "grades": [
            {"key": "casual", "label": "Casual"},
            {"key": "strong", "label": "Strong"},
        ],
        "problem": "",
        "parked": "",
        "continues": False,
        "ends": "",
    }


def _line(
    kind: Literal["game", "option", "seat", "start"],
    label: str,
    value: str,
    values: list[str],
    *,
    key: str = "",
    seat: int = -1,
) -> LobbyLine:
    return {
        "kind": kind,
        "key": key,
        "seat": seat,
        "label": label,
        "value": value,
        "values": values,
        "index": values.index(value) if value in values else -1,
        "opponent": "",
    }


def die(face: int) -> DieView:
    """Return a white die that belongs to nothing yet."""
    return {
        "face": face,
        "polarity": "light",
        "colour": "white",
        "center_px": (10.0, 20.0),
        "angle_deg": 0.0,
        "edge_px": 30.0,
        "group": None,
        "taken": False,
        "placed": False,
        "limit": None,
    }


def last_roll() -> LastRollView:
    """Return a roll of Ada's that was read from a stored picture."""
    return {
        "name": "roll 1, 13446 in abcdef01",
        "by": "Ada",
        "roll": "13446",
        "dice": [die(face) for face in (1, 3, 4, 4, 6)],
        "picture": "abcdef01" * 8,
        "crop_px": (0, 0, 0, 0),
        "entered_by": "",
        "was": "",
        "reason": "",
        "since": [],
        "reviewed": False,
        "may_review": True,
        "may_correct": True,
    }


def choice(action: str) -> ChoiceView:
    """Return a choice that changes nothing."""
    return {"action": action, "text": action, "kind": "pairs", "gain": 0, "total": 0}


class FakeTable:
    """
    A `TableApi` whose views and pictures the test sets.

    Attributes:
        sent: The events that arrived, in order.
        evidence_of: Stored pictures by their digests.
        waited_s: How long each wait for a change was ready to wait.
        how: How it is.
        followers: How many screens follow it.
        is_busy: Whether no turn of an event comes in time.
        refused: Why it refuses what arrives; empty where it takes everything.
    """

    def __init__(self, first: Snapshot | None = None) -> None:
        self.sent: list[Event] = []
        self.waited_s: list[float] = []
        self.tray_picture = (0, b"")
        self.evidence_of: dict[str, bytes] = {}
        self.how = WELL
        self.followers = 0
        self.is_busy = False
        self.refused = ""
        self._view = view() if first is None else first
        self._changed = threading.Condition()
        self._is_closing = False

    def show(self, **changes: object) -> None:
        """Let the view change; its version rises by one."""
        with self._changed:
            version = self._view["version"] + 1
            self._view = cast(Snapshot, {**self._view, **changes, "version": version})
            self._changed.notify_all()

    def close(self) -> None:
        """Begin to shut down."""
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()

    def snapshot(self, viewer: str = "") -> Snapshot:
        """Return the view that the test set; every viewer sees the same."""
        return self._view

    def wait_for_change(self, version: int, timeout_s: float, viewer: str = "") -> Snapshot | None:
        with self._changed:
            self.waited_s.append(timeout_s)
            self._changed.wait_for(
                lambda: self._is_closing or self._view["version"] != version, timeout_s
            )
            is_new = self._view["version"] != version
        return self.snapshot(viewer) if is_new else None

    def ask(self, event: Event, about: str | None, viewer: str = "") -> CommandResult:
        if self.is_busy:
            raise TimeoutError
        if not is_current(self.snapshot(viewer), about):
            return CommandResult(fits=False)
        self.send(event)
        return CommandResult(fits=True, refusal=self.refused)

    def send(self, event: Event) -> None:
        self.sent.append(event)

    def picture(self) -> tuple[int, bytes]:
        return self.tray_picture

    def build_hints(self, viewer: str = "") -> HintsView:
        raise InputError(expected="a game for training", found="one that counts")

    def evidence(self, digest: str) -> bytes | None:
        return self.evidence_of.get(digest)

    def is_closing(self) -> bool:
        return self._is_closing

    def health(self) -> Health:
        return self.how

    def metrics_text(self) -> str:
        return "dicebell_rolls_total 3.0\n"

    def set_follower_count(self, count: int) -> None:
        self.followers = count


class FakeTray:
    """`SimulatorControls` that remember what was done."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def throw(self) -> None:
        self.done.append("throw")

    def pick_up(self, x_px: float, y_px: float) -> None:
        self.done.append(f"take at {x_px} {y_px}")

    def turn_at(self, x_px: float, y_px: float) -> None:
        self.done.append(f"turn at {x_px} {y_px}")

    def nudge(self) -> None:
        self.done.append("nudge")

    def turn(self) -> None:
        self.done.append("turn")

    def tilt(self) -> None:
        self.done.append("tilt")

    def take_out(self) -> None:
        self.done.append("take out")

    def put_back(self) -> None:
        self.done.append("put back")

    def lay_cards(self) -> None:
        self.done.append("lay cards")

    def take_cards(self) -> None:
        self.done.append("take cards")

    def knock(self) -> None:
        self.done.append("knock")

    def set_fault(self, name: str | None) -> None:
        self.done.append(f"fault {name}")
