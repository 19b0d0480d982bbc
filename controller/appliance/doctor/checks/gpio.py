# SPDX-License-Identifier: MIT
"""Check the pins: is there a chip, may it be used, are they free of other functions?"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.appliance.doctor.host import NOT_A_PI, DiagnosticContext, Host, permission_remedy
from controller.base.languages.message import message
from controller.base.settings import PanelDriver, Settings
from controller.base.settings.convert import get_spec
from controller.base.settings.schema import (
    NO_PIN,
    PanelSettings,
    PlayerPanelSettings,
    list_sections,
)
from controller.runtime.monitoring.health import LIVE

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


CONFIG_FILES = ("boot/firmware/config.txt", "boot/config.txt")

HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""How the chip of the header is called: on a Pi 5, on a Pi 4, and before."""


@dataclass(frozen=True, slots=True)
class PinFunction:
    """Something that takes pins of the header for itself."""

    name: str
    pins: tuple[int, ...]  # Its BCM numbers.
    device: str  # Pattern of the files in /dev that are there while it is on; empty for none.
    setting: str  # What stands in config.txt while it is on, as a regular expression.


FUNCTIONS = (
    PinFunction("I2C", (2, 3), "i2c-1", r"dtparam=(.*,)?i2c(_arm|1)?=on"),
    PinFunction("SPI", (7, 8, 9, 10, 11), "spidev0.*", r"dtparam=(.*,)?spi=on"),
    PinFunction("SPI1", (16, 17, 18, 19, 20, 21), "spidev1.*", r"dtoverlay=spi1-\dcs"),
    PinFunction("UART", (14, 15), "", r"enable_uart=1|dtparam=(.*,)?uart0(=on)?$"),
    PinFunction("1-Wire", (4,), "", r"dtoverlay=w1-gpio$"),
    PinFunction("I2S", (18, 19, 20, 21), "", r"dtparam=(.*,)?i2s=on|dtoverlay=.*(dac|i2s).*"),
)
"""What the configuration of a Pi can give header pins to."""


def list_configured_pins(settings: Settings) -> Mapping[int, str]:
    """Return the pins that the settings use, by BCM number, with the keys that name them."""
    if settings.panel.driver is PanelDriver.SIMULATED:
        return {}  # then the light and the buzzer are simulated too
    has_panel = settings.panel.driver is PanelDriver.GPIO
    used = {}
    for name, section in list_sections(settings).items():
        if isinstance(section, PanelSettings | PlayerPanelSettings) and not has_panel:
            continue
        for key in fields(section):
            pin = getattr(section, key.name)
            if get_spec(key).is_pin and pin != NO_PIN:
                used[pin] = f"[{name}] {key.name}"
    return used


def find_active_functions(host: Host) -> Iterator[PinFunction]:
    """Return what the machine has given pins to."""
    texts = [host.text(name) for name in CONFIG_FILES]
    lines = [line.partition("#")[0].strip() for text in texts for line in text.splitlines()]
    for function in FUNCTIONS:
        has_device = bool(function.device and host.files("dev", function.device))
        if has_device or any(re.fullmatch(function.setting, line) for line in lines):
            yield function


def find_lines_in_use(host: Host) -> Mapping[int, str]:
    """Return the header pins that a program or a driver holds now, with what it calls itself."""
    header, chip, used = _header_chip(host), "", {}
    for line in (host.output("gpioinfo") or "").splitlines():
        if heading := re.match(r"(gpiochip\d+) - ", line):
            chip = heading[1]
        number = re.match(r"\s*line\s+(\d+):", line)
        user = _USER.search(line)
        if chip == header and number and user:
            used[int(number[1])] = user[1] or user[2]
    return used


# Version 1 of the tool puts the user in a second pair of quotes, version 2 behind a word.
_USER = re.compile(r'consumer="?([^"\s]+)|(?:"[^"]*"|unnamed)\s+"([^"]+)"')


def _header_chip(host: Host) -> str:
    """Return the chip of the header's pins; the first one if unknown."""
    output = host.output("gpiodetect") or ""
    found = re.search(rf"^(gpiochip\d+) \[({'|'.join(HEADER_LABELS)})\]", output, re.MULTILINE)
    return found[1] if found else "gpiochip0"
