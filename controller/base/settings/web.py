# SPDX-License-Identifier: MIT
"""The keys of the pages: where they are served, to whom, how they look, and when they rest."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.base.languages.codes import ENGLISH, list_languages
from controller.base.languages.message import message
from controller.base.settings.choices import Layout, Phones, Theme
from controller.base.settings.key_spec import describe_key

HIGHEST_PORT = 65535


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Where the pages are served, and to whom."""

    host: str = field(
        default="127.0.0.1",
        metadata=describe_key(
            message("Address"),
            message(
                "The pages are served there; 0.0.0.0 lets other devices reach them,"
                " :: also over IPv6."
            ),
        ),
    )
    port: int = field(
        default=8080,
        metadata=describe_key(
            message("Port"), message("The pages are served at this port."), (1, HIGHEST_PORT)
        ),
    )
    box_port: int = field(
        default=0,
        metadata=describe_key(
            message("Port of the box's own screen"),
            message(
                "Only the box itself reaches it, at 127.0.0.1; 0 for the port after the first."
            ),
            (0, HIGHEST_PORT),
        ),
    )
    language: str = field(
        default=ENGLISH,
        metadata=describe_key(
            message("Language"),
            message("Language of the box's screen, of reports and of the corner cards."),
            choices=list_languages(),
        ),
    )
    layout: Layout = field(
        default=Layout.AUTO,
        metadata=describe_key(
            message("Size of texts"),
            message("Size of texts on the box's screen; automatic is big up to 1280x800 pixels."),
        ),
    )
    theme: Theme = field(
        default=Theme.FELT,
        metadata=describe_key(
            message("Look"), message("Colours of the pages; each screen can choose others.")
        ),
    )
    reduced_motion: bool = field(
        default=False,
        metadata=describe_key(
            message("Less motion"),
            message("Nothing blinks or slides on the pages; each screen can choose otherwise."),
        ),
    )
    phones: Phones = field(
        default=Phones.OFF,
        metadata=describe_key(
            message("Phones"), message("What phones may do; to play they need the table's code.")
        ),
    )
    host_names: str = field(
        default="",
        metadata=describe_key(
            message("Further names"),
            message("Other names of this box for browsers, separated by commas."),
        ),
    )

    @property
    def own_port(self) -> int:
        """The port of the box's own screen: `box_port`, or the port next to `port`; 0 for any."""
        return self.box_port or (self.port and self.port + (1 if self.port < HIGHEST_PORT else -1))


@dataclass(frozen=True, slots=True)
class IdleSettings:
    """The box's own screen while the table is not in use: it shows a demonstration game."""

    minutes: int = field(
        default=10,
        metadata=describe_key(
            message("Demonstration after"),
            message("So long without a press or a motion in the lobby; 0 for never."),
            (0, 720),
            unit="min",
        ),
    )
    night_brightness_percent: int = field(
        default=30,
        metadata=describe_key(
            message("Brightness at night"),
            message("How bright the demonstration is in the hours of the night."),
            (5, 100),
            unit="percent",
        ),
    )
