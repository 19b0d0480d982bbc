# SPDX-License-Identifier: MIT
"""
The simulated GPIO chip of the kernel: its lines are pulled by files, and their levels are read.

It is a real chip to every program; only what would be soldered to it is simulated.
"""

from __future__ import annotations

from pathlib import Path

CONFIG = Path("/sys/kernel/config/gpio-sim")
FIRST = Path("/dev/gpiochip0")  # The chip that gpiozero opens.
LINES = 58  # As many as a Raspberry Pi 4 has.


class SimulatedChip:
    """A chip that every program takes for that of a Raspberry Pi 4, until `remove`."""

    def __init__(self) -> None:
        self._config = CONFIG / "header"
        bank = self._config / "bank"
        bank.mkdir(parents=True)
        (bank / "num_lines").write_text(str(LINES))
        (bank / "label").write_text("pinctrl-bcm2711")
        (self._config / "live").write_text("1")
        device, chip = (self._config / "dev_name").read_text(), (bank / "chip_name").read_text()
        self._lines = Path("/sys/devices/platform", device.strip(), chip.strip())
        # A kernel does not always give the number of a vanished chip away again.
        if not FIRST.exists():
            FIRST.unlink(missing_ok=True)
            FIRST.symlink_to(f"/dev/{chip.strip()}")

    def pull(self, pin: int, *, up: bool) -> None:
        """Release a button (up), or press it."""
        (self.line(pin) / "pull").write_text("pull-up" if up else "pull-down")

    def level(self, pin: int) -> int:
        """Return the level of a line, 0 or 1."""
        return int((self.line(pin) / "value").read_text())

    def line(self, pin: int) -> Path:
        return self._lines / f"sim_gpio{pin}"

    def remove(self) -> None:
        """Let the chip vanish, as after a fault of its driver; safe to call twice."""
        if self._config.exists():
            (self._config / "live").write_text("0")
            (self._config / "bank").rmdir()
            self._config.rmdir()
