# SPDX-License-Identifier: MIT
"""A table and a tray as the pages see them, driven by the test."""

from __future__ import annotations

from typing import Literal, cast

from controller.journal.picture_store import PictureStore
from controller.runtime.event_loop import TableLoop
from controller.runtime.frame_events import FrameEvents
from controller.runtime.monitoring.health import HealthMonitor
from controller.runtime.running_table import RunningTable
from controller.runtime.shown_picture import EncodedPicture
from controller.runtime.shown_table import ShownTable
from controller.table.events import Event
from controller.table.state import TableState
from controller.table.view.question import CommandResult, is_current
from controller.table.view.types import (
    ChoiceView,
    DieView,
    LastRollView,
    LobbyLine,
    LobbyView,
    Snapshot,
)
from hardware.clock import SteppedClock
from hardware.simulated.hands import SimulatedHands
from tests.support.memory_disk import Disk


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
        "help": {"title": "Choice", "parts": [], "example": []},
        "may_count": False,
        "course": None,
        "joiners": None,
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
        "grades": [{"key": "casual", "label": "Casual"}, {"key": "strong", "label": "Strong"}],
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
    return {"action": action, "text": action, "kind": "pairs", "gain": 0, "total": 0}


class FakeTable(TableLoop):
    """The loop of a table without camera and disk; the test sets its views and pictures."""

    def __init__(self, first: Snapshot | None = None, *, state: TableState | None = None) -> None:
        self.sent: list[Event] = []
        self.refused = ""
        self.frames, self.pictures = FakeFrames(), FakePictures()
        self.clock = SteppedClock()
        self.monitor = HealthMonitor(self.clock)
        super().__init__(
            state or TableState(), storage=Disk(), observers=(self.monitor,), ask_timeout_s=0.0
        )
        if state is None:
            self._shown = _SetView(view() if first is None else first)
        self.running = RunningTable(self, self.frames, self.monitor, self.pictures)

    def show(self, **changes: object) -> None:
        """Change the view of every viewer; its version rises by one."""
        with self._changed:
            now = self.snapshot()
            self._shown = _SetView({**now, **changes, "version": now["version"] + 1})  # type: ignore[typeddict-item]
            self._changed.notify_all()

    def ask(self, event: Event, about: str | None, viewer: str = "") -> CommandResult:
        if not is_current(self.snapshot(viewer), about):
            return CommandResult(fits=False)
        return CommandResult(fits=True, refusal=self.receive(event))

    def send(self, event: Event) -> None:
        self.receive(event)

    def receive(self, event: Event) -> str:
        """Note an event that arrived; return the refusal, empty if there is none."""
        self.sent.append(event)
        return self.refused


class _SetView(ShownTable):
    def __init__(self, shown: Snapshot) -> None:
        super().__init__(TableState(), shown["version"], None)
        self._set = shown

    def view_for(self, viewer: str) -> Snapshot:
        return self._set


class FakeFrames(FrameEvents):
    def __init__(self) -> None:
        self.shown = (0, b"")

    def picture(self, *, is_small: bool = False) -> EncodedPicture:
        return EncodedPicture(*self.shown, scale=2 if is_small else 1)


class FakePictures(PictureStore):
    def __init__(self) -> None:
        self.stored: dict[str, bytes] = {}

    def read(self, digest: str) -> bytes | None:
        return self.stored.get(digest)


class FakeTray(SimulatedHands):
    """Hands that only note what they are to do."""

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
