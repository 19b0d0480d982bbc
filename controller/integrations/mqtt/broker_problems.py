# SPDX-License-Identifier: MIT
"""Why a broker cannot be used: a word for monitors, what happened, and what to do."""

from __future__ import annotations

import socket
import ssl

from controller.base.errors import DicebellError
from controller.base.languages.message import Message, message
from controller.base.settings import MqttSettings

# How paho calls the reasons for which a broker refuses a user.
_NO_RIGHTS = ("Not authorized", "Bad user name or password", "Bad authentication method")


class BrokerError(DicebellError):
    """
    The broker cannot be reached, refuses the table or a message, or was lost.

    Args:
        kind: What it is in a word or two, without addresses and names: anybody may read it.
        what: What happened, as a sentence.
    """

    def __init__(self, kind: str, what: Message, remedy: Message) -> None:
        self.kind = kind
        self.what = what
        self.remedy = remedy
        super().__init__(what)


def describe_unreachable(settings: MqttSettings, error: Exception) -> BrokerError:
    """Return why no connection to the broker was made."""
    address = f"{settings.host}:{settings.broker_port}"
    match error:
        case ssl.SSLCertVerificationError():
            why = error.verify_message.rstrip(".")
            return BrokerError(
                "certificate refused",
                message("The broker's certificate is refused: {why}.", why=why),
                message("name the right file as ca_file in [mqtt], and the host as in it"),
            )
        case ssl.SSLError():
            why = error.reason or error.strerror or str(error)
            return BrokerError(
                "no TLS",
                message("{address} makes no TLS connection: {why}.", address=address, why=why),
                message("check port and tls in [mqtt]; the usual port with TLS is 8883"),
            )
        case socket.gaierror() | UnicodeError():
            return BrokerError(
                "unknown host",
                message("There is no machine called {host}.", host=settings.host),
                message("check host in [mqtt]; an address such as 192.168.0.5 always works"),
            )
        case TimeoutError():
            what = message("{address} does not answer.", address=address)
            return BrokerError("silent", what, _CHECK_ADDRESS)
        case OSError():
            why = error.strerror or str(error)
            what = message("{address} cannot be reached: {why}.", address=address, why=why)
            return BrokerError("unreachable", what, _CHECK_ADDRESS)
        case _:
            return describe_nonsense(settings)


_CHECK_ADDRESS = message("check host and port in [mqtt], and whether the broker runs")


def describe_nonsense(settings: MqttSettings) -> BrokerError:
    address = f"{settings.host}:{settings.broker_port}"
    return BrokerError(
        "no broker",
        message("{address} does not answer as a broker does.", address=address),
        message("check port, tls and cert_file in [mqtt]; the usual port with TLS is 8883"),
    )


def describe_refusal(settings: MqttSettings, reason: str) -> BrokerError:
    """Return why the broker does not take the table, by paho's name for the reason."""
    if reason not in _NO_RIGHTS:
        return BrokerError(
            "refused",
            message("The broker refuses the table: {why}.", why=reason),
            message("look into the broker's log"),
        )
    if not settings.user:
        return BrokerError(
            "password refused",
            message("The broker wants a user and a password."),
            message("set user and password_file in [mqtt]"),
        )
    return BrokerError(
        "password refused",
        message("The broker refuses the user {user} or the password.", user=settings.user),
        message("check user and password_file in [mqtt]"),
    )


def describe_refused_message(topic: str, reason: str) -> BrokerError:
    return BrokerError(
        "topic refused",
        message("The broker refuses the topic {topic}: {why}.", topic=topic, why=reason),
        message("allow the table to write there, in the broker's settings"),
    )


def describe_broken_protocol() -> BrokerError:
    """Return that a connected broker sends what no broker may send."""
    return BrokerError(
        "not understood",
        message("The broker sends what MQTT does not allow."),
        message("look into the broker's log; it may take only smaller messages"),
    )


def describe_loss(reason: str) -> BrokerError:
    """Return that a connection was lost, by paho's name for the reason."""
    match reason:
        # paho reads a short goodbye as a normal one.
        case "" | "Unspecified error" | "Normal disconnection":
            what = message("The broker hung up.")
        case "Keep alive timeout":
            what = message("The broker does not answer any more.")
        case _:
            what = message("The broker ended the connection: {why}.", why=reason)
    return BrokerError("lost", what, message("check whether the broker runs; its log says more"))


def describe_bad_file(file: str, why: str) -> BrokerError:
    return BrokerError(
        "unusable file",
        message("{file} cannot be used: {why}.", file=file, why=why),
        message("correct the file, or its name in [mqtt]"),
    )


def describe_open_file(file: str) -> BrokerError:
    return BrokerError(
        "unusable file",
        message("Others may read the password in {file}.", file=file),
        message("run: chmod 600 {file}", file=file),
    )


def describe_program_error(error: Exception) -> BrokerError:
    return BrokerError(
        "program error",
        message("An error of the program: {error}.", error=repr(error)),
        message("look into the log"),
    )
