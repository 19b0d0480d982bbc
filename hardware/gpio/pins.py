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
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache, partial
from importlib.metadata import entry_points, version
from typing import TYPE_CHECKING, TypeAlias

from hardware.panel import PanelLostError

if TYPE_CHECKING:
    from gpiozero import Factory

Pins: TypeAlias = "Factory"  # The pins of a Raspberry Pi, or those of a test.

_LIBRARY, _USUAL = "GPIOZERO_PIN_FACTORY", "lgpio"
_INSTALL = "run: sudo apt install python3-gpiozero python3-lgpio"
UPGRADE = (
    f"use a current Raspberry Pi OS, or run: sudo {sys.executable} -m pip install 'gpiozero>=2.0'"
)
_ALLOW = (
    "run this on a Raspberry Pi as a member of the group gpio; if it worked before, restart the Pi"
)
_CHANGE_FOLDER = "start the program in a folder where it may write"
_RESTART = "restart the Raspberry Pi if they do not come back"
_REWIRE = "check the pins in the section [{}] of the settings, and that no other program uses them"


class SharedPins:
    """The pins of this machine, opened by the first driver that needs them; for any thread."""

    def __init__(self, pins: Pins | None = None) -> None:
        self._pins = _let_pins_vanish(pins) if pins is not None else None
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
                release(self._pins.close)
                self._pins = None


def _open_factory(section: str) -> Pins:
    library = os.environ.get(_LIBRARY) or _USUAL
    try:
        (entry,) = entry_points(group="gpiozero_pin_factories", name=library)
        factory = entry.load()
    except (ImportError, ValueError) as error:
        why = error if isinstance(error, ImportError) else f"gpiozero has no {library}"
        what = f"a library is missing ({why})"
        raise PanelLostError(panel=section, what=what, mend=_INSTALL) from error
    except OSError as error:
        what = f"{library} cannot make a file in the current folder ({error.strerror})"
        raise PanelLostError(panel=section, what=what, mend=_CHANGE_FOLDER) from error
    if library == _USUAL and (misfit := find_misfit()):
        raise PanelLostError(panel=section, what=misfit, mend=UPGRADE)
    with raise_as_panel_lost(section, "there are no GPIO pins here", _ALLOW):
        return _let_pins_vanish(factory())


def _let_pins_vanish(pins: Pins) -> Pins:
    """
    Let pins close without an error, even those of a chip that has vanished.

    Otherwise a factory would stop at its first pin and keep the chip open, and lgpio would log an
    error over and over.
    """
    pin_class = pins.pin_class
    pins.pin_class = type(
        pin_class.__name__,
        (pin_class,),
        {"close": lambda pin: release(partial(pin_class.close, pin))},
    )
    return pins


def find_misfit() -> str:
    """
    Return why the installed gpiozero cannot drive pins with the installed lgpio; empty if it can.

    Older versions of gpiozero use names that lgpio gave up, and fail at the first pin.
    """
    try:
        from gpiozero.pins import lgpio
    except (ImportError, OSError):
        return ""
    used = lgpio.LGPIOPin.__init__.__code__.co_names
    gone = [name for name in used if name.isupper() and not hasattr(lgpio.lgpio, name)]
    if not gone:
        return ""
    return f"gpiozero {version('gpiozero')} does not fit this lgpio, which has no {gone[0]}"


@contextmanager
def raise_as_panel_lost(section: str, what: str, mend: str = "") -> Iterator[None]:
    """
    Raise every error with pins as one kind of error, with its remedy: by default to check the pins.

    Raises:
        PanelLostError: The pins raised an error.
    """
    try:
        yield
    except _pin_errors() as error:
        remedy = mend or _REWIRE.format(section)
        why = str(error) or type(error).__name__  # some errors of the library have no text
        raise PanelLostError(panel=section, what=f"{what} ({why})", mend=remedy) from error


def lose_with_pins(section: str) -> AbstractContextManager[None]:
    """Raise every error with pins that worked before as `PanelLostError`."""
    return raise_as_panel_lost(section, "the pins do not answer any more", _RESTART)


def release(close: Callable[[], None]) -> None:
    """Switch off or close something on a pin; a pin that has gone needs no release."""
    with suppress(*_pin_errors()):
        close()


@cache
def _pin_errors() -> tuple[type[Exception], ...]:
    """Return the errors of pins."""
    from gpiozero import GPIOZeroError

    try:
        from gpiozero.pins import lgpio
    except (ImportError, OSError):
        return GPIOZeroError, OSError
    return GPIOZeroError, OSError, lgpio.lgpio.error  # which derives from neither
