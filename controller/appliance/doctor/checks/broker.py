# SPDX-License-Identifier: MIT
"""Check the MQTT broker: does it accept the table, and is the password safe on its way?"""

from __future__ import annotations

import secrets
from collections.abc import Iterator

from controller.appliance.doctor.context import DiagnosticContext
from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.base.languages.message import message
from controller.integrations.mqtt.broker_link import BrokerLink
from controller.integrations.mqtt.broker_problems import BrokerError

MQTT = "mqtt"
OWN_MACHINE = ("localhost", "127.0.0.1", "::1")


def check_broker(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    """Connect to the broker as the table does; a running table keeps its own connection."""
    mqtt = context.settings.mqtt
    if not mqtt.enabled:
        yield ok(MQTT, message("the table sends to no broker"))
        return
    address = f"{mqtt.host}:{mqtt.broker_port}"
    try:
        # A broker has one connection of each name, so this one needs a name of its own.
        with BrokerLink(mqtt, f"dicebell_doctor_{secrets.token_hex(3)}") as link:
            link.connect()
    except BrokerError as error:
        yield wrong(MQTT, error.what, error.remedy)
        return
    yield ok(MQTT, message("the broker {address} accepts the table", address=address))
    if mqtt.password_file and not mqtt.tls and mqtt.host not in OWN_MACHINE:
        yield note(
            MQTT,
            message("the password goes to {host} unencrypted", host=mqtt.host),
            message("set tls = true in [mqtt]"),
        )
