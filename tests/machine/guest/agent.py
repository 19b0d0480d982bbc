# SPDX-License-Identifier: MIT
"""
Run the scripts of the tests in the virtual machine, and pass on what they print.

Requests and answers are JSON, a line each, over a virtio port: it works without a network, and
while the table's own pages do not. Several scripts run at once, so that one can follow the
table's events while another presses a button.

    {"id": 7, "script": "..."}      run it with bash
    {"id": 7, "end": true}          end it
    {"id": 7, "line": "..."}        it printed a line (its errors too)
    {"id": 7, "status": 0}          it ended
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import BinaryIO

PORT = Path("/dev/virtio-ports/dicebell.agent")


class Agent:
    def __init__(self, port: BinaryIO) -> None:
        self._port = port
        self._writing = threading.Lock()
        self._running: dict[int, subprocess.Popen[bytes]] = {}

    def serve(self) -> None:
        self._answer({"id": 0, "line": "ready"})
        for line in self._port:
            request = json.loads(line)
            number = request["id"]
            if "script" in request:
                threading.Thread(target=self._run, args=(number, request["script"])).start()
            elif (child := self._running.get(number)) is not None:
                # It may just have ended by itself.
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGTERM)

    def _run(self, number: int, script: str) -> None:
        child = subprocess.Popen(
            ["bash", "-c", script],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._running[number] = child
        assert child.stdout is not None
        for line in child.stdout:
            text = line.decode("utf-8", errors="replace").rstrip("\n")
            self._answer({"id": number, "line": text})
        status = child.wait()
        del self._running[number]
        self._answer({"id": number, "status": status})

    def _answer(self, answer: dict[str, object]) -> None:
        with self._writing:
            self._port.write(json.dumps(answer).encode() + b"\n")


if __name__ == "__main__":
    with PORT.open("r+b", buffering=0) as port:
        Agent(port).serve()
