# SPDX-License-Identifier: MIT
"""
An event that plays by itself: a simulated table throws, simulated players choose.

Everything else is real: the table joins with the code, its lines go over the wire, and phones
join over HTTP. Real phones and the organiser may take part at any time.
"""

from __future__ import annotations

import contextlib
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from pathlib import Path

from controller.base.durable_files import create_data_folder
from controller.base.errors import InputError, RefusedError
from controller.cli.arguments import print_line
from controller.cli.build_table import BuiltTable
from controller.cli.event.server import EventOptions, OpenEvent, open_event_server
from controller.runtime.access.store import renew_pin
from controller.tournament.entries.codec import EventEntry
from controller.tournament.entries.entry_base import FORMAT
from controller.tournament.entries.event_entries import NEW_ABSENCE, EventBegun
from controller.tournament.server.official_requests import build_official_entry
from controller.tournament.simulated.players import PlayerPace, SimulatedPlayers
from controller.tournament.state.state import EventState
from hardware.simulated.hands import SimulatedHands
from webui.tournament.server import TournamentServer

OFFICIAL = "Demo"
PLAYERS = 24
PACE = PlayerPace(joins_s=1.5, least_s=0.5, most_s=5.0)
ROLL_PAUSE_S = 2.0  # After a roll the screens show what the field took.
GAME_PAUSE_S = 8.0
THROW_S = 20.0  # A throw that the table has not taken by then is thrown again.
POLL_S = 0.1


class DemoStep(Enum):
    OPEN_GAME = "open game"
    THROW = "throw"
    RESULT = "result"
    CHOICES = "choices"
    END = "end"


@contextlib.contextmanager
def play_event(
    table: BuiltTable, hands: SimulatedHands, data: Path, server: TournamentServer
) -> Iterator[None]:
    """
    Serve an event and play it while the block runs; its addresses are printed.

    `table` is simulated and started, with a game in which it only throws; `server` is not bound
    yet. InputError if the data folder or the port cannot be used.
    """
    create_data_folder(data)
    pin = renew_pin(data)
    with open_event_server(EventOptions(data), server, print_refusal) as served:
        serving = threading.Thread(target=served.run, name="event server")
        demo = EventDemo(served.event, server.url, table, hands)
        serving.start()
        playing = threading.Thread(target=demo.run, name="demo")
        playing.start()
        try:
            _print_addresses(server, pin)
            yield
        finally:
            demo.close()
            playing.join()
            server.stop()
            serving.join()


class EventDemo:
    """Lets one event go on by itself, in a thread."""

    def __init__(
        self, event: OpenEvent, url: str, table: BuiltTable, hands: SimulatedHands
    ) -> None:
        self._event = event
        self._url = url
        self._table = table
        self._hands = hands
        self._box = table.runtime.public_key
        self._players = SimulatedPlayers(url, PLAYERS, secrets.randbits(32), PACE)
        self._is_closing = threading.Event()

    def close(self) -> None:
        """Let the thread end soon."""
        self._is_closing.set()

    def run(self) -> None:
        """Join, begin and play until the event has its result, or `close`."""
        try:
            self._prepare()
            self._players.start()
            self._wait_until(lambda: all(player.number for player in self._players.players))
            while not self._is_closing.is_set() and self._step():
                pass
        finally:
            self._players.close()

    def _prepare(self) -> None:
        """Let the table join, and begin the event unless it has begun in an earlier run."""
        runner, url = self._event.runner, self._url
        self._wait_until(lambda: not self._event.store.problem and runner.is_caught_up)
        if self._table.uplink.status().address != url and not self._is_closing.is_set():
            self._table.uplink.join(url, self._event.receiver.read_code(), "Table 1")
        self._wait_until(lambda: runner.read(lambda state: state.data.boxes.find(self._box)))
        if runner.read(lambda state: state.data.begun) is None:
            self._propose(lambda state: begin_demo())
        # The phones of an earlier run are gone, and the rolls would wait for them.
        for number in runner.read(lambda state: sorted(state.data.people.list_present())):
            self._act("pause", player=str(number))

    def _step(self) -> bool:
        """Do what the event waits for; return whether it goes on."""
        step = self._find_step()
        if step is DemoStep.THROW:
            self._hands.throw()
        elif step is DemoStep.OPEN_GAME:
            self._act("open game", box=self._box)
        elif step is DemoStep.RESULT:
            self._act("publish result")
        self._wait_until(lambda: self._find_step() is not step, THROW_S)
        after = self._find_step()
        if step is DemoStep.CHOICES and after is DemoStep.THROW:
            self._is_closing.wait(ROLL_PAUSE_S)
        elif after in (DemoStep.OPEN_GAME, DemoStep.RESULT):
            self._is_closing.wait(GAME_PAUSE_S)
        return after is not DemoStep.END

    def _find_step(self) -> DemoStep:
        runner = self._event.runner
        return runner.read(partial(find_step, runner.now_ms()))

    def _act(self, do: str, **form: str) -> None:
        self._propose(build_official_entry(do, form, OFFICIAL, self._event.runner.now_ms()))

    def _propose(self, build: Callable[[EventState], EventEntry]) -> None:
        # The organiser may have done it already.
        with contextlib.suppress(RefusedError):
            self._event.runner.propose(build).result()

    def _wait_until(self, is_so: Callable[[], object], most_s: float = float("inf")) -> None:
        end_s = time.monotonic() + most_s
        while not is_so() and time.monotonic() < end_s:
            if self._is_closing.wait(POLL_S):
                return


def begin_demo() -> EventBegun:
    """Return the first entry of the demo: three games of Choice for everybody."""
    return EventBegun(
        format=FORMAT,
        name="Demo Cup",
        style="duplicate",
        game="choice",
        options={"jokers": True},
        games=3,
        clock_s=40,
        absence=NEW_ABSENCE,
    )


def find_step(now_ms: int, state: EventState) -> DemoStep:
    """Return what the event waits for at this time."""
    data = state.data
    if data.result is not None:
        return DemoStep.END
    if data.open_game is None:
        is_over = data.begun is not None and len(data.games) >= data.event.games
        return DemoStep.RESULT if is_over else DemoStep.OPEN_GAME
    roll = data.open_roll
    if roll is None:
        return DemoStep.THROW
    # A reserve roll comes last: once it is there, it is too late for a Terminator.
    is_last = roll.awaiting <= roll.asked or now_ms >= roll.until_ms
    return DemoStep.THROW if roll.needs_reserve and is_last else DemoStep.CHOICES


def print_refusal(error: InputError) -> None:
    """Print why the database of the data folder cannot be used."""
    print_line(f"dicebell demo: {error}")


def _print_addresses(server: TournamentServer, pin: str) -> None:
    url = server.lan_url or server.url
    print_line(f"The event is at {url} and plays by itself.")
    print_line(f"  {url}play       join with a phone or another window")
    print_line(f"  {url}tv         the big screen")
    print_line(f"  {url}standings  everybody's place")
    print_line(f"  {url}organiser  the officials' pages, PIN {pin}")
