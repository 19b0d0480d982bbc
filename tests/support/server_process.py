# SPDX-License-Identifier: MIT
"""A command that serves pages, as a process of its own, and the resources that it uses."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import IO, Protocol, Self

HOST = "127.0.0.1"
ADDRESS = r"http://127\.0\.0\.1:(\d+)/"
START_TIMEOUT_S = 120.0
STOP_TIMEOUT_S = 120.0
ANSWER_TIMEOUT_S = 60.0
LAST_CHARACTERS = 2000


class ProcessGoneError(RuntimeError):
    """A server ended, hangs, or never began to answer. What it printed last is the message."""


class StartedProcess(Protocol):
    """A started process, as `subprocess.Popen` has it."""

    @property
    def pid(self) -> int: ...

    @property
    def stdin(self) -> IO[str] | None: ...

    @property
    def stdout(self) -> IO[str] | None: ...

    def kill(self) -> None: ...

    def send_signal(self, sig: int) -> None: ...

    def poll(self) -> int | None: ...

    def wait(self, timeout: float | None = None) -> int: ...


@dataclass(frozen=True, slots=True)
class ProcessUsage:
    memory_mb: float
    threads: int
    files: int


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes
    took_ms: float


def start_program(command: Sequence[str]) -> StartedProcess:
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


class ServerProcess:
    """A command on a port of this machine, which prints its address; ended at the block's end."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = [*command]
        self.port = 0
        self.lines: list[str] = []
        self._printed = threading.Condition()
        self._has_ended = False

    def __enter__(self) -> Self:
        self._process = self._start()
        # The pipe has to be emptied, or a talkative process would wait on it for ever.
        self._drain = threading.Thread(target=self._read_lines, name="output")
        self._drain.start()
        with ExitStack() as if_not_up:
            if_not_up.callback(self.kill)
            self.port = int(self.find(ADDRESS)[1])
            self._wait_until_ready()
            if_not_up.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def output(self) -> str:
        return "".join(self.lines)

    @property
    def pid(self) -> int:
        return self._process.pid

    def find(self, pattern: str) -> re.Match[str]:
        """Wait until it has printed something; return the first place."""
        with self._printed:
            self._printed.wait_for(
                lambda: self._has_ended or re.search(pattern, self.output), START_TIMEOUT_S
            )
            found = re.search(pattern, self.output)
        if found is None:
            self.kill()
            raise self.gone_error()
        return found

    def request(
        self,
        path: str,
        body: object = None,
        *,
        headers: Mapping[str, str] = MappingProxyType({}),
        timeout_s: float = ANSWER_TIMEOUT_S,
    ) -> HttpAnswer:
        """Ask for a page, or post where there is a body, as JSON."""
        method, sent = "GET", None
        if body is not None:
            method, sent = "POST", json.dumps(body)
            headers = {"Content-Type": "application/json", **headers}
        began_s = time.monotonic()
        with closing(http.client.HTTPConnection(HOST, self.port, timeout=timeout_s)) as line:
            line.request(method, path, sent, dict(headers))
            answer = line.getresponse()
            content = answer.read()
        took_ms = (time.monotonic() - began_s) * 1000
        return HttpAnswer(answer.status, answer.headers, content, took_ms)

    def kill(self) -> None:
        """End it without a warning, as a pulled plug does."""
        self.end(signal.SIGKILL)

    def stop(self) -> int:
        """Ask it to end, as a service manager does; return its exit status."""
        return self.end(signal.SIGTERM)

    def end(self, number: int) -> int:
        """Send a signal, if it still runs; return the exit status, below 0 if it was killed."""
        if self._process.poll() is None:
            self._process.send_signal(number)
        return self.wait()

    def wait(self) -> int:
        """Wait until it ends; return its exit status. It is killed if that takes too long."""
        try:
            status = self._process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            status = self._process.wait()
        self._drain.join()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()
        return status

    def usage(self) -> ProcessUsage:
        memory_mb, threads = self.memory_mb(), self._read_status("Threads")
        with suppress(OSError):
            return ProcessUsage(memory_mb, threads, len(os.listdir(f"/proc/{self.pid}/fd")))
        raise self.gone_error()

    def memory_mb(self, key: str = "VmRSS") -> float:
        """Return its memory in MB; with VmHWM the most that it ever had."""
        return self._read_status(key) / 1024

    def cpu_s(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def gone_error(self) -> ProcessGoneError:
        last = self.output[-LAST_CHARACTERS:]
        return ProcessGoneError(last or f"nothing printed; status {self._process.poll()}")

    def _start(self) -> StartedProcess:
        return start_program(self._command)

    def _wait_until_ready(self) -> None:
        """Wait for more than its address, if more is needed."""

    def _read_lines(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            with self._printed:
                self.lines.append(line)
                self._printed.notify_all()
        with self._printed:
            self._has_ended = True
            self._printed.notify_all()

    def _read_status(self, key: str) -> int:
        with suppress(OSError):
            status = Path(f"/proc/{self.pid}/status").read_text()
            if found := re.search(rf"^{key}:\s*(\d+)", status, re.MULTILINE):
                return int(found[1])
        raise self.gone_error()
