# SPDX-License-Identifier: MIT
"""
Players of a duplicate event without people: they join, follow their stream, and choose.

Each is one phone with a connection of its own, and all of them share one event loop. What they
choose, and after how long, follows from a seed and from the rolls.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.tournament.simulated.phone_client import PhoneClient

NAMES = (
    *("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Greta", "Hugo", "Ida", "Jan", "Kira", "Leo"),
    *("Mia", "Nils", "Olga", "Paul", "Rosa", "Sam", "Tina", "Uwe", "Vera", "Wim", "Yara", "Zoe"),
)
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.2, 5.0
_MARGIN = 0.7  # The part of the clock within which everybody chooses.


@dataclass(frozen=True, slots=True)
class PlayerPace:
    """How fast simulated players are."""

    joins_s: float = 3.0  # They join one after the other within these seconds.
    least_s: float = 1.0  # The shortest time to think.
    most_s: float = 10.0  # The longest one, if the clock allows it.
    misses: float = 0.0  # The share of the rolls from which a player does not choose.
    jokers: float = 0.1  # How often a player who has a joker uses it.


class SimulatedPlayer:
    """One player and their phone; if somebody has the name, a number is added to it."""

    def __init__(
        self, client: PhoneClient, name: str, chance: random.Random, pace: PlayerPace
    ) -> None:
        self._client = client
        self._name = name
        self._chance = chance
        self._pace = pace
        self._thinking: asyncio.Task[None] | None = None
        self._asked = ""
        self.number = 0  # The number in the event; 0 before joining.
        self.shared: dict[str, Any] = {}  # The newest message for everybody.
        self.own: dict[str, Any] = {}  # The newest message about this player.
        self.refused: list[str] = []
        self.is_over = False

    async def play(self) -> None:
        """Join, and play until the result; lost connections are opened again."""
        pause_s = FIRST_PAUSE_S
        try:
            while not self.is_over:
                try:
                    if not self.number:
                        await self._join()
                    async for name, view in self._client.follow():
                        pause_s = FIRST_PAUSE_S
                        if self.receive(name, view):
                            break
                except (OSError, TimeoutError):
                    await asyncio.sleep(pause_s)
                    pause_s = min(2 * pause_s, LONGEST_PAUSE_S)
        finally:
            if self._thinking is not None:
                self._thinking.cancel()

    def receive(self, name: str, view: dict[str, Any]) -> bool:
        """
        Note a message of the stream, and begin to think if it asks for a choice.

        Return whether the event is over.
        """
        if name == "shared":
            self.shared = view
            self.is_over = bool(view.get("is_final"))
        if name == "own":
            self.own = view
            self._consider(view.get("roll"))
        return self.is_over

    async def choose(self, do: list[str]) -> bool:
        """Choose from the open roll; return whether it is durable."""
        roll = self.own["roll"]
        body = {"game": self.own["game"], "roll": roll["number"], "do": do}
        while True:
            # A choice whose answer was lost is sent again, as the page does.
            with contextlib.suppress(OSError, TimeoutError):
                answer = await self._client.post("/event/choices", body)
                if answer.status == 200:
                    return True
                if answer.status not in (429, 503):
                    self.refused.append(str(answer.body.get("error", answer.status)))
                    return False
            await asyncio.sleep(FIRST_PAUSE_S)

    async def _join(self) -> None:
        """Join under the name, or the next free one like it."""
        names = [self._name, *(f"{self._name} {number}" for number in range(2, 1000))]
        for name in names:
            answer = await self._client.post("/event/players", {"name": name})
            if answer.status == 200:
                self.number = int(answer.body["player"])
                return
            if answer.body.get("code") != "twice":
                self.refused.append(str(answer.body.get("error", answer.status)))
                raise ConnectionError("joining was refused")

    def _consider(self, roll: dict[str, Any] | None) -> None:
        asks = f"{self.own.get('game')} {roll['number']} {roll['actions']}" if roll else ""
        if roll is None or not roll["actions"] or asks == self._asked:
            return
        self._asked = asks
        if self._thinking is not None:
            self._thinking.cancel()
        if self._chance.random() >= self._pace.misses:
            self._thinking = asyncio.create_task(self._think(roll))

    async def _think(self, roll: dict[str, Any]) -> None:
        clock_s = float(self.shared["event"]["clock_s"]) * _MARGIN
        most_s = min(self._pace.most_s, clock_s)
        await asyncio.sleep(self._chance.uniform(min(self._pace.least_s, most_s), most_s))
        await self.choose([self._pick(roll["actions"])])

    def _pick(self, actions: list[str]) -> str:
        """Return an action at random; most of the time one without a joker."""
        plain = [action for action in actions if " " not in action and "/" in action]
        jokers = [action for action in actions if action.startswith(("3:1", "terminator"))]
        uses = bool(jokers) and self._chance.random() < self._pace.jokers
        return self._chance.choice(jokers if uses else plain)


class SimulatedPlayers:
    """Many players at one event; the seed decides their names and choices."""

    def __init__(self, url: str, count: int, seed: int, pace: PlayerPace | None = None) -> None:
        self._pace = pace or PlayerPace()
        chance = random.Random(seed)
        first = chance.randrange(len(NAMES))
        self.players = [
            SimulatedPlayer(
                PhoneClient(url),
                NAMES[(first + number) % len(NAMES)],
                random.Random(chance.random()),
                self._pace,
            )
            for number in range(count)
        ]
        self._loop: asyncio.AbstractEventLoop | None = None
        self._playing: asyncio.Task[None] | None = None
        self._thread: threading.Thread | None = None

    async def run(self) -> None:
        """Let all of them play until the event has its result, or until cancelled."""
        async with asyncio.TaskGroup() as group:
            for player in self.players:
                group.create_task(player.play())
                await asyncio.sleep(self._pace.joins_s / len(self.players))

    def start(self) -> None:
        """Let them play in a thread of their own."""
        started = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._run_until_closed(started.set)), name="players"
        )
        self._thread.start()
        started.wait()

    def close(self) -> None:
        """Let them leave, as phones do whose batteries are empty."""
        if self._thread is None or self._loop is None or self._playing is None:
            return
        with contextlib.suppress(RuntimeError):  # they have ended by themselves
            self._loop.call_soon_threadsafe(self._playing.cancel)
        self._thread.join()

    async def _run_until_closed(self, on_started: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._playing = asyncio.create_task(self.run())
        on_started()
        with contextlib.suppress(asyncio.CancelledError):
            await self._playing
