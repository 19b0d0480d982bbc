# SPDX-License-Identifier: MIT
"""
Open the pins of this machine once for the whole process, and report why they cannot be used.

gpiozero keeps one list of pins for all factories of a process: closing one of two releases the
pins of both. So there is one factory, which every driver is handed. lgpio is requested by name,
because gpiozero alone tries one library after the other and may end with one that works only
partly; `GPIOZERO_PIN_FACTORY` names another one. lgpio also supports the Pi 5, and finds the right
`/dev/gpiochip`.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, TypeAlias, cast

from hardware.panel import PanelLostError

if TYPE_CHECKING:
    from gpiozero import Factory

Pins: TypeAlias = "Factory"  # The pins of a Raspberry Pi, or those of a test.

_LIBRARY = "GPIOZERO_PIN_FACTORY"
_INSTALL = "run: sudo apt install python3-gpiozero python3-lgpio"
_ALLOW = "run this on a Raspberry Pi as a member of the group gpio"
_REWIRE = "check the pins in the section [{}] of the settings, and that no other program uses them"


class SharedPins:
    """The pins of this machine, opened by the first driver that needs them; for any thread."""

    def __init__(self, pins: Pins | None = None) -> None:
        self._pins = pins
        self._is_own = pins is None
        self._lock = threading.Lock()

    def open(self, section: str) -> Pins:
        """
        Return the one factory of the process; an attempt that failed may be repeated.

        Raises:
            PanelLostError: There are no pins, or access is denied.
        """
        with self._lock:
            if self._pins is None:
                self._pins = _open_factory(section)
            return self._pins

    def close(self) -> None:
        """Release all pins, after the drivers were closed; safe to call twice."""
        with self._lock:
            if self._is_own and self._pins is not None:
                self._pins.close()
                self._pins = None


def _open_factory(section: str) -> Pins:
    library = os.environ.get(_LIBRARY) or "lgpio"
    try:
        (entry,) = entry_points(group="gpiozero_pin_factories", name=library)
        factory = entry.load()
    except (ImportError, ValueError) as error:
        why = error if isinstance(error, ImportError) else f"gpiozero has no {library}"
        what = f"a library is missing ({why})"
        raise PanelLostError(panel=section, what=what, mend=_INSTALL) from error
    with raise_as_panel_lost(section, "there are no GPIO pins here", _ALLOW):
        return cast(Pins, factory())


@contextmanager
def raise_as_panel_lost(section: str, what: str, mend: str = "") -> Iterator[None]:
    """
    Raise every error with pins as one kind of error, with its remedy.

    Args:
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
