# SPDX-License-Identifier: MIT
"""
Open the pins of a Raspberry Pi, and report why they cannot be used.

lgpio is requested by name: gpiozero alone tries one library after the other and may end with
one that works only partly. lgpio also supports the Pi 5, and finds the right `/dev/gpiochip`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeAlias

from hardware.panel import PanelLostError

if TYPE_CHECKING:
    from gpiozero import Factory

Pins: TypeAlias = "Factory"
"""The pins of a Raspberry Pi, or those of a test."""

_INSTALL = "run: sudo apt install python3-gpiozero python3-lgpio"
_ALLOW = "run this on a Raspberry Pi as a member of the group gpio"
_REWIRE = "check the pins in the section [{}] of the settings, and that no other program uses them"


def pi_pins(section: str) -> Pins:
    """
    Return the pins of this Raspberry Pi; the caller closes them.

    Args:
        section: The section of the settings that needs them.

    Raises:
        PanelLostError: There are no pins, or access is denied.
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
    Raise every error with pins as one kind of error, with its remedy.

    Args:
        section: The section of the settings with the pins.
        what: What happened.
        mend: What to do about it; by default to check the pins.

    Raises:
        PanelLostError: The pins raised an error.
    """
    from gpiozero import GPIOZeroError

    errors: tuple[type[Exception], ...] = (GPIOZeroError, OSError)
    with suppress(ImportError):
        from gpiozero.pins import lgpio

        errors += (lgpio.lgpio.error,)  # lgpio's own error class derives from neither
    try:
        yield
    except errors as error:
        remedy = mend or _REWIRE.format(section)
        why = str(error) or type(error).__name__  # some errors of the library have no text
        raise PanelLostError(panel=section, what=f"{what} ({why})", mend=remedy) from error
