# SPDX-License-Identifier: MIT
"""
Connections to PostgreSQL; importing this needs psycopg, its driver.

libpq gets the address as it is, so it may name several hosts: the first one that takes writes
counts, which is a promoted replica if the others are gone. Nothing may wait for a dead machine for
long, and nothing counts as stored that its disk and its synchronous replicas do not have.
"""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.errors import Diagnostic
from sqlalchemy import Engine, create_engine, event
from sqlalchemy.pool import ConnectionPoolEntry

READERS = 8
WARNINGS = "warnings"  # Where the `info` of a connection has the warnings of its server.
DEFAULTS = {
    "application_name": "dicebell",
    "connect_timeout": "5",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
    "target_session_attrs": "read-write",
}
"""What libpq uses unless the address says otherwise; times in seconds, the last in milliseconds."""

# A server that vanished or stands still in a transaction must not lock out the others.
_SETTINGS = """
SET idle_in_transaction_session_timeout = '15s';
SET lock_timeout = '10s';
SET tcp_keepalives_idle = 5;
SET tcp_keepalives_interval = 2;
SET tcp_keepalives_count = 3;
"""
# Values of `synchronous_commit` with which a commit returns before it is on the disks.
_LOCAL_COMMITS = ("off", "local", "remote_write")


class PostgresqlAddress:
    """A database's address, as postgresql://user@host,replica/event; psycopg.Error if malformed."""

    def __init__(self, address: str) -> None:
        found = conninfo_to_dict(address)
        self._given = {key: str(value) for key, value in found.items() if value}
        self._full = make_conninfo(**DEFAULTS | self._given)

    @property
    def name(self) -> str:
        """The hosts and the database, without a password."""
        hosts = self._given.get("host", "").split(",")
        ports = self._given.get("port", "").split(",")
        ports = ports * len(hosts) if len(ports) == 1 else ports
        pairs = zip(hosts, ports, strict=False)
        places = ",".join(f"{host}:{port}" if port else host for host, port in pairs)
        user = f"{self._given['user']}@" if "user" in self._given else ""
        return f"postgresql://{user}{places}/{self._given.get('dbname', '')}"

    def create_engine(self) -> Engine:
        """Return the connections to it; none is opened yet. `info` of each has its warnings."""
        engine = create_engine(
            "postgresql+psycopg://", creator=self.connect, pool_size=READERS, pool_pre_ping=True
        )
        event.listen(engine, "connect", _keep_warnings)
        return engine

    def connect(self) -> psycopg.Connection[Any]:
        """Open a connection whose commits are durable; psycopg.Error if there is none."""
        connection = psycopg.connect(self._full, autocommit=True)
        try:
            _set_up(connection)
        except BaseException:
            connection.close()
            raise
        connection.autocommit = False
        return connection


def _set_up(connection: psycopg.Connection[Any]) -> None:
    connection.execute(_SETTINGS)
    question = "SELECT current_setting('fsync'), current_setting('synchronous_commit')"
    fsync, commits = connection.execute(question).fetchone() or ("", "")
    if fsync != "on":
        raise psycopg.OperationalError(
            f"expected fsync = on in the settings of PostgreSQL, found {fsync}: nothing is durable"
        )
    if commits in _LOCAL_COMMITS:
        connection.execute("SET synchronous_commit = on")


def _keep_warnings(connection: Any, record: ConnectionPoolEntry) -> None:
    """Keep the warnings of the server in the `info` of the connection."""
    warnings: list[str] = []
    record.info[WARNINGS] = warnings

    def note(notice: Diagnostic) -> None:
        if notice.severity_nonlocalized == "WARNING":
            warnings.append(notice.message_primary or "a warning without a text")

    connection.add_notice_handler(note)
