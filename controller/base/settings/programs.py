# SPDX-License-Identifier: MIT
"""The sections of the settings that concern other programs."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.base.languages.message import message
from controller.base.settings.key_spec import describe_key

PLAIN_PORT, TLS_PORT = 1883, 8883
"""The ports at which brokers listen usually, without and with TLS."""


@dataclass(frozen=True, slots=True)
class ApiSettings:
    """The interface for other programs; tokens for it are made on the service page."""

    enabled: bool = field(
        default=False,
        metadata=describe_key(
            message("Answer other programs"),
            message("Programs with a token may read the table or ask for dice."),
        ),
    )
    origins: str = field(
        default="",
        metadata=describe_key(
            message("Foreign pages"),
            message(
                "Pages of these addresses may use it, such as http://192.168.0.5:3000;"
                " separated by commas."
            ),
        ),
    )
    request_s: int = field(
        default=120,
        metadata=describe_key(
            message("Wait for dice"),
            message("A request for dice ends unanswered after this time."),
            (10, 3600),
            unit="s",
        ),
    )


@dataclass(frozen=True, slots=True)
class MqttSettings:
    """A broker that gets rolls, games and health by MQTT, for Home Assistant and others."""

    enabled: bool = field(
        default=False,
        metadata=describe_key(
            message("Send to a broker"),
            message("The table sends rolls, games and its health; it takes no orders."),
        ),
    )
    host: str = field(
        default="localhost",
        metadata=describe_key(
            message("Broker"), message("Name or address of the machine with the broker.")
        ),
    )
    port: int = field(
        default=0,
        metadata=describe_key(
            message("Port of the broker"),
            message("0 for the usual one: 1883, or 8883 with TLS."),
            (0, 65535),
        ),
    )
    tls: bool = field(
        default=False,
        metadata=describe_key(
            message("Encrypt with TLS"),
            message("The broker must show a certificate for its name."),
        ),
    )
    ca_file: str = field(
        default="",
        metadata=describe_key(
            message("Certificates to trust"),
            message("A file in PEM; empty for those that the system trusts."),
        ),
    )
    cert_file: str = field(
        default="",
        metadata=describe_key(
            message("Certificate of the table"),
            message("A file in PEM, if the broker asks for one."),
        ),
    )
    key_file: str = field(
        default="",
        metadata=describe_key(
            message("Key of the table's certificate"),
            message("A file in PEM without a password; empty if the certificate's file has it."),
        ),
    )
    user: str = field(
        default="",
        metadata=describe_key(
            message("User"), message("As the broker knows the table; empty for none.")
        ),
    )
    password_file: str = field(
        default="",
        metadata=describe_key(
            message("File with the password"),
            message("Only its owner may read it (chmod 600); it is in no backup."),
        ),
    )
    topic: str = field(
        default="dicebell",
        metadata=describe_key(
            message("Topic"),
            message("All topics begin with it. Each table at a broker needs another one."),
        ),
    )
    discovery: bool = field(
        default=True,
        metadata=describe_key(
            message("Announce to Home Assistant"),
            message("Home Assistant then adds the table by itself."),
        ),
    )
    discovery_topic: str = field(
        default="homeassistant",
        metadata=describe_key(
            message("Topic of announcements"),
            message("As Home Assistant has it in its settings."),
        ),
    )

    @property
    def broker_port(self) -> int:
        """The port of the broker: `port`, or the usual one."""
        return self.port or (TLS_PORT if self.tls else PLAIN_PORT)
