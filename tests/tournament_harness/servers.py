# SPDX-License-Identifier: MIT
"""The servers of one evening and their database, and what befalls them."""

from __future__ import annotations

import contextlib
import random
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from pathlib import Path

from tests.support.desk_process import DeskProcess
from tests.support.postgres_cluster import Cluster, one_database
from tests.support.tournament_store import StorePlace

SERVERS = 2


class Kind(Enum):
    """Where an evening keeps its journals."""

    SQLITE = "sqlite"
    POSTGRESQL = "postgresql"
    REPLICA = "replica"


@dataclass
class Servers:
    """The servers of one event."""

    places: list[StorePlace]
    running: list[DeskProcess] = field(default_factory=list)
    mishaps: list[Callable[[], None]] = field(default_factory=list)

    @property
    def ports(self) -> list[int]:
        """Their ports, which stay."""
        return [server.port for server in self.running]

    def start(self) -> None:
        """Start all of them."""
        for place in self.places:
            self.running.append(start_server(place).__enter__())

    def restart(self, number: int, how: signal.Signals) -> None:
        """End one of them, and start it again at the same port."""
        before = self.running[number]
        before.end(how)
        self.running[number] = start_server(self.places[number], before.port).__enter__()

    def lose(self, number: int) -> None:
        """Kill one of them for good."""
        self.running.pop(number).end(signal.SIGKILL)

    def end(self) -> list[int]:
        """End all of them; return their exit statuses."""
        return [server.end(signal.SIGTERM) for server in self.running]

    def kill(self) -> None:
        """Leave none behind."""
        for server in self.running:
            server.end(signal.SIGKILL)


def start_server(place: StorePlace, port: int = 0) -> DeskProcess:
    """Return a server that is not started yet."""
    options = ["--database", place.url] if place.url else []
    return DeskProcess(place.folder, *options, port=port)


@contextlib.contextmanager
def prepare_servers(
    kind: Kind, folder: Path, cluster: Cluster | None, chance: random.Random, restarts: int
) -> Iterator[Servers]:
    """Give servers with an empty database; none is started."""
    with contextlib.ExitStack() as closing:
        place = StorePlace(folder / "event 0")
        mishaps: list[Callable[[], None]] = []
        place.folder.mkdir()
        if kind is Kind.POSTGRESQL:
            assert cluster is not None
            url = closing.enter_context(one_database(cluster, f"evening_{time.time_ns()}"))
            place = StorePlace(place.folder, url)
            mishaps = [partial(_kill_database, cluster)] * 2
        elif kind is Kind.REPLICA:
            primary = closing.enter_context(Cluster())
            primary.create_database("event")
            replica = closing.enter_context(Cluster(primary))
            primary.require_replica()
            place = StorePlace(place.folder, primary.make_url("event", replica))
            mishaps = [partial(_promote, primary, replica)]
        servers = Servers([place])
        if kind is not Kind.SQLITE:
            servers.places += [
                StorePlace(folder / f"event {number}", place.url) for number in range(1, SERVERS)
            ]
        for count in range(restarts):
            number = count % len(servers.places)
            how = chance.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM])
            mishaps.append(partial(servers.restart, number, how))
        chance.shuffle(mishaps)
        servers.mishaps = mishaps
        closing.callback(servers.kill)
        yield servers


def copy_folders(servers: Servers) -> None:
    """Give every server the key of the event and the organiser's PIN."""
    for place in servers.places[1:]:
        shutil.copytree(servers.places[0].folder, place.folder)


def _kill_database(cluster: Cluster) -> None:
    cluster.kill()
    cluster.start()


def _promote(primary: Cluster, replica: Cluster) -> None:
    """The machine of the database is gone for good."""
    primary.kill()
    replica.promote()
