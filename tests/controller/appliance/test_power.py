# SPDX-License-Identifier: MIT
"""The machine is switched off where it permits that, and says so where it does not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from controller.appliance.power import NO_MANAGER, NO_SYSTEMD, PowerControl, run_command
from controller.base.errors import UnavailableError


class Systemd:
    def __init__(self, status: int = 0, complaint: str = "") -> None:
        self.told: list[Sequence[str]] = []
        self.answer = status, complaint

    def run(self, command: Sequence[str]) -> tuple[int, str]:
        self.told.append(command)
        return self.answer


def test_systemd_is_asked_without_waiting_for_a_password() -> None:
    systemd = Systemd()
    switch = PowerControl(None, run=systemd.run, has_systemd=True)
    switch.perform("power off")
    switch.perform("reboot")
    words = [(command[0], command[1], command[-1]) for command in systemd.told]
    flag = "--no-ask-password"
    assert words == [("systemctl", flag, "poweroff"), ("systemctl", flag, "reboot")]


def test_what_is_not_permitted_is_told_as_systemd_tells_it() -> None:
    switch = PowerControl(None, run=Systemd(1, "Access denied").run, has_systemd=True)
    with pytest.raises(UnavailableError, match=r"install\.sh gives this account.*Access denied"):
        switch.perform("reboot")


def test_where_nobody_could_do_it_that_is_said_before_and_then() -> None:
    systemd = Systemd()
    switch = PowerControl(None, run=systemd.run, has_systemd=False)
    told = {"restart table": NO_MANAGER, "reboot": NO_SYSTEMD, "power off": NO_SYSTEMD}
    assert switch.unavailable_reasons() == told
    for act in ("restart table", "reboot", "power off"):
        with pytest.raises(UnavailableError, match="a machine that can do this"):
            switch.perform(act)
    assert systemd.told == []


def test_the_table_ends_where_somebody_starts_it_anew() -> None:
    ended: list[bool] = []
    switch = PowerControl(lambda: ended.append(True), has_systemd=True)
    assert switch.unavailable_reasons()["restart table"] == ""
    switch.perform("restart table")
    assert ended == [True]


def test_a_command_tells_its_status_and_what_it_complained_about() -> None:
    assert run_command(["sh", "-c", "echo no; echo not  you >&2; exit 3"]) == (3, "not you")
    with pytest.raises(OSError, match="nothing-of-this-name"):
        run_command(["nothing-of-this-name"])
