# SPDX-License-Identifier: MIT
"""Brokers that refuse, that want TLS and a password, and machines that are no brokers."""

from __future__ import annotations

import contextlib
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from controller.appliance.doctor.checks import network as broker_check
from controller.appliance.doctor.checks.network import check_broker
from controller.appliance.doctor.finding import DiagnosticFinding, Level
from controller.appliance.doctor.host import DiagnosticContext, Host
from controller.base.settings import MqttSettings, Settings
from controller.integrations.mqtt import broker_link, broker_problems, publisher
from controller.integrations.mqtt.broker_link import BrokerLink
from controller.integrations.mqtt.broker_problems import BrokerError
from controller.table.events import GameStarted
from tests.controller.appliance.doctor.hosts import small_camera
from tests.controller.integrations.mqtt.published_table import PublishingTable
from tests.support.broker import Mosquitto
from tests.support.certificates import HomeAuthority
from tests.support.run_process import free_port

PASSWORD = "six green dice"


def refusal(settings: MqttSettings) -> BrokerError:
    """Return why no connection is made."""
    with pytest.raises(BrokerError) as told, BrokerLink(settings, "table") as link:
        link.connect()
    return told.value


def examine(settings: MqttSettings) -> list[DiagnosticFinding]:
    table = DiagnosticContext(Host(), Settings(mqtt=settings), small_camera)
    return list(check_broker(table))


class StrictBroker:
    """A mosquitto with TLS that wants the user `table`, and how a table gets in."""

    def __init__(self, folder: Path) -> None:
        home = HomeAuthority(folder)
        self.files = home.make("localhost")
        self.client = home.make("table")
        self.stranger = HomeAuthority(_make(folder / "elsewhere"))
        passwords = folder / "passwords"
        subprocess.run(["mosquitto_passwd", "-b", "-c", passwords, "table", PASSWORD], check=True)
        self.password_file = folder / "mqtt-password"
        self.password_file.write_text(f"{PASSWORD}\n")
        self.password_file.chmod(0o600)
        self.broker = Mosquitto(
            folder / "strict",
            *("allow_anonymous false", f"password_file {passwords}", "require_certificate true"),
            *(f"cafile {home.ca_file}", f"certfile {self.files.certificate}"),
            f"keyfile {self.files.key}",
        )
        self.settings = MqttSettings(
            enabled=True,
            host="localhost",
            port=self.broker.port,
            tls=True,
            ca_file=str(home.ca_file),
            cert_file=str(self.client.certificate),
            key_file=str(self.client.key),
            user="table",
            password_file=str(self.password_file),
        )


def _make(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[StrictBroker]:
    made = StrictBroker(tmp_path)
    with made.broker:
        yield made


def test_a_broker_with_tls_and_a_password_refuses_in_words(strict: StrictBroker) -> None:
    settings = strict.settings
    assert [each.level for each in examine(settings)] == [Level.OK]

    foreign = replace(settings, ca_file=str(strict.stranger.ca_file))
    assert refusal(foreign).what.startswith("The broker's certificate is refused: ")
    assert "IP address mismatch" in refusal(replace(settings, host="127.0.0.1")).what
    assert "does not answer as a broker does" in refusal(replace(settings, tls=False)).what
    nameless = replace(settings, cert_file="", key_file="")
    assert refusal(nameless).remedy

    assert "wants a user and a password" in refusal(replace(settings, user="")).what
    strict.password_file.write_text("seven green dice\n")
    told = refusal(settings)
    assert told.what == "The broker refuses the user table or the password."
    (finding,) = examine(settings)
    assert (finding.level, finding.what) == (Level.WRONG, told.what)
    strict.password_file.chmod(0o640)
    assert refusal(settings).remedy == f"run: chmod 600 {strict.password_file}"
    strict.password_file.chmod(0o600)
    for content, why in ((b"\n", "its first line is empty"), (b"\xff", "it is no text in UTF-8")):
        strict.password_file.write_bytes(content)
        assert why in refusal(settings).what
    strict.password_file.unlink()
    assert "No such file" in refusal(settings).what
    assert "cannot be used" in refusal(replace(settings, ca_file=__file__)).what
    assert "cannot be used" in refusal(replace(settings, key_file=__file__)).what


def test_play_goes_on_until_the_password_is_right(
    strict: StrictBroker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(publisher, "RETRY_S", (0.05,))
    strict.password_file.write_text("wrong\n")
    with PublishingTable(tmp_path / "data", strict.settings) as table:
        table.wait_for_status("The broker refuses the user table or the password.")
        table.happen(GameStarted("choice", ("Ada", "Ben")))
        assert table.runtime.loop.snapshot()["phase"] == "awaiting roll"
        health = table.runtime.monitor.health()
        assert (health.mqtt, health.wrong) == ("password refused", ())
        strict.password_file.write_text(PASSWORD)
        table.wait_for_status("live")
        lines = [*caught_texts(table), str(table.runtime.monitor.health())]
        assert PASSWORD not in "".join(lines)


def caught_texts(table: PublishingTable) -> list[str]:
    return [str(table.publisher.status), table.runtime.monitor.metrics.text()]


Answer = Callable[[socket.socket], None]


@contextlib.contextmanager
def fake_broker(answer: Answer) -> Iterator[MqttSettings]:
    """Answer every connection to a port with a function, until the end of the block."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    line, _ = server.accept()
                except OSError:
                    return
                with line, contextlib.suppress(OSError):
                    answer(line)

        thread = threading.Thread(target=serve)
        thread.start()
        yield MqttSettings(enabled=True, host="127.0.0.1", port=server.getsockname()[1])
        server.shutdown(socket.SHUT_RDWR)
        thread.join()


def speak(content: bytes) -> Answer:
    """Return an answer that reads what comes first, says this and hangs up."""

    def answer(line: socket.socket) -> None:
        line.recv(4096)
        line.sendall(content)

    return answer


def hold(line: socket.socket) -> None:
    """Say nothing until the other side hangs up."""
    while line.recv(4096):
        pass


CONNACK = b"\x20\x03\x00\x00\x00"
NONSENSE = {
    "a web server": b"HTTP/1.1 400 Bad Request\r\n\r\n" + b"<html>" * 50,
    "nothing": b"",
    "zeros": bytes(1000),
    "ones": b"\xff" * 1000,
    "half an answer": b"\x20\x03\x00",
    "an answer with broken properties": b"\x20\x07\x00\x00\x04\xff\xff\xff\xff",
    "an answer with an unknown reason": b"\x20\x03\x00\x7f\x00",
}


@pytest.mark.parametrize("content", NONSENSE.values(), ids=NONSENSE)
def test_what_is_no_broker_is_told(content: bytes) -> None:
    with fake_broker(speak(content)) as settings:
        assert "does not answer as a broker does" in refusal(settings).what


def test_a_table_survives_a_broker_that_goes_mad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(publisher, "RETRY_S", (0.01,))
    left, is_done = list(NONSENSE.values()), threading.Event()

    def answer(line: socket.socket) -> None:
        if not left:
            is_done.set()
        speak(CONNACK + (left.pop() if left else b""))(line)
        # Who hangs up at once may be gone before the answer is read.
        line.settimeout(0.2)
        hold(line)

    with fake_broker(answer) as settings, PublishingTable(tmp_path, settings) as table:
        assert is_done.wait(60)
        table.happen(GameStarted("choice", ("Ada", "Ben")))
        assert table.runtime.loop.snapshot()["phase"] == "awaiting roll"
    said = {record.message for record in caplog.records if record.name == "dicebell.mqtt"}
    assert "no broker" in said
    assert "sending failed" not in said, "an error of the program"


def test_a_silent_machine_and_none_at_all_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(broker_link, "CONNECT_TIMEOUT_S", 0.2)
    with fake_broker(hold) as settings:
        assert refusal(settings).what.endswith("does not answer.")
    closed = replace(settings, port=free_port())
    assert refusal(closed).what.endswith("cannot be reached: Connection refused.")
    assert "no machine called" in refusal(replace(settings, host="a..b")).what


def test_an_older_broker_is_spoken_to_in_its_version(tmp_path: Path) -> None:
    """MQTT 3.1.1: the broker refuses version 5, and is asked again in version 4."""
    versions: list[int] = []

    def answer(line: socket.socket) -> None:
        versions.append(line.recv(4096)[8])
        line.sendall(b"\x20\x02\x00" + (b"\x00" if versions[-1] == 4 else b"\x01"))
        hold(line)

    with fake_broker(answer) as settings:
        assert [each.level for each in examine(settings)] == [Level.OK]
    assert versions == [5, 4]


def test_a_table_without_a_broker_loads_no_library_for_one() -> None:
    loaded = "controller.integrations.mqtt.publisher, controller.appliance.doctor.checks.network"
    code = f"import {loaded}, sys; print('paho' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_every_word_of_the_health_is_documented() -> None:
    source = Path(broker_problems.__file__).read_text()
    words = set(re.findall(r'BrokerError\(\s*"([^"]+)"', source))
    document = (Path(__file__).parents[4] / "docs" / "mqtt.md").read_text()
    section = document.partition("## Is it connected?")[2].partition("\n## ")[0]
    documented = set(re.findall(r"^\| `([a-zA-Z ]+)` \| \S", section, re.MULTILINE)) - {"mqtt"}
    assert documented == words | {"live", "connecting"}


def test_the_doctor_warns_of_a_password_that_travels_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [each.what for each in examine(MqttSettings())] == ["the table sends to no broker"]
    password = tmp_path / "password"
    password.write_text("x")
    password.chmod(0o600)
    with Mosquitto(tmp_path / "broker") as broker:
        settings = MqttSettings(
            enabled=True,
            host="127.0.0.1",
            port=broker.port,
            user="table",
            password_file=str(password),
        )
        assert [each.level for each in examine(settings)] == [Level.OK]
        monkeypatch.setattr(broker_check, "OWN_MACHINE", ())
        assert [each.level for each in examine(settings)] == [Level.OK, Level.NOTE]
