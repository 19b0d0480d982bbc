# SPDX-License-Identifier: MIT
"""
A real PostgreSQL with a folder of its own, which can be killed, frozen, copied and promoted.

PostgreSQL refuses to run as root, so then it runs as the user that Debian made for it.
"""

from __future__ import annotations

import contextlib
import os
import pwd
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name)
START_S = 60.0
USER, REPLICA = "dicebell", "replica"
_SYNC = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
ACCOUNTS = ("postgres", "nobody")
SETTINGS = (
    "listen_addresses=127.0.0.1",
    "max_connections=60",
    "shared_buffers=16MB",
    "max_wal_senders=4",
    "wal_receiver_status_interval=1s",
    "lc_messages=C",
    "log_checkpoints=off",
)


def require_postgresql() -> None:
    """Skip a test on a machine where no cluster can be started."""
    pytest.importorskip("psycopg", reason="make installs it")
    if _find_program("postgres") is None:
        pytest.skip("PostgreSQL is not installed; `make test` does it")
    if os.geteuid() == 0 and _find_account() is None:
        pytest.skip("PostgreSQL does not run as root, and there is no other user")


class Cluster:
    """A cluster in a folder of its own, at a port of its own; a replica of its `source`, if any."""

    def __init__(self, source: Cluster | None = None, settings: tuple[str, ...] = ()) -> None:
        self._account = _find_account() if os.geteuid() == 0 else None
        self._folder = Path(tempfile.mkdtemp(prefix="dicebell-cluster-"))
        self._data = self._folder / "data"
        self._log = self._folder / "log"
        self._settings = settings
        self._process: subprocess.Popen[bytes] | None = None
        if self._account is not None:
            shutil.chown(self._folder, self._account, _group_of(self._account))
        self.port = _find_port()
        if source is None:
            how = [
                "--auth=trust",
                f"--username={USER}",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync",
                "--wal-segsize=1",
            ]
            self._run("initdb", *how, "-D", str(self._data))
        else:
            where = f"host=127.0.0.1 port={source.port} user={USER} application_name={REPLICA}"
            how = ["-R", "-d", where, "--checkpoint=fast", "--no-sync"]
            self._run("pg_basebackup", *how, "-D", str(self._data))

    def __enter__(self) -> Cluster:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        if "PYTEST_CURRENT_TEST" in os.environ:
            # pytest shows it if the test fails.
            print(f"--- PostgreSQL wrote:\n{self._log.read_text()[-4000:]}")  # noqa: T201
        shutil.rmtree(self._folder)

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def make_url(self, name: str, *others: Cluster) -> str:
        """Return the address of a database in this cluster, or in its replicas."""
        hosts = ",".join(cluster.host for cluster in (self, *others))
        return f"postgresql://{USER}@{hosts}/{name}"

    def create_database(self, name: str) -> str:
        self.ask(f'CREATE DATABASE "{name}"')
        return self.make_url(name)

    def drop_database(self, name: str) -> None:
        self.ask(f'DROP DATABASE "{name}" WITH (FORCE)')

    def ask(self, question: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(self.make_url(database), autocommit=True) as connection:
            cursor = connection.execute(question)
            return cursor.fetchall() if cursor.description else []

    def start(self, *, largest_file: int = resource.RLIM_INFINITY) -> None:
        """Start it, and wait until it answers; no file grows beyond `largest_file` bytes."""
        limits = (largest_file, resource.getrlimit(resource.RLIMIT_FSIZE)[1])
        command = [_require_program("postgres"), "-D", str(self._data), "-p", str(self.port)]
        for setting in (*SETTINGS, f"unix_socket_directories={self._folder}", *self._settings):
            command += ["-c", setting]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, limits),
                **self._as_account(),
            )
        self.wait_until_ready()

    def wait_until_ready(self) -> None:
        import psycopg

        end_s = time.monotonic() + START_S
        while True:
            try:
                self.ask("SELECT 1")
            except psycopg.OperationalError:
                assert self._process is not None
                assert self._process.poll() is None, self._log.read_text()
                assert time.monotonic() < end_s, self._log.read_text()
                time.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        if self._process is None:
            return
        # It must not fork while its children are counted, and stops only after a moment.
        self._process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self._process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        children = _list_children(self._process.pid)
        self._process.kill()
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self._process.wait()
        self._process = None
        while any(map(_is_running, children)):
            time.sleep(0.005)

    @contextlib.contextmanager
    def is_full(self, size: int) -> Iterator[None]:
        """Start it again, so that it can write no larger file than this, as on a full disk."""
        self.kill()
        self.start(largest_file=size)
        try:
            yield
        finally:
            self.kill()
            self.start()

    @contextlib.contextmanager
    def has_settings(self, **settings: str) -> Iterator[None]:
        """Change settings for a moment; new connections have them."""
        for name, value in settings.items():
            self.ask(f"ALTER SYSTEM SET {name} = '{value}'")
        self.ask("SELECT pg_reload_conf()")
        try:
            yield
        finally:
            for name in settings:
                self.ask(f"ALTER SYSTEM RESET {name}")
            self.ask("SELECT pg_reload_conf()")

    def disconnect(self, database: str) -> None:
        """Close all connections to a database, as a restart does, and return when they are."""
        closed = self.ask(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity"
            f" WHERE datname = '{database}'"
        )
        assert all(is_closed for (is_closed,) in closed)

    def require_replica(self) -> None:
        """From now on a commit is one only if the replica has it."""
        self.ask(f"ALTER SYSTEM SET synchronous_standby_names = '{REPLICA}'")
        self.ask("SELECT pg_reload_conf()")
        end_s = time.monotonic() + START_S
        while self.ask(_SYNC) != [(1,)]:
            assert time.monotonic() < end_s
            time.sleep(0.02)

    def cpu_s(self) -> float:
        """Return the processor time of all of its processes, those that have ended too."""
        assert self._process is not None
        pids = [self._process.pid, *_list_children(self._process.pid)]
        return sum(map(_read_cpu_s, pids))

    def promote(self) -> None:
        assert self.ask("SELECT pg_promote(true, 60)") == [(True,)]

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [_require_program(program), *arguments],
            capture_output=True,
            text=True,
            cwd=self._folder,
            **self._as_account(),
        )
        assert done.returncode == 0, done.stderr

    def _as_account(self) -> dict[str, Any]:
        if self._account is None:
            return {}
        group = _group_of(self._account)
        return {"user": self._account, "group": group, "extra_groups": []}


@contextlib.contextmanager
def one_database(cluster: Cluster, name: str) -> Iterator[str]:
    url = cluster.create_database(name)
    try:
        yield url
    finally:
        cluster.drop_database(name)


def _find_program(name: str) -> str | None:
    folders = [*reversed([str(path) for path in PROGRAMS]), os.environ.get("PATH", "")]
    return shutil.which(name, path=os.pathsep.join(folders))


def _require_program(name: str) -> str:
    found = _find_program(name)
    assert found is not None, name
    return found


def _find_account() -> str | None:
    known = {account.pw_name for account in pwd.getpwall()}
    return next((name for name in ACCOUNTS if name in known), None)


def _group_of(account: str) -> int:
    return pwd.getpwnam(account).pw_gid


def _find_port() -> int:
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port: int = taken.getsockname()[1]
        return port


def _list_children(parent: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[1]) == parent:
                found.append(int(path.parent.name))
    return found


def _read_cpu_s(pid: int) -> float:
    """Return the processor time of a process and of its children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
