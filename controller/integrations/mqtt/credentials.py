# SPDX-License-Identifier: MIT
"""The password and the certificates for a broker, read from their files at every connection."""

from __future__ import annotations

import os
import socket
import ssl
import stat
from pathlib import Path
from typing import Any

from controller.base.durable_files import open_regular_file
from controller.base.settings import MqttSettings
from controller.integrations.mqtt.broker_problems import describe_bad_file, describe_open_file

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
