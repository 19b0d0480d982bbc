# SPDX-License-Identifier: MIT
"""Settings: read, refused with file, line, key and range, printed and read back."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.base.settings import (
    CameraDriver,
    CameraSettings,
    DataSettings,
    PanelDriver,
    PanelSettings,
    PlayerPanelSettings,
    Settings,
    TableSettings,
    WebSettings,
    load_settings,
    parse_settings,
    render_reference,
    render_settings,
)
from controller.base.settings.choices import Confirm
from controller.base.settings.schema import list_sections

PAGE = Path(__file__).parents[4] / "docs" / "settings.md"


def refusal(text: str) -> InputError:
    """Return the error with which this text is refused."""
    with pytest.raises(InputError) as told:
        parse_settings(text, where="table.toml")
    return told.value


def test_empty_file_means_the_defaults() -> None:
    assert parse_settings("") == Settings()


def test_what_is_said_is_taken_and_the_rest_keeps_its_default() -> None:
    text = """
        [table]
        confirm = "button"
        see_every_throw = true
        [camera]
        driver = "usb"
        index = 2
        [panel]
        driver = "gpio"
        bounce_ms = 30
        [web]
        port = 80
        [data]
        folder = "/var/lib/dice"
    """
    assert parse_settings(text) == Settings(
        table=TableSettings(confirm=Confirm.BUTTON, see_every_throw=True),
        camera=CameraSettings(driver=CameraDriver.USB, index=2),
        panel=PanelSettings(driver=PanelDriver.GPIO, bounce_ms=30),
        web=WebSettings(port=80),
        data=DataSettings(folder=Path("/var/lib/dice")),
    )


def test_home_sign_is_no_folder_of_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ada")
    assert parse_settings('data.folder = "~/dice"').data.folder == Path("/home/ada/dice")


UNIT = "bounce_ms, a whole number from 1 to 100 (ms)"
PINS = (
    ("[panel]\nleft_pin = 6", 2, "panel.left_pin", 6, "right_pin"),
    ("[panel]\nright_pin = 5", 2, "panel.right_pin", 5, "left_pin"),
    ("[panel]\nback_lamp_pin = 13", 2, "panel.back_lamp_pin", 13, "confirm_pin"),
    ("[panel_2]\nleft_pin = 5", 2, "panel_2.left_pin", 5, "panel.left_pin"),
    ("[light]\npin = 21", 2, "light.pin", 21, "panel.back_lamp_pin"),
    ("[sound]\nbuzzer_pin = 13", 2, "sound.buzzer_pin", 13, "panel.confirm_pin"),
    ("[panel]\nleft_pin = 0\n[panel_6]\nleft_pin = 6", 4, "panel_6.left_pin", 6, "panel.right_pin"),
)
"""Pins that are used twice: the text, the place of the second use, the pin and the first use."""


@pytest.mark.parametrize(
    ("text", "where", "expected", "found"),
    [
        ("[camera]\n\nfsp = 30", "line 3, camera.fsp", "one of the keys driver, index", "fsp"),
        ("[table]\n[screen]\nx = 1", "line 2, screen", "one of the sections [table]", "screen"),
        ("web = 8080", "line 1, web", "one of the sections", "web"),
        ("[web]\nport = 0", "line 2, web.port", "from 1 to 65535", "0"),
        ("[web]\nport = 65536", "line 2, web.port", "from 1 to 65535", "65536"),
        ('[web]\nport = "80"', "line 2, web.port", "a whole number", '"80"'),
        ("[web]\nport = true", "line 2, web.port", "a whole number", "true"),
        ("[camera]\nfps = 29.97", "line 2, camera.fps", "a whole number from 1 to 120", "29.97"),
        ('[camera]\ndriver = "webcam"', "line 2, camera.driver", '"usb" or "file"', '"webcam"'),
        ("[table]\nconfirm = true", "line 2, table.confirm", '"auto" or "button"', "true"),
        ("[camera]\nmains_hz = 55", "line 2, camera.mains_hz", "50 or 60 (Hz)", "55"),
        ("[camera]\ngain = nan", "line 2, camera.gain", "a number from 0 to 64", "nan"),
        ("[camera]\ngain = true", "line 2, camera.gain", "a number from 0 to 64", "true"),
        ("[light]\npin = 28", "line 2, light.pin", "0 for none, or a pin from 2 to 27", "28"),
        ('[web]\nphones = "on"', "line 2, web.phones", '"watch" or "play"', '"on"'),
        ('[web]\nhost_names = "a.b, http://c"', "line 2, web.host_names", "names", '"http://c"'),
        ('[tournament]\naddress = "desk"', "line 2, tournament.address", "http://", '"desk"'),
        ('[web]\nhost_names = "*.lan"', "line 2, web.host_names", "dicebell.lan", '"*.lan"'),
        ("[web]\nhost = 127", "line 2, web.host", "text in quotes", "127"),
        ('[mqtt]\ntopic = "a/#"', "line 2, mqtt.topic", "without + and #", '"a/#"'),
        ('[mqtt]\ntopic = "/a"', "line 2, mqtt.topic", "a topic such as", '"/a"'),
        ('[mqtt]\ntopic = "$SYS"', "line 2, mqtt.topic", "not beginning with $", '"$SYS"'),
        ('[mqtt]\ndiscovery_topic = "a//b"', "line 2, mqtt.discovery_topic", "a topic", '"a//b"'),
        ('[mqtt]\nhost = "mqtt://b"', "line 2, mqtt.host", "one machine", '"mqtt://b"'),
        ('[mqtt]\nca_file = "ca.pem"', "line 2, mqtt.ca_file", "a whole path", '"ca.pem"'),
        (
            '[mqtt]\npassword_file = "/p"',
            "line 2, mqtt.password_file",
            "user",
            "password_file alone",
        ),
        ('[mqtt]\nkey_file = "/k"', "line 2, mqtt.key_file", "cert_file too", "key_file alone"),
        ("[mqtt]\nport = 65536", "line 2, mqtt.port", "from 0 to 65535", "65536"),
        ('[data]\nfolder = ""', "line 2, data.folder", "not empty", '""'),
        ("[web]\nport = 0\n[camera]\nfps = 0\nx = 1", "line 2, web.port", "to 65535", "0"),
        # A key in another unit is answered with the right one.
        *(
            (f"[panel]\n{key} = 0.02", f"line 2, panel.{key}", UNIT, key)
            for key in ("bounce_s", "bounce_us", "bounce")
        ),
        *(
            (text, f"line {line}, {key}", "an unused pin", f"{pin}, also used by {other}")
            for text, line, key, pin, other in PINS
        ),
    ],
)
def test_a_wrong_setting_is_refused_with_line_key_and_range(
    text: str, where: str, expected: str, found: str
) -> None:
    error = refusal(text)
    assert error.where == f"table.toml, {where}"
    assert expected in error.expected
    assert error.found == found


@pytest.mark.parametrize(
    "text",
    [
        "# the port\r\n[web]\r\nport = 0\r\n",
        "[camera] # port = 0\n[web]\nport = 0\n[panel]\n",
        "web.host = '''[web]\nport'''\nweb.port = 0",
        '\n\nweb = {host = "x", port = 0}',
        '[data]\n["web"]\n  "port"=0',
    ],
)
def test_line_is_right_however_the_file_is_written(text: str) -> None:
    assert refusal(text).where == "table.toml, line 3, web.port"


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("[panel]\ndriver = gpio\n[web]", 2, "driver = gpio (Invalid value)"),
        ("a = 1\nb =\nc = 2", 2, "b = (Invalid value)"),
        ("[web]\nport = ", 2, "port = (Invalid value)"),
        ("[web]\nhost = [1,\n", 3, "nothing more (Invalid value)"),
    ],
)
def test_broken_toml_is_told_with_its_line_and_what_stands_there(
    text: str, line: int, found: str
) -> None:
    error = refusal(text)
    assert (error.found, error.where) == (found, f"table.toml, line {line}")
    assert error.expected == "[section] or key = value in TOML, text in quotes"


def test_key_twice_is_broken_toml() -> None:
    assert refusal("[web]\nport = 80\nport = 81").where == "table.toml, line 3"


def test_file_camera_needs_a_path() -> None:
    error = refusal('[camera]\ndriver = "file"')
    assert "camera.path" in error.expected
    assert error.where == "table.toml, line 2, camera.driver"
    assert parse_settings('[camera]\ndriver = "file"\npath = "x.mp4"').camera.path == "x.mp4"


@pytest.mark.parametrize("driver", ["", 'driver = "auto"'])
def test_path_without_a_driver_that_uses_it_is_refused(driver: str) -> None:
    error = refusal(f'[camera]\n{driver}\npath = "/dev/v4l/by-id/tray"')
    assert error.expected == 'camera.driver = "usb" or "file" beside a path'
    assert error.found.startswith('"/dev/v4l/by-id/tray"')
    assert error.where == "table.toml, line 3, camera.path"
    assert parse_settings('[camera]\ndriver = "usb"\npath = "/dev/video2"').camera.path


def test_a_pin_of_nought_is_not_there_and_may_be_said_often() -> None:
    panel = parse_settings("[panel]\nleft_pin = 0\nright_pin = 0\n[sound]\nbuzzer_pin = 5").panel
    assert (panel.left_pin, panel.right_pin) == (0, 0)


def test_further_names_of_the_box_are_names() -> None:
    text = '[web]\nhost_names = "dicebell.lan, table-2.home.arpa,, box"'
    assert parse_settings(text).web.host_names == "dicebell.lan, table-2.home.arpa,, box"


def test_players_panels_stand_in_the_order_of_their_seats() -> None:
    settings = parse_settings("[panel_2]\nconfirm_pin = 22\n[panel_6]\nconfirm_pin = 23")
    sections = list_sections(settings).values()
    pins = [each.confirm_pin for each in sections if isinstance(each, PlayerPanelSettings)]
    assert pins == [0, 22, 0, 0, 0, 23]
    assert parse_settings(render_settings(settings)) == settings


def test_a_number_with_a_point_may_be_said_without_one() -> None:
    assert parse_settings("[camera]\ngain = 2").camera.gain == 2.0
    assert parse_settings("[camera]\nfocus_dioptre = 2.5").camera.focus_dioptre == 2.5


def test_settings_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[web]\nport = 81\n")
    assert load_settings(path).web.port == 81


def test_missing_file_a_folder_and_no_text_are_told_by_name(tmp_path: Path) -> None:
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'[data]\nfolder = "W\xfcrfel"\n')
    for path, found in [
        (tmp_path / "none.toml", "expected a settings file, found nothing there"),
        (tmp_path, "Not a regular file"),
        (latin, "invalid start byte"),
    ]:
        with pytest.raises(InputError, match=found) as told:
            load_settings(path)
        assert told.value.where == str(path)


@given(
    path=st.text(st.characters(exclude_categories=["Cs"])),
    host=st.text(st.characters(exclude_categories=["Cs"]), min_size=1),
    fps=st.integers(1, 120),
    confirm=st.sampled_from(Confirm),
)
def test_any_settings_are_read_back(path: str, host: str, fps: int, confirm: Confirm) -> None:
    settings = Settings(
        table=TableSettings(confirm=confirm),
        camera=CameraSettings(driver=CameraDriver.USB, path=path, fps=fps),
        web=replace(WebSettings(), host=host),
    )
    assert parse_settings(render_settings(settings)) == settings


def test_every_key_is_printed_with_what_it_is_for() -> None:
    text = render_settings(Settings())
    for section in {type(each) for each in list_sections(Settings()).values()}:
        for key in fields(section):
            spec = key.metadata["about"]
            what = re.escape(f"{spec.label}. {spec.what}")
            assert re.search(rf"^# {what} Allowed: .+\n{key.name} = ", text, re.M)


def test_page_about_the_settings_is_up_to_date() -> None:
    """Otherwise write what `render_reference()` returns into docs/settings.md."""
    assert PAGE.read_text(encoding="utf-8") == render_reference()
