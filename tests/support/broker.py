# SPDX-License-Identifier: MIT
"""A real mosquitto with a folder of its own, and a program that reads everything it gets."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import pytest

from tests.support.run_process import free_port

if TYPE_CHECKING:
    from paho.mqtt.client import Client, MQTTMessage

# Debian has it where only root looks for programs.
PROGRAM = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
PATIENCE_S = 60.0


class Mosquitto:
    """A broker at a free port of this machine; it keeps what it has over a kill and a start."""

    def __init__(self, folder: Path, *lines: str) -> None:
        if PROGRAM is None:
            pytest.skip("mosquitto is not installed; `make test` does it")
        pytest.importorskip("paho.mqtt", reason="make installs it")
        folder.mkdir()
        folder.chmod(0o755)
        self.port = free_port()
        self._config = folder / "mosquitto.conf"
        settings = [
            *("persistence true", f"persistence_location {folder}/"),
            # Every change is on the disk, so a kill loses nothing.
            *("autosave_on_changes true", "autosave_interval 1"),
            *("log_type error", "log_type warning", "log_type notice"),
            f"listener {self.port} 127.0.0.1",
            *(lines or ("allow_anonymous true",)),
        ]
        if os.geteuid() == 0:
            settings.insert(0, "user root")
        self._config.write_text("\n".join([*settings, ""]))
        self._log = folder / "mosquitto.log"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        # pytest shows it if the test fails.
        print(f"--- the broker wrote:\n{self._log.read_text()}")  # noqa: T201

    def start(self) -> None:
        assert PROGRAM is not None
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [PROGRAM, "-c", str(self._config)], stdout=log, stderr=log
            )
        while not self._listens():
            assert self._process.poll() is None, self._log.read_text()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()

    def freeze(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    def reload(self) -> None:
        """Let it read its rules again; connections stay."""
        self._process.send_signal(signal.SIGHUP)

    def _listens(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1.0):
            return True
        return False


class BrokerReader:
    """Reads a topic filter of a broker in a thread, with a session that survives both."""

    def __init__(self, port: int, topic: str = "#", **login: str) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self.messages: list[tuple[str, bytes, bool]] = []
        self._topic = topic
        self._changed = threading.Condition()
        self._is_subscribed = threading.Event()
        client = self._client = Client(
            CallbackAPIVersion.VERSION2, client_id="reader", clean_session=False
        )
        client.reconnect_delay_set(1, 1)
        if login:
            client.username_pw_set(login["user"], login["password"])
        client.on_connect = self._subscribe
        client.on_subscribe = lambda *_: self._is_subscribed.set()
        client.on_message = self._note
        client.connect("127.0.0.1", port)

    def __enter__(self) -> Self:
        self._client.loop_start()
        assert self._is_subscribed.wait(PATIENCE_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def wait_until(self, is_enough: Callable[[BrokerReader], bool]) -> None:
        with self._changed:
            found = self._changed.wait_for(lambda: is_enough(self), PATIENCE_S)
            assert found, self.messages

    def read_newest(self, topic: str) -> Any:
        payloads = [payload for each, payload, _ in self.messages if each == topic]
        return json.loads(payloads[-1]) if payloads else None

    def events(self, root: str = "dicebell") -> list[dict[str, Any]]:
        return [
            json.loads(payload)
            for topic, payload, _ in self.messages
            if topic.startswith(f"{root}/event/")
        ]

    def _subscribe(self, client: Client, *_: object) -> None:
        client.subscribe(self._topic, 1)

    def _note(self, client: Client, data: object, message: MQTTMessage) -> None:
        with self._changed:
            self.messages.append((message.topic, message.payload, message.retain))
            self._changed.notify_all()
