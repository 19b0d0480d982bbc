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

from controller.base.languages.message import message
from controller.base.settings.choices import CameraDriver, Confirm, PanelDriver, TrayKind
from controller.base.settings.data import DataSettings, EvidenceSettings
from controller.base.settings.key_spec import describe_key, describe_pin
from controller.base.settings.programs import ApiSettings, MqttSettings
from controller.base.settings.tournament import TournamentSettings
from controller.base.settings.web import IdleSettings, WebSettings

Value: TypeAlias = bool | int | float | str | Enum | Path
"""What a key may hold."""


NO_PIN = 0
"""The pin of a button, lamp, light or buzzer that does not exist."""

_BUTTON_PIN = message("BCM number of the pin.")
_LAMP_PIN = message("BCM number of the pin of the lamp in this button.")
_BUTTON_LEFT = describe_pin(message("Button Left"), _BUTTON_PIN)
_BUTTON_RIGHT = describe_pin(message("Button Right"), _BUTTON_PIN)
_BUTTON_CONFIRM = describe_pin(message("Button Confirm"), _BUTTON_PIN)
_BUTTON_BACK = describe_pin(message("Button Back"), _BUTTON_PIN)
_LAMP_LEFT = describe_pin(message("Lamp Left"), _LAMP_PIN)
_LAMP_RIGHT = describe_pin(message("Lamp Right"), _LAMP_PIN)
_LAMP_CONFIRM = describe_pin(message("Lamp Confirm"), _LAMP_PIN)
_LAMP_BACK = describe_pin(message("Lamp Back"), _LAMP_PIN)


@dataclass(frozen=True, slots=True)
class TableSettings:
    """How the table plays."""

    confirm: Confirm = field(
        default=Confirm.AUTO,
        metadata=describe_key(
            message("Accept a roll"), message("How a roll that was read for certain is accepted.")
        ),
    )
    see_every_throw: bool = field(
        default=False,
        metadata=describe_key(
            message("Doubt every throw that was not seen"),
            message("For tournaments: a die without a seen throw is a doubt."),
        ),
    )
    round_result_s: int = field(
        default=8,
        metadata=describe_key(
            message("Result of a round stays for"),
            message("In Black'n'White; 0 until somebody confirms or throws."),
            (0, 600),
            unit="s",
        ),
    )
    opponent_pause_s: int = field(
        default=2,
        metadata=describe_key(
            message("Pause before an opponent chooses"),
            message("So that people can follow what opponents do."),
            (0, 60),
            unit="s",
        ),
    )


@dataclass(frozen=True, slots=True)
class TraySettings:
    """How dice are thrown at this table."""

    kind: TrayKind = field(
        default=TrayKind.OPEN,
        metadata=describe_key(
            message("Kind of tray"),
            message("Dice are thrown into an open tray, or shaken in a transparent dome."),
        ),
    )

    @property
    def is_dome(self) -> bool:
        """Whether the dice are shaken in a dome."""
        return self.kind is TrayKind.DOME


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """Which camera looks into the tray, and how; 0 means: as `dicebell calibrate` found it."""

    driver: CameraDriver = field(
        default=CameraDriver.SIMULATED,
        metadata=describe_key(message("Kind of camera"), message("How the camera is connected.")),
    )
    index: int = field(
        default=0,
        metadata=describe_key(
            message("Number of the camera"),
            message("Which camera, if there are several (Raspberry Pi, USB)."),
            (0, 63),
        ),
    )
    path: str = field(
        default="",
        metadata=describe_key(
            message("File or device"),
            message(
                "A video or a folder of pictures (file), or a device such as /dev/video0 (USB)."
            ),
        ),
    )
    width: int = field(
        default=1280,
        metadata=describe_key(
            message("Width of the pictures"),
            message("More is sharper and slower."),
            (160, 4656),
            unit="px",
        ),
    )
    height: int = field(
        default=720,
        metadata=describe_key(
            message("Height of the pictures"),
            message("More is sharper and slower."),
            (120, 3496),
            unit="px",
        ),
    )
    fps: int = field(
        default=30,
        metadata=describe_key(
            message("Pictures per second"),
            message("The table follows throws better with more of them."),
            (1, 120),
        ),
    )
    mains_hz: int = field(
        default=50,
        metadata=describe_key(
            message("Frequency of the mains"),
            message("Lamps flicker at this frequency: 50 in Europe, 60 in North America."),
            choices=(50, 60),
            unit="Hz",
        ),
    )
    exposure_us: int = field(
        default=0,
        metadata=describe_key(
            message("Shutter time"), message("Exposure of one picture."), (0, 200_000), unit="us"
        ),
    )
    gain: float = field(
        default=0.0,
        metadata=describe_key(message("Gain"), message("Amplification of the sensor."), (0, 64)),
    )
    red_gain: float = field(
        default=0.0,
        metadata=describe_key(
            message("White balance, red"), message("Red compared with green."), (0, 32)
        ),
    )
    blue_gain: float = field(
        default=0.0,
        metadata=describe_key(
            message("White balance, blue"), message("Blue compared with green."), (0, 32)
        ),
    )
    focus_dioptre: float = field(
        default=0.0,
        metadata=describe_key(
            message("Focus"),
            message("1 divided by the distance in metres, if the lens can be moved."),
            (0, 32),
        ),
    )


@dataclass(frozen=True, slots=True)
class PanelSettings:
    """Buttons and lamps of the table; pins are BCM numbers, each used once, 0 where none is."""

    driver: PanelDriver = field(
        default=PanelDriver.NONE,
        metadata=describe_key(
            message("Kind of panel"), message("How buttons and lamps are connected.")
        ),
    )
    left_pin: int = field(default=5, metadata=_BUTTON_LEFT)
    right_pin: int = field(default=6, metadata=_BUTTON_RIGHT)
    confirm_pin: int = field(default=13, metadata=_BUTTON_CONFIRM)
    back_pin: int = field(default=19, metadata=_BUTTON_BACK)
    left_lamp_pin: int = field(default=12, metadata=_LAMP_LEFT)
    right_lamp_pin: int = field(default=16, metadata=_LAMP_RIGHT)
    confirm_lamp_pin: int = field(default=20, metadata=_LAMP_CONFIRM)
    back_lamp_pin: int = field(default=21, metadata=_LAMP_BACK)
    bounce_ms: int = field(
        default=20,
        metadata=describe_key(
            message("Debounce time"),
            message("A contact must be steady for this long to count."),
            (1, 100),
            unit="ms",
        ),
    )
    hold_ms: int = field(
        default=1000,
        metadata=describe_key(
            message("Long press"),
            message("A press that lasts this long is a long press."),
            (200, 5000),
            unit="ms",
        ),
    )


@dataclass(frozen=True, slots=True)
class PlayerPanelSettings:
    """Buttons and lamps of one player: [panel_1] for the first seat, up to [panel_6]."""

    left_pin: int = field(default=NO_PIN, metadata=_BUTTON_LEFT)
    right_pin: int = field(default=NO_PIN, metadata=_BUTTON_RIGHT)
    confirm_pin: int = field(default=NO_PIN, metadata=_BUTTON_CONFIRM)
    back_pin: int = field(default=NO_PIN, metadata=_BUTTON_BACK)
    left_lamp_pin: int = field(default=NO_PIN, metadata=_LAMP_LEFT)
    right_lamp_pin: int = field(default=NO_PIN, metadata=_LAMP_RIGHT)
    confirm_lamp_pin: int = field(default=NO_PIN, metadata=_LAMP_CONFIRM)
    back_lamp_pin: int = field(default=NO_PIN, metadata=_LAMP_BACK)


@dataclass(frozen=True, slots=True)
class LightSettings:
    """The light over the tray."""

    pin: int = field(
        default=NO_PIN,
        metadata=describe_pin(
            message("Pin of the light"), message("BCM number of the light's transistor.")
        ),
    )
    brightness_percent: int = field(
        default=100,
        metadata=describe_key(
            message("Brightness"), message("How bright the light is."), (1, 100), unit="percent"
        ),
    )
    frequency_hz: int = field(
        default=1000,
        metadata=describe_key(
            message("Dimming frequency"),
            message("How often per second the light is switched for dimming."),
            (100, 10_000),
            unit="Hz",
        ),
    )


@dataclass(frozen=True, slots=True)
class SoundSettings:
    """Sounds of the box."""

    buzzer_pin: int = field(
        default=NO_PIN,
        metadata=describe_pin(
            message("Pin of the buzzer"), message("BCM number of a piezo buzzer.")
        ),
    )
    volume_percent: int = field(
        default=60,
        metadata=describe_key(
            message("Volume"),
            message("How loud the box's screen plays sounds; 0 silences the buzzer too."),
            (0, 100),
            unit="percent",
        ),
    )
    night_volume_percent: int = field(
        default=20,
        metadata=describe_key(
            message("Volume at night"),
            message("The same in the hours of the night."),
            (0, 100),
            unit="percent",
        ),
    )
    call_aloud: bool = field(
        default=False,
        metadata=describe_key(
            message("Call aloud"),
            message("A voice calls the faces of each roll and the totals that change."),
        ),
    )


@dataclass(frozen=True, slots=True)
class NightSettings:
    """The hours in which the table is quieter, and its demonstration darker."""

    from_hour: int = field(
        default=23,
        metadata=describe_key(
            message("Begin of the night"),
            message("From this hour; the same hour twice for no night."),
            (0, 23),
        ),
    )
    to_hour: int = field(
        default=7,
        metadata=describe_key(
            message("End of the night"), message("Until this hour begins."), (0, 23)
        ),
    )

    def is_night(self, hour: int) -> bool:
        """Return whether an hour of the day, 0 to 23, belongs to the night."""
        return (hour - self.from_hour) % 24 < (self.to_hour - self.from_hour) % 24


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set; the defaults make a table without any hardware."""

    table: TableSettings = field(default_factory=TableSettings)
    tray: TraySettings = field(default_factory=TraySettings)
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
    night: NightSettings = field(default_factory=NightSettings)
    idle: IdleSettings = field(default_factory=IdleSettings)
    web: WebSettings = field(default_factory=WebSettings)
    api: ApiSettings = field(default_factory=ApiSettings)
    tournament: TournamentSettings = field(default_factory=TournamentSettings)
    mqtt: MqttSettings = field(default_factory=MqttSettings)
    data: DataSettings = field(default_factory=DataSettings)
    evidence: EvidenceSettings = field(default_factory=EvidenceSettings)

    @property
    def player_panels(self) -> tuple[PlayerPanelSettings, ...]:
        """The players' own panels, in the order of their seats; those that are not there too."""
        sections = list_sections(self).values()
        return tuple(each for each in sections if isinstance(each, PlayerPanelSettings))


Section: TypeAlias = (
    TableSettings
    | TraySettings
    | CameraSettings
    | PanelSettings
    | PlayerPanelSettings
    | LightSettings
    | SoundSettings
    | NightSettings
    | IdleSettings
    | WebSettings
    | ApiSettings
    | TournamentSettings
    | MqttSettings
    | DataSettings
    | EvidenceSettings
)


def list_sections(settings: Settings) -> dict[str, Section]:
    """Return the sections by name, in the order in which they are printed."""
    return {section.name: getattr(settings, section.name) for section in fields(settings)}
