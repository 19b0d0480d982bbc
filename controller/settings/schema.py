# SPDX-License-Identifier: MIT
"""
Every key of the settings, and its specification.

A key is one field: its default, its purpose, its allowed values. Reading, refusing, printing and
the documentation all use it, so they cannot disagree.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import Enum
from pathlib import Path
from typing import TypeAlias

from controller.languages.catalogue import ENGLISH, list_languages
from controller.table.state import Confirm

Value: TypeAlias = bool | int | float | str | Enum | Path
"""What a key may hold."""


class CameraDriver(Enum):
    """The drivers of cameras."""

    SIMULATED = "simulated"
    PI = "pi"
    USB = "usb"
    FILE = "file"


class PanelDriver(Enum):
    """The drivers of panels."""

    NONE = "none"
    SIMULATED = "simulated"
    GPIO = "gpio"


class Phones(Enum):
    """What phones may do at this table."""

    OFF = "off"
    WATCH = "watch"
    PLAY = "play"


NO_PIN = 0
"""The pin of a button, lamp, light or buzzer that does not exist."""

HIGHEST_PORT = 65535

FIRST_PIN, LAST_PIN = 2, 27  # 0 and 1 belong to the board's own memory


@dataclass(frozen=True, slots=True)
class KeySpec:
    """
    The specification of a key.

    Attributes:
        what: Its purpose.
        span: The smallest and the largest number; `None` for other types.
        choices: The only allowed numbers or texts; empty if the span decides, or any text is.
        unit: The unit of the number.
        is_pin: Whether it is a pin: 0 for none, or one of the span.
    """

    what: str
    span: tuple[float, float] | None = None
    choices: tuple[int, ...] | tuple[str, ...] = ()
    unit: str = ""
    is_pin: bool = False


def _spec(about: KeySpec) -> dict[str, KeySpec]:
    return {"about": about}


def _pin(what: str) -> dict[str, KeySpec]:
    return _spec(KeySpec(what, (FIRST_PIN, LAST_PIN), is_pin=True))


@dataclass(frozen=True, slots=True)
class TableSettings:
    """How the table plays."""

    confirm: Confirm = field(
        default=Confirm.AUTO,
        metadata=_spec(KeySpec("how a certain reading is accepted: by itself, or by the button")),
    )
    see_every_throw: bool = field(
        default=False,
        metadata=_spec(KeySpec("whether a die without a seen throw is a doubt, for tournaments")),
    )


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """Which camera looks into the tray, and how; 0 means: as `dicebell calibrate` found it."""

    driver: CameraDriver = field(
        default=CameraDriver.SIMULATED, metadata=_spec(KeySpec("which kind of camera"))
    )
    index: int = field(
        default=0, metadata=_spec(KeySpec("which one, if there are several (pi, usb)", (0, 63)))
    )
    path: str = field(
        default="",
        metadata=_spec(
            KeySpec("video or folder of pictures (file), or device such as /dev/video0 (usb)")
        ),
    )
    width: int = field(
        default=1280, metadata=_spec(KeySpec("width of its pictures", (160, 4656), unit="px"))
    )
    height: int = field(
        default=720, metadata=_spec(KeySpec("height of its pictures", (120, 3496), unit="px"))
    )
    fps: int = field(default=30, metadata=_spec(KeySpec("pictures a second", (1, 120))))
    mains_hz: int = field(
        default=50,
        metadata=_spec(
            KeySpec("frequency of the mains, at which lamps flicker", choices=(50, 60), unit="Hz")
        ),
    )
    exposure_us: int = field(
        default=0, metadata=_spec(KeySpec("shutter time of a picture", (0, 200_000), unit="us"))
    )
    gain: float = field(
        default=0.0, metadata=_spec(KeySpec("amplification of the sensor", (0, 64)))
    )
    red_gain: float = field(
        default=0.0, metadata=_spec(KeySpec("white balance: red against green", (0, 32)))
    )
    blue_gain: float = field(
        default=0.0, metadata=_spec(KeySpec("white balance: blue against green", (0, 32)))
    )
    focus_dioptre: float = field(
        default=0.0,
        metadata=_spec(KeySpec("focus as 1 / distance in metres, if the lens can move", (0, 32))),
    )


@dataclass(frozen=True, slots=True)
class PanelSettings:
    """Buttons and lamps of the table; pins are BCM numbers, each used once, 0 where none is."""

    driver: PanelDriver = field(
        default=PanelDriver.NONE, metadata=_spec(KeySpec("which kind of panel"))
    )
    left_pin: int = field(default=5, metadata=_pin("button left"))
    right_pin: int = field(default=6, metadata=_pin("button right"))
    confirm_pin: int = field(default=13, metadata=_pin("button confirm"))
    back_pin: int = field(default=19, metadata=_pin("button back"))
    left_lamp_pin: int = field(default=12, metadata=_pin("lamp of the button left"))
    right_lamp_pin: int = field(default=16, metadata=_pin("lamp of the button right"))
    confirm_lamp_pin: int = field(default=20, metadata=_pin("lamp of the button confirm"))
    back_lamp_pin: int = field(default=21, metadata=_pin("lamp of the button back"))
    bounce_ms: int = field(
        default=20,
        metadata=_spec(KeySpec("how long a contact must rest to count", (1, 100), unit="ms")),
    )
    hold_ms: int = field(
        default=1000,
        metadata=_spec(KeySpec("how long a press must last to be a hold", (200, 5000), unit="ms")),
    )


@dataclass(frozen=True, slots=True)
class PlayerPanelSettings:
    """Buttons and lamps of one player: [panel_1] for the first seat, up to [panel_6]."""

    left_pin: int = field(default=NO_PIN, metadata=_pin("button left"))
    right_pin: int = field(default=NO_PIN, metadata=_pin("button right"))
    confirm_pin: int = field(default=NO_PIN, metadata=_pin("button confirm"))
    back_pin: int = field(default=NO_PIN, metadata=_pin("button back"))
    left_lamp_pin: int = field(default=NO_PIN, metadata=_pin("lamp of the button left"))
    right_lamp_pin: int = field(default=NO_PIN, metadata=_pin("lamp of the button right"))
    confirm_lamp_pin: int = field(default=NO_PIN, metadata=_pin("lamp of the button confirm"))
    back_lamp_pin: int = field(default=NO_PIN, metadata=_pin("lamp of the button back"))


@dataclass(frozen=True, slots=True)
class LightSettings:
    """The light over the tray."""

    pin: int = field(default=NO_PIN, metadata=_pin("the light's transistor"))
    brightness_percent: int = field(
        default=100, metadata=_spec(KeySpec("how bright it is", (1, 100), unit="percent"))
    )
    frequency_hz: int = field(
        default=1000,
        metadata=_spec(KeySpec("how often it is switched for dimming", (100, 10_000), unit="Hz")),
    )


@dataclass(frozen=True, slots=True)
class SoundSettings:
    """Sounds of the box."""

    buzzer_pin: int = field(default=NO_PIN, metadata=_pin("a piezo buzzer"))


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Where the pages are served, and to whom."""

    host: str = field(
        default="127.0.0.1",
        metadata=_spec(KeySpec("address to listen on; 0.0.0.0 lets other devices reach it")),
    )
    port: int = field(default=8080, metadata=_spec(KeySpec("port to listen on", (1, HIGHEST_PORT))))
    box_port: int = field(
        default=0,
        metadata=_spec(
            KeySpec(
                "port of the box's own screen, on 127.0.0.1; 0 for the next one", (0, HIGHEST_PORT)
            )
        ),
    )
    language: str = field(
        default=ENGLISH,
        metadata=_spec(
            KeySpec("language of the box's screen and of reports", choices=list_languages())
        ),
    )
    phones: Phones = field(
        default=Phones.OFF,
        metadata=_spec(
            KeySpec("what phones may do: nothing, watch, or play with the table's code")
        ),
    )
    host_names: str = field(
        default="",
        metadata=_spec(KeySpec("further names of this box for browsers, separated by commas")),
    )

    @property
    def own_port(self) -> int:
        """The port of the box's own screen: `box_port`, or the port next to `port`; 0 for any."""
        return self.box_port or (self.port and self.port + (1 if self.port < HIGHEST_PORT else -1))


@dataclass(frozen=True, slots=True)
class DataSettings:
    """Where games are kept."""

    folder: Path = field(
        default=Path("dicebell-data"), metadata=_spec(KeySpec("folder for journals and pictures"))
    )


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """Pictures of the rolls, and for how long they are kept; their digests stay for ever."""

    clips: bool = field(
        default=False, metadata=_spec(KeySpec("whether a film of every throw is stored too"))
    )
    keep_days: int = field(
        default=0,
        metadata=_spec(KeySpec("older pictures are deleted; 0 keeps them forever", (0, 36_500))),
    )
    keep_mb: int = field(
        default=0,
        metadata=_spec(
            KeySpec(
                "above this size the oldest are deleted; 0 for no limit",
                (0, 1_000_000),
                unit="MB",
            )
        ),
    )
    picture_quality: int = field(
        default=90,
        metadata=_spec(
            KeySpec("quality of the pictures; a worse one is read with less certainty", (85, 100))
        ),
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set; the defaults make a table without any hardware."""

    table: TableSettings = field(default_factory=TableSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    panel: PanelSettings = field(default_factory=PanelSettings)
    panel_1: PlayerPanelSettings = field(default_factory=PlayerPanelSettings)
    panel_2: PlayerPanelSettings = field(default_factory=PlayerPanelSettings)
    panel_3: PlayerPanelSettings = field(default_factory=PlayerPanelSettings)
    panel_4: PlayerPanelSettings = field(default_factory=PlayerPanelSettings)
    panel_5: PlayerPanelSettings = field(default_factory=PlayerPanelSettings)
    panel_6: PlayerPanelSettings = field(default_factory=PlayerPanelSettings)
    light: LightSettings = field(default_factory=LightSettings)
    sound: SoundSettings = field(default_factory=SoundSettings)
    web: WebSettings = field(default_factory=WebSettings)
    data: DataSettings = field(default_factory=DataSettings)
    evidence: EvidenceSettings = field(default_factory=EvidenceSettings)

    @property
    def player_panels(self) -> tuple[PlayerPanelSettings, ...]:
        """The players' own panels, in the order of their seats; those that are not there too."""
        sections = list_sections(self).values()
        return tuple(each for each in sections if isinstance(each, PlayerPanelSettings))


Section: TypeAlias = (
    TableSettings
    | CameraSettings
    | PanelSettings
    | PlayerPanelSettings
    | LightSettings
    | SoundSettings
    | WebSettings
    | DataSettings
    | EvidenceSettings
)


def list_sections(settings: Settings) -> dict[str, Section]:
    """Return the sections by name, in the order in which they are printed."""
    return {section.name: getattr(settings, section.name) for section in fields(settings)}
