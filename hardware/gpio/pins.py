# SPDX-License-Identifier: MIT
"""
The pins of a Raspberry Pi, and what to say where they cannot be had.

lgpio is asked for by name: left to itself gpiozero tries one library after the other
and ends with one that half works. It is also the one that knows the Pi 5, whose pins
hang on a chip of their own; which `/dev/gpiochip` that is it finds out by itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeAlias

from hardware.panel import PanelLostError

if TYPE_CHECKING:
    from gpiozero import Factory

Pins: TypeAlias = "Factory"
"""Whose pins they are: a Raspberry Pi's, or those of a test."""

_INSTALL = "run: sudo apt install python3-gpiozero python3-lgpio"
_ALLOW = "run this on a Raspberry Pi as a member of the group gpio"
_REWIRE = "check the pins in the section [{}] of the settings, and that nobody else uses them"


def pi_pins(section: str) -> Pins:
    """
    Return the pins of this Raspberry Pi; close them in the end.

    Args:
        section: Of the settings, for which they are wanted.

    Raises:
        PanelLostError: There are none here, or they may not be used.
    """
    try:
        from gpiozero.pins import lgpio
    except ImportError as error:
        what = f"a library is missing ({error})"
        raise PanelLostError(panel=section, what=what, mend=_INSTALL) from error
    with raise_as_panel_lost(section, "there are no GPIO pins here", _ALLOW):
        return lgpio.LGPIOFactory()


@contextmanager
def raise_as_panel_lost(section: str, what: str, mend: str = "") -> Iterator[None]:
    """
    Tell whatever goes wrong with pins in here as one kind of error, with the mend.

    Args:
        section: Of the settings, where the pins stand.
        what: What goes wrong then, in words.
        mend: What to do about it; by default to check the pins.

    Raises:
        PanelLostError: Something went wrong.
    """
    from gpiozero import GPIOZeroError

    errors: tuple[type[Exception], ...] = (GPIOZeroError, OSError)
    with suppress(ImportError):
        from gpiozero.pins import lgpio

        errors += (lgpio.lgpio.error,)  # the library's own, no relative of the two
    try:
        yield
    except errors as error:
        told = mend or _REWIRE.format(section)
        why = str(error) or type(error).__name__  # some of the library's errors have no words
        raise PanelLostError(panel=section, what=f"{what} ({why})", mend=told) from error
