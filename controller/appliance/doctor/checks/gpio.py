# SPDX-License-Identifier: MIT
"""Check the pins: is there a chip, may it be used, are the pins free?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from controller.appliance.doctor.checks.pin_usage import (
    find_active_functions,
    find_lines_in_use,
    list_configured_pins,
)
from controller.appliance.doctor.context import DiagnosticContext
from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.appliance.doctor.host import NOT_A_PI, permission_remedy
from controller.base.languages.message import message
from controller.runtime.monitoring.health_status import LIVE

GPIO = "gpio"
GROUP = "gpio"


def check_gpio(context: DiagnosticContext) -> Iterator[DiagnosticFinding]:
    host, pins = context.host, list_configured_pins(context.settings)
    if context.peripherals != LIVE:
        what = message("out of order in the running dicebell: {lost}", lost=context.peripherals)
        yield wrong(GPIO, what, message("do that; dicebell tries again by itself, every 5 seconds"))
    if not host.is_pi:
        if pins:
            mend = message('set driver = "none" in [panel], and the pins of light and sound to 0')
            what = message("not a Raspberry Pi, but the settings use {pins}", pins=_join_pins(pins))
            yield wrong(GPIO, what, mend)
        else:
            yield note(GPIO, NOT_A_PI)
        return
    chips = host.files("dev", "gpiochip*")
    if not chips:
        yield wrong(
            GPIO, message("there is no /dev/gpiochip"), message("update the system and restart it")
        )
        return
    refused = [chip.name for chip in chips if not os.access(chip, os.R_OK | os.W_OK)]
    if len(refused) == len(chips):
        yield wrong(
            GPIO,
            message("no permission for {device}", device=f"/dev/{refused[0]}"),
            permission_remedy(host, GROUP),
        )
        return
    names = ", ".join(chip.name for chip in chips if chip.name not in refused)
    yield ok(GPIO, f"{host.model}: {names}")
    yield from _check_pins(context, pins)


def _check_pins(context: DiagnosticContext, pins: Mapping[int, str]) -> Iterator[DiagnosticFinding]:
    if not pins:
        yield note(GPIO, message("the settings use no pin"))
        return
    troubles = list(_check_functions(context, pins)) + list(_check_lines(context, pins))
    yield from troubles
    if not troubles:
        yield ok(
            GPIO, message("pins that the settings use are free: {pins}", pins=_join_pins(pins))
        )


def _check_functions(
    context: DiagnosticContext, pins: Mapping[int, str]
) -> Iterator[DiagnosticFinding]:
    for function in find_active_functions(context.host):
        for pin in sorted(set(function.pins) & set(pins)):
            yield wrong(
                GPIO,
                message(
                    "pin {pin} ({key}) belongs to {function}, which is on",
                    pin=pin,
                    key=pins[pin],
                    function=function.name,
                ),
                message(
                    "choose another pin, or switch {function} off (sudo raspi-config, or"
                    " /boot/firmware/config.txt) and restart",
                    function=function.name,
                ),
            )


def _check_lines(
    context: DiagnosticContext, pins: Mapping[int, str]
) -> Iterator[DiagnosticFinding]:
    taken = find_lines_in_use(context.host)
    for pin in sorted(set(taken) & set(pins)):
        values = {"pin": pin, "key": pins[pin], "user": taken[pin]}
        if context.is_running:
            yield note(
                GPIO,
                message("pin {pin} ({key}) is in use by {user}, while dicebell runs", **values),
            )
        else:
            what = message("pin {pin} ({key}) is in use by {user}", **values)
            yield wrong(GPIO, what, message("end that program, or choose another pin"))


def _join_pins(pins: Mapping[int, str]) -> str:
    return ", ".join(f"{pin} {key}" for pin, key in sorted(pins.items()))
