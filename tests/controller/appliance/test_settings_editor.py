# SPDX-License-Identifier: MIT
"""Settings are changed in their file, at once where that can be, and refused in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.appliance.settings_editor import (
    APPLIED,
    EXPOSURE_KEYS,
    LIVE_KEYS,
    NEXT_START,
    NO_FILE,
    SettingsEditor,
)
from controller.appliance.views import SettingView
from controller.base.errors import InputError
from controller.base.languages.message import Message
from controller.base.settings import Settings, load_settings
from controller.base.settings.schema import list_sections
from controller.runtime.calibration.active import ActiveCalibration
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera

TEXT = """# The table in the hall.
[camera]
gain = 2.0  # as the evening wants it
mains_hz = 50
"""


class Office:
    def __init__(self, folder: Path) -> None:
        self.file = folder / "dicebell.toml"
        self.file.write_text(TEXT)
        self.camera = SimulatedCamera(SteppedClock(), seed=1, size_wh=(320, 180))
        self.applied: list[Settings] = []
        self.live = ActiveCalibration()
        self.desk = SettingsEditor(
            self.file, load_settings(self.file), self.camera, self.live, self.applied.append
        )

    def setting(self, name: str) -> SettingView:
        sections = self.desk.view()["sections"]
        (found,) = (each for one in sections for each in one["settings"] if each["name"] == name)
        return found


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path)


def test_a_setting_is_shown_in_words(office: Office) -> None:
    width = office.setting("camera.width")
    assert (width["label"], width["unit"]) == ("Width of the pictures", "px")
    assert (width["allowed"], width["default_text"]) == ("160 to 4656 px", "1280 px")
    phones = office.setting("web.phones")
    assert phones["choice_labels"] == ["nothing", "watch", "watch and play"]
    assert (phones["allowed"], phones["default_text"]) == ("", "nothing")
    assert office.setting("web.language")["choice_labels"][:2] == ["automatic", "English"]
    assert office.setting("evidence.clips")["default_text"] == "no"


def test_every_text_of_the_settings_can_be_translated(office: Office) -> None:
    for section in office.desk.view()["sections"]:
        texts = [section["label"], section["about"]]
        for each in section["settings"]:
            texts += [each["label"], each["about"]]
        assert all(isinstance(text, Message) for text in texts)


def test_an_exposure_applies_at_once_and_its_comment_stays(office: Office) -> None:
    assert office.desk.change("camera.gain", 3.5) == APPLIED
    assert office.desk.camera()["exposure"]["gain"] == 3.5
    assert office.file.read_text() == TEXT.replace("gain = 2.0", "gain = 3.5")
    assert not office.setting("camera.gain")["waits"]


def test_light_and_sound_apply_at_once(office: Office) -> None:
    assert office.desk.change("light.brightness_percent", 30) == APPLIED
    assert office.desk.change("sound.volume_percent", 0) == APPLIED
    assert [each.light.brightness_percent for each in office.applied] == [30, 30]
    assert [each.sound.volume_percent for each in office.applied] == [60, 0]


def test_a_change_for_the_next_start_waits_until_it_is_undone(office: Office) -> None:
    assert office.desk.change("camera.mains_hz", 60) == NEXT_START
    setting = office.setting("camera.mains_hz")
    assert (setting["value"], setting["waits"], setting["live"]) == ("60", True, False)
    office.desk.change("camera.mains_hz", 50)
    assert not office.setting("camera.mains_hz")["waits"]


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("camera.gain", 900, "a number from 0 to 64, found 900"),
        ("camera.gain", "", "a number from 0 to 64"),
        ("camera.mains_hz", 55, "50 or 60"),
        ("camera.fly", 1, "one of the keys driver"),
        ("panel.left_pin", 6, "an unused pin"),
        ("gain", 1, "section.key"),
    ],
)
def test_what_may_not_be_is_refused_and_nothing_is_written(
    office: Office, name: str, value: int | str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        office.desk.change(name, value)
    assert office.file.read_text() == TEXT
    assert office.desk.camera()["exposure"]["gain"] == 2.0


def test_every_key_is_shown_with_what_it_is_for(office: Office) -> None:
    looked = office.desk.view()
    assert (looked["file"], looked["problem"]) == (str(office.file), "")
    assert [each["name"] for each in looked["sections"]] == list(list_sections(Settings()))
    for section in looked["sections"]:
        assert section["about"]
        assert all(each["about"] and each["label"] for each in section["settings"])
    driver = office.setting("camera.driver")
    drivers = ["auto", "simulated", "pi", "usb", "file"]
    assert (driver["kind"], driver["choices"]) == ("choice", drivers)
    kinds = [office.setting(f"camera.{key}")["kind"] for key in ("path", "gain", "mains_hz")]
    assert kinds == ["text", "number", "choice"]


def test_a_broken_file_is_reported_beside_the_running_values(office: Office) -> None:
    office.file.write_text("[camera]\ngain = 900\n")
    looked = office.desk.view()
    assert "line 2, camera.gain" in looked["problem"]
    assert office.setting("camera.gain")["value"] == "2.0"


def test_without_a_file_nothing_can_be_changed_and_that_is_said() -> None:
    camera = SimulatedCamera(SteppedClock(), seed=1, size_wh=(320, 180))
    desk = SettingsEditor(None, Settings(), camera, ActiveCalibration(), lambda percent: None)
    assert desk.view()["problem"] == NO_FILE
    with pytest.raises(InputError, match=r"camera\.gain: expected a settings file"):
        desk.change("camera.gain", 2.0)


def test_the_documentation_names_every_key_that_applies_at_once() -> None:
    text = (Path(__file__).parents[3] / "docs" / "service.md").read_text()
    (line,) = (line for line in text.splitlines() if "`exposure_us`" in line)
    assert set(re.findall(r"`(\w+)`", line)) == {name.partition(".")[2] for name in EXPOSURE_KEYS}
    assert {f"`{name.partition('.')[2]}`" in text for name in LIVE_KEYS} == {True}


def test_the_broker_with_a_password_is_changed_in_the_file_alone(office: Office) -> None:
    """Else who has the PIN could have the password sent to another broker, or any file."""
    office.desk.change("mqtt.host", "broker.lan")
    with pytest.raises(InputError, match=r"mqtt\.password_file is changed in"):
        office.desk.change("mqtt.password_file", "/etc/shadow")
    office.file.write_text('[mqtt]\nuser = "ada"\npassword_file = "/etc/dicebell/password"\n')
    for key in ("host", "port", "tls", "ca_file", "user"):
        with pytest.raises(InputError, match=rf"mqtt\.{key} is changed in"):
            office.desk.change(f"mqtt.{key}", "x")
        assert office.setting(f"mqtt.{key}")["fixed"]
    office.desk.change("mqtt.enabled", True)
    assert load_settings(office.file).mqtt.enabled


def test_the_data_folder_is_changed_in_the_file_alone(office: Office) -> None:
    """Root's backup and restore go where it leads."""
    before = office.file.read_text()
    with pytest.raises(InputError, match=r"data\.folder is changed in .*dicebell\.toml"):
        office.desk.change("data.folder", "/etc/cron.d")
    assert office.file.read_text() == before
    assert office.setting("data.folder")["fixed"]
    assert not office.setting("camera.gain")["fixed"]


def test_the_pin_is_lifted_in_the_file_alone(office: Office) -> None:
    """The service page is open at the box, where the PIN guards the faces."""
    with pytest.raises(InputError, match=r"web\.pin_at_box is changed in"):
        office.desk.change("web.pin_at_box", False)
    assert office.setting("web.pin_at_box")["fixed"]
