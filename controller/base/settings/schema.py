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

from controller.base.languages.codes import AUTO, list_languages
from controller.base.languages.message import message
from controller.base.settings.choices import (
    CameraDriver,
    Confirm,
    Layout,
    PanelDriver,
    Phones,
    Theme,
    TrayKind,
)
from controller.base.settings.key_spec import pin, setting

Value: TypeAlias = bool | int | float | str | Enum | Path  # What a key may hold.

NO_PIN = 0  # The pin of a button, lamp, light or buzzer that does not exist.

_BUTTON_PIN = message("BCM number of the pin.")
_LAMP_PIN = message("BCM number of the pin of the lamp in this button.")

HIGHEST_PORT = 65535
PLAIN_PORT, TLS_PORT = 1883, 8883
"""The ports at which brokers listen usually, without and with TLS."""


@dataclass(frozen=True, slots=True)
class Section:
    """One section of the file; its docstring is the comment in front of it."""


@dataclass(frozen=True, slots=True)
class TableSettings(Section):
    """How the table plays."""

    confirm: Confirm = setting(
        Confirm.AUTO, "Accept a roll", "How a roll that was read for certain is accepted."
    )
    see_every_throw: bool = setting(
        False,
        "Doubt every throw that was not seen",
        "For tournaments: a die without a seen throw is a doubt.",
    )
    round_result_s: int = setting(
        8,
        "Result of a round stays for",
        "In Black'n'White; 0 until somebody confirms or throws.",
        most=600,
        unit="s",
    )
    opponent_pause_s: int = setting(
        2,
        "Pause before an opponent chooses",
        "So that people can follow what opponents do.",
        most=60,
        unit="s",
    )


@dataclass(frozen=True, slots=True)
class TraySettings(Section):
    """How dice are thrown at this table."""

    kind: TrayKind = setting(
        TrayKind.OPEN,
        "Kind of tray",
        "Dice are thrown into an open tray, or shaken in a transparent dome.",
    )

    @property
    def is_dome(self) -> bool:
        """Whether the dice are shaken in a dome."""
        return self.kind is TrayKind.DOME


@dataclass(frozen=True, slots=True)
class CameraSettings(Section):
    """Which camera looks into the tray, and how; 0 means: as `dicebell calibrate` found it."""

    driver: CameraDriver = setting(
        CameraDriver.AUTO,
        "Kind of camera",
        "How the camera is connected; auto finds one, and the page /setup may choose another.",
    )
    index: int = setting(
        0,
        "Number of the camera",
        "Which camera, if there are several (Raspberry Pi, USB).",
        most=63,
    )
    path: str = setting(
        "",
        "File or device",
        "A video or a folder of pictures (file), or a device such as /dev/video0 (USB).",
    )
    width: int = setting(
        1280,
        "Width of the pictures",
        "More is sharper and slower.",
        least=160,
        most=4656,
        unit="px",
    )
    height: int = setting(
        720,
        "Height of the pictures",
        "More is sharper and slower.",
        least=120,
        most=3496,
        unit="px",
    )
    fps: int = setting(
        30,
        "Pictures per second",
        "The table follows throws better with more of them.",
        least=1,
        most=120,
    )
    mains_hz: int = setting(
        50,
        "Frequency of the mains",
        "Lamps flicker at this frequency: 50 in Europe, 60 in North America.",
        choices=(50, 60),
        unit="Hz",
    )
    exposure_us: int = setting(
        0, "Shutter time", "Exposure of one picture.", most=200_000, unit="us"
    )
    gain: float = setting(0.0, "Gain", "Amplification of the sensor.", most=64)
    red_gain: float = setting(0.0, "White balance, red", "Red compared with green.", most=32)
    blue_gain: float = setting(0.0, "White balance, blue", "Blue compared with green.", most=32)
    focus_dioptre: float = setting(
        0.0, "Focus", "1 divided by the distance in metres, if the lens can be moved.", most=32
    )


@dataclass(frozen=True, slots=True)
class PanelSettings(Section):
    """Buttons and lamps of the table; pins are BCM numbers, each used once, 0 where none is."""

    driver: PanelDriver = setting(
        PanelDriver.NONE, "Kind of panel", "How buttons and lamps are connected."
    )
    left_pin: int = pin(5, "Button Left", _BUTTON_PIN)
    right_pin: int = pin(6, "Button Right", _BUTTON_PIN)
    confirm_pin: int = pin(13, "Button Confirm", _BUTTON_PIN)
    back_pin: int = pin(19, "Button Back", _BUTTON_PIN)
    left_lamp_pin: int = pin(12, "Lamp Left", _LAMP_PIN)
    right_lamp_pin: int = pin(16, "Lamp Right", _LAMP_PIN)
    confirm_lamp_pin: int = pin(20, "Lamp Confirm", _LAMP_PIN)
    back_lamp_pin: int = pin(21, "Lamp Back", _LAMP_PIN)
    bounce_ms: int = setting(
        20,
        "Debounce time",
        "A contact must be steady for this long to count.",
        least=1,
        most=100,
        unit="ms",
    )
    hold_ms: int = setting(
        1000,
        "Long press",
        "A press that lasts this long is a long press.",
        least=200,
        most=5000,
        unit="ms",
    )


@dataclass(frozen=True, slots=True)
class PlayerPanelSettings(Section):
    """Buttons and lamps of one player: [panel_1] for the first seat, up to [panel_6]."""

    left_pin: int = pin(NO_PIN, "Button Left", _BUTTON_PIN)
    right_pin: int = pin(NO_PIN, "Button Right", _BUTTON_PIN)
    confirm_pin: int = pin(NO_PIN, "Button Confirm", _BUTTON_PIN)
    back_pin: int = pin(NO_PIN, "Button Back", _BUTTON_PIN)
    left_lamp_pin: int = pin(NO_PIN, "Lamp Left", _LAMP_PIN)
    right_lamp_pin: int = pin(NO_PIN, "Lamp Right", _LAMP_PIN)
    confirm_lamp_pin: int = pin(NO_PIN, "Lamp Confirm", _LAMP_PIN)
    back_lamp_pin: int = pin(NO_PIN, "Lamp Back", _LAMP_PIN)


@dataclass(frozen=True, slots=True)
class LightSettings(Section):
    """The light over the tray."""

    pin: int = pin(NO_PIN, "Pin of the light", "BCM number of the light's transistor.")
    brightness_percent: int = setting(
        100, "Brightness", "How bright the light is.", least=1, most=100, unit="percent"
    )
    frequency_hz: int = setting(
        1000,
        "Dimming frequency",
        "How often per second the light is switched for dimming.",
        least=100,
        most=10_000,
        unit="Hz",
    )


@dataclass(frozen=True, slots=True)
class SoundSettings(Section):
    """Sounds of the box."""

    buzzer_pin: int = pin(NO_PIN, "Pin of the buzzer", "BCM number of a piezo buzzer.")
    volume_percent: int = setting(
        60,
        "Volume",
        "How loud the box's screen plays sounds; 0 silences the buzzer too.",
        most=100,
        unit="percent",
    )
    night_volume_percent: int = setting(
        20, "Volume at night", "The same in the hours of the night.", most=100, unit="percent"
    )
    call_aloud: bool = setting(
        False, "Call aloud", "A voice calls the faces of each roll and the totals that change."
    )


@dataclass(frozen=True, slots=True)
class NightSettings(Section):
    """The hours in which the table is quieter, and its demonstration darker."""

    from_hour: int = setting(
        23, "Begin of the night", "From this hour; the same hour twice for no night.", most=23
    )
    to_hour: int = setting(7, "End of the night", "Until this hour begins.", most=23)

    def is_night(self, hour: int) -> bool:
        """Return whether an hour of the day, 0 to 23, belongs to the night."""
        return (hour - self.from_hour) % 24 < (self.to_hour - self.from_hour) % 24


@dataclass(frozen=True, slots=True)
class IdleSettings(Section):
    """The box's own screen while the table is not in use: it shows a demonstration game."""

    minutes: int = setting(
        10,
        "Demonstration after",
        "So long without a press or a motion in the lobby; 0 for never.",
        most=720,
        unit="min",
    )
    night_brightness_percent: int = setting(
        30,
        "Brightness at night",
        "How bright the demonstration is in the hours of the night.",
        least=5,
        most=100,
        unit="percent",
    )


@dataclass(frozen=True, slots=True)
class WebSettings(Section):
    """Where the pages are served, and to whom."""

    host: str = setting(
        "127.0.0.1",
        "Address",
        "The pages are served there; 0.0.0.0 lets other devices reach them, :: also over IPv6.",
    )
    port: int = setting(
        8080, "Port", "The pages are served at this port.", least=1, most=HIGHEST_PORT
    )
    box_port: int = setting(
        0,
        "Port of the box's own screen",
        "Only the box itself reaches it, at 127.0.0.1; 0 for the port after the first.",
        most=HIGHEST_PORT,
    )
    language: str = setting(
        AUTO,
        "Language",
        "Language of the box's screen, of reports and of the corner cards; automatic is that of "
        "the screen's browser, otherwise English.",
        choices=(AUTO, *list_languages()),
    )
    layout: Layout = setting(
        Layout.AUTO,
        "Size of texts",
        "Size of texts on the box's screen; automatic is big up to 1280x800 pixels.",
    )
    theme: Theme = setting(
        Theme.FELT, "Look", "Colours of the pages; each screen can choose others."
    )
    reduced_motion: bool = setting(
        False,
        "Less motion",
        "Nothing blinks or slides on the pages; each screen can choose otherwise.",
    )
    phones: Phones = setting(
        Phones.OFF, "Phones", "What phones may do; to play they need the table's code."
    )
    pin_at_box: bool = setting(
        True,
        "PIN at the box",
        "Faces are entered and corrected on the box's own screen with the PIN only; at home it can"
        " be off.",
    )
    host_names: str = setting(
        "", "Further names", "Other names of this box for browsers, separated by commas."
    )

    @property
    def own_port(self) -> int:
        """The port of the box's own screen: `box_port`, or the port next to `port`; 0 for any."""
        return self.box_port or (self.port and self.port + (1 if self.port < HIGHEST_PORT else -1))


@dataclass(frozen=True, slots=True)
class ApiSettings(Section):
    """The interface for other programs; tokens for it are made on the service page."""

    enabled: bool = setting(
        False, "Answer other programs", "Programs with a token may read the table or ask for dice."
    )
    origins: str = setting(
        "",
        "Foreign pages",
        "Pages of these addresses may use it, such as http://192.168.0.5:3000;"
        " separated by commas.",
    )
    request_s: int = setting(
        120,
        "Wait for dice",
        "A request for dice ends unanswered after this time.",
        least=10,
        most=3600,
        unit="s",
    )


@dataclass(frozen=True, slots=True)
class TournamentSettings(Section):
    """The desk of a tournament. The table joins it on the service page and sends nothing before."""

    address: str = setting(
        "", "Address of the desk", "What the service page offers, such as http://192.168.0.10:8090."
    )
    pictures: bool = setting(
        True, "Send pictures", "The desk may ask for the pictures of the rolls."
    )


@dataclass(frozen=True, slots=True)
class MqttSettings(Section):
    """A broker that gets rolls, games and health by MQTT, for Home Assistant and others."""

    enabled: bool = setting(
        False,
        "Send to a broker",
        "The table sends rolls, games and its health; it takes no orders.",
    )
    host: str = setting("localhost", "Broker", "Name or address of the machine with the broker.")
    port: int = setting(
        0, "Port of the broker", "0 for the usual one: 1883, or 8883 with TLS.", most=65535
    )
    tls: bool = setting(
        False, "Encrypt with TLS", "The broker must show a certificate for its name."
    )
    ca_file: str = setting(
        "", "Certificates to trust", "A file in PEM; empty for those that the system trusts."
    )
    cert_file: str = setting(
        "", "Certificate of the table", "A file in PEM, if the broker asks for one."
    )
    key_file: str = setting(
        "",
        "Key of the table's certificate",
        "A file in PEM without a password; empty if the certificate's file has it.",
    )
    user: str = setting("", "User", "As the broker knows the table; empty for none.")
    password_file: str = setting(
        "", "File with the password", "Only its owner may read it (chmod 600); it is in no backup."
    )
    topic: str = setting(
        "dicebell", "Topic", "All topics begin with it. Each table at a broker needs another one."
    )
    discovery: bool = setting(
        True, "Announce to Home Assistant", "Home Assistant then adds the table by itself."
    )
    discovery_topic: str = setting(
        "homeassistant", "Topic of announcements", "As Home Assistant has it in its settings."
    )

    @property
    def broker_port(self) -> int:
        """The port of the broker: `port`, or the usual one."""
        return self.port or (TLS_PORT if self.tls else PLAIN_PORT)


@dataclass(frozen=True, slots=True)
class DataSettings(Section):
    """Where games are kept."""

    folder: Path = setting(Path("dicebell-data"), "Data folder", "Journals and pictures are there.")


@dataclass(frozen=True, slots=True)
class EvidenceSettings(Section):
    """Pictures of the rolls, and for how long they are kept; their digests stay for ever."""

    clips: bool = setting(False, "Film every throw", "A film of every throw is stored too.")
    keep_days: int = setting(
        0,
        "Keep pictures for",
        "Older pictures are deleted; 0 keeps them forever.",
        most=36_500,
        unit="days",
    )
    keep_mb: int = setting(
        0,
        "Room for pictures",
        "Above this size the oldest pictures are deleted; 0 for no limit.",
        most=1_000_000,
        unit="MB",
    )
    picture_quality: int = setting(
        90,
        "Quality of the pictures",
        "A worse picture is read again with less certainty.",
        least=85,
        most=100,
    )


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


def list_sections(settings: Settings) -> dict[str, Section]:
    """Return the sections by name, in the order in which they are printed."""
    return {section.name: getattr(settings, section.name) for section in fields(settings)}
