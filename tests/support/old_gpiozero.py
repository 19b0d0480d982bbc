# SPDX-License-Identifier: MIT
"""A gpiozero that is too old for the installed lgpio, as Debian's own is."""

from __future__ import annotations

import sys
from types import ModuleType

import pytest


class LGPIOPin:
    def __init__(self) -> None:
        lgpio.gpio_claim_input(lgpio.SET_BIAS_DISABLE)  # lgpio 0.2 calls it SET_PULL_NONE


class LGPIOFactory:
    pin_class = LGPIOPin


lgpio = ModuleType("lgpio")
lgpio.__dict__.update(gpio_claim_input=print, SET_PULL_NONE=0, error=ValueError)


def install_old_gpiozero(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let gpiozero and lgpio be found as they are on a plain Debian."""
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", sys.modules[__name__])
    monkeypatch.setattr("gpiozero.pins.lgpio", sys.modules[__name__], raising=False)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "lgpio")
