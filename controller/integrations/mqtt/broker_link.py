# SPDX-License-Identifier: MIT
"""
One connection to a broker. It belongs to one thread, which also does paho's work in `turn`.

paho has threads and queues of its own, which are not used: a queue would grow while the broker is
away, and a broker that answers nonsense would end paho's thread, and with it the table. A lost
link is not repaired. The next one is a new one and sends again what was not acknowledged. Password
and certificates are read from their files at every connection.
"""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import stat
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from controller.base.durable_files import open_regular_file
from controller.base.settings import MqttSettings
from controller.integrations.mqtt.broker_problems import (
    describe_bad_file,
    describe_broken_protocol,
    describe_loss,
    describe_nonsense,
    describe_open_file,
    describe_refusal,
    describe_unreachable,
)

if TYPE_CHECKING:
    from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags
    from paho.mqtt.enums import MQTTProtocolVersion
    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

_LONGEST_PASSWORD = 4096
_FOR_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def read_password(settings: MqttSettings) -> str | None:
    """Return the first line of its file, None without one; BrokerError if it cannot be used."""
    file = settings.password_file
    if not file:
        return None
    try:
        with open(open_regular_file(Path(file).expanduser()), "rb") as opened:
            if os.fstat(opened.fileno()).st_mode & _FOR_OTHERS:
                raise describe_open_file(file)
            content = opened.read(_LONGEST_PASSWORD)
        password = content.decode().partition("\n")[0].rstrip("\r")
    except OSError as error:
        raise describe_bad_file(file, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise describe_bad_file(file, "it is no text in UTF-8") from error
    if not password:
        raise describe_bad_file(file, "its first line is empty")
    return password


class BrokerTls(ssl.SSLContext):
    """How a broker's certificate is checked; closes what paho leaves open after a failure."""

    _newest: ssl.SSLSocket | None = None

    def wrap_socket(self, sock: socket.socket, *args: Any, **options: Any) -> ssl.SSLSocket:
        """Return an encrypted connection; this is the hook that paho calls."""
        self._newest = super().wrap_socket(sock, *args, **options)
        return self._newest

    def close_newest(self) -> None:
        if self._newest is not None:
            self._newest.close()


def build_tls_context(settings: MqttSettings) -> BrokerTls | None:
    """Return how a certificate is checked, None without TLS; BrokerError for a bad file."""
    if not settings.tls:
        return None
    # Not `create_default_context`: from Python 3.13 on it refuses most self-made certificates.
    context = BrokerTls(ssl.PROTOCOL_TLS_CLIENT)
    file = settings.ca_file
    try:
        if file:
            context.load_verify_locations(Path(file).expanduser())
        else:
            context.load_default_certs()
        if settings.cert_file:
            file = settings.key_file or settings.cert_file
            key = Path(settings.key_file).expanduser() if settings.key_file else None
            # Without a password for the key, OpenSSL would ask for it at the terminal.
            context.load_cert_chain(Path(settings.cert_file).expanduser(), key, password="")
    except OSError as error:
        why = getattr(error, "reason", None) or error.strerror or error
        raise describe_bad_file(file, str(why)) from error
    return context


KEEPALIVE_S = 30  # A broker that is silent for longer is lost; so is a broken cable.

CONNECT_TIMEOUT_S = 10.0
_TURN_S = 0.1
QOS = 1
_OLD_BROKER = "Unsupported protocol version"


class BrokerLink:
    """
    A connection; open it with `connect`.

    Args:
        client_id: The name of this client; a broker ends another connection of the same name.
        will: The topic at which the broker says `offline` when the connection breaks; empty for
            none.
    """

    def __init__(self, settings: MqttSettings, client_id: str, will: str = "") -> None:
        self._settings = settings
        self._client_id = client_id
        self._will = will
        self._client: Client | None = None
        self._tls: BrokerTls | None = None
        self._answers: list[ReasonCode] = []
        self._lost = ""
        self._sent: dict[int, str] = {}
        self._refused: list[tuple[str, str]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def connect(self) -> None:
        """Connect, and wait until the broker accepts the table; BrokerError if it does not."""
        # The library is loaded only by tables that use it.
        from paho.mqtt.enums import MQTTProtocolVersion

        reason = self._try_connect(MQTTProtocolVersion.MQTTv5)
        if reason == _OLD_BROKER:
            self.close()
            reason = self._try_connect(MQTTProtocolVersion.MQTTv311)
        if reason:
            raise describe_refusal(self._settings, reason)

    def publish(self, topic: str, payload: bytes, *, retain: bool = False) -> int:
        """Send a message; return its number, which `is_acknowledged` takes."""
        assert self._client is not None, "connect first"
        number: int = self._client.publish(topic, payload, QOS, retain).mid
        self._sent[number] = topic
        return number

    def is_acknowledged(self, number: int) -> bool:
        """Return whether the broker has this message."""
        return number not in self._sent

    def turn(self, timeout_s: float = _TURN_S) -> None:
        """Exchange bytes with the broker until the timeout; BrokerError if it is lost."""
        assert self._client is not None, "connect first"
        try:
            status = self._client.loop(timeout_s)
        except Exception as error:
            # paho's parser lets through whatever it stumbles over.
            raise describe_broken_protocol() from error
        if status or self._lost:
            raise describe_loss(self._lost)

    def take_refusals(self) -> list[tuple[str, str]]:
        """Return topic and reason of each message that the broker refused since the last call."""
        refused, self._refused = self._refused, []
        return refused

    def close(self) -> None:
        """Close the connection without a DISCONNECT, so that the broker publishes the will."""
        line = self._client.socket() if self._client else None
        self._client = None
        self._sent.clear()
        with contextlib.suppress(OSError):
            if line is not None:
                line.close()
            if self._tls is not None:
                self._tls.close_newest()

    def _try_connect(self, protocol: MQTTProtocolVersion) -> str:
        """Return why the broker refuses the table; empty if it accepts it."""
        client = self._client = self._create_client(protocol)
        self._answers, self._lost = [], ""
        try:
            client.connect(self._settings.host, self._settings.broker_port, KEEPALIVE_S)
        except Exception as error:
            raise describe_unreachable(self._settings, error) from error
        end_s = time.monotonic() + CONNECT_TIMEOUT_S
        while not self._answers:
            if time.monotonic() > end_s:
                raise describe_unreachable(self._settings, TimeoutError())
            try:
                status = client.loop(_TURN_S)
            except Exception as error:
                raise describe_nonsense(self._settings) from error
            if status and not self._answers:
                raise describe_nonsense(self._settings)
        answer = self._answers[0]
        return str(answer) if answer.is_failure else ""

    def _create_client(self, protocol: MQTTProtocolVersion) -> Client:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        client = Client(
            CallbackAPIVersion.VERSION2,
            self._client_id,
            protocol=protocol,
            reconnect_on_failure=False,
        )
        client.connect_timeout = CONNECT_TIMEOUT_S
        password = read_password(self._settings)
        if self._settings.user:
            client.username_pw_set(self._settings.user, password)
        self._tls = build_tls_context(self._settings)
        if self._tls is not None:
            client.tls_set_context(self._tls)
        if self._will:
            client.will_set(self._will, b"offline", QOS, retain=True)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_publish = self._on_publish
        return client

    def _on_connect(
        self, _: Client, data: object, flags: ConnectFlags, reason: ReasonCode, more: object
    ) -> None:
        self._answers.append(reason)

    def _on_disconnect(
        self, _: Client, data: object, flags: DisconnectFlags, reason: ReasonCode, more: object
    ) -> None:
        self._lost = str(reason)

    def _on_publish(
        self, _: Client, data: object, number: int, reason: ReasonCode, more: Properties
    ) -> None:
        topic = self._sent.pop(number, "")
        if reason.is_failure:
            self._refused.append((topic, str(reason)))
