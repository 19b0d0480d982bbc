# SPDX-License-Identifier: MIT
"""What a page changes is written back, and everything else in the file stays as it is."""

from __future__ import annotations

import os
import stat
import threading
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as trying
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.base.settings import (
    Phones,
    Settings,
    Value,
    change_settings,
    load_settings,
    parse_settings,
    render_settings,
)

TEXT = """\
# Ada's table
[web]
port  =  81     # 80 is the printer's

# soldered on a Sunday
[panel]
  left_pin = 22
driver = 'none'
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(TEXT)
    return path


def test_a_changed_value_leaves_comments_order_and_blanks_alone(file: Path) -> None:
    settings = change_settings(file, {"web.port": 82})
    assert file.read_text() == TEXT.replace("81 ", "82 ")
    assert settings == load_settings(file)
    assert settings.web.port == 82


def test_several_keys_change_at_once_new_ones_in_their_section(file: Path) -> None:
    changes: dict[str, Value] = {
        "web.phones": Phones.PLAY,
        "camera.gain": 2.5,
        "panel.left_pin": 0,
        "data.folder": Path("/var/lib/dice"),
    }
    settings = change_settings(file, changes)
    assert settings == load_settings(file)
    assert (settings.web.phones, settings.camera.gain) == (Phones.PLAY, 2.5)
    assert (settings.panel.left_pin, settings.data.folder) == (0, Path("/var/lib/dice"))
    assert all(line in file.read_text().splitlines() for line in TEXT.splitlines()[:3])


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("", '[web]\nphones = "watch"\n'),
        ("web.port = 81 # mine\n", 'web.port = 81 # mine\nweb.phones = "watch"\n'),
        ("web = {port = 81} # keep", 'web = {port = 81,phones = "watch"} # keep'),
        (
            "web.port = 81\ncamera.index = 1\nweb.host = 'h'\n",
            "web.port = 81\nweb.phones = \"watch\"\ncamera.index = 1\nweb.host = 'h'\n",
        ),
        ("[camera]\r\nindex = 1\r\n", '[camera]\r\nindex = 1\r\n\n[web]\nphones = "watch"\n'),
    ],
)
def test_a_key_finds_its_place_however_the_file_is_written(
    text: str, after: str, tmp_path: Path
) -> None:
    path = tmp_path / "table.toml"
    path.write_bytes(text.encode())
    change_settings(path, {"web.phones": "watch"})
    assert path.read_bytes().decode() == after


def test_a_missing_file_is_written_from_commented_defaults(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    settings = change_settings(path, {"web.port": 81})
    assert path.read_text() == render_settings(Settings()).replace("port = 8080", "port = 81")
    assert settings == load_settings(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"web.port": 0}, "line 3, web.port"),
        ({"web.port": "80"}, "line 3, web.port"),
        ({"web.prot": 80}, "web.prot"),
        ({"screen.size": 3}, "screen"),
        ({"panel.right_pin": 22}, "panel.right_pin"),
        ({"camera.driver": "file"}, "camera.driver"),
    ],
)
def test_an_edit_that_a_start_would_refuse_is_not_written(
    changes: dict[str, Value], where: str, file: Path
) -> None:
    with pytest.raises(InputError) as told:
        change_settings(file, {"table.confirm": "button", **changes})
    assert told.value.where.startswith(str(file))
    assert told.value.where.endswith(where)
    assert file.read_text() == TEXT


@pytest.mark.parametrize("name", ["port", "web.", ".port"])
def test_a_name_that_is_no_section_and_key_is_refused(name: str, file: Path) -> None:
    with pytest.raises(InputError, match=r"expected the name of a setting: section\.key"):
        change_settings(file, {name: 80})
    assert file.read_text() == TEXT


def test_a_file_that_is_broken_already_is_told_by_its_own_line(file: Path) -> None:
    file.write_text("[web]\nport = 0\n")
    with pytest.raises(InputError, match=r"line 2, web\.port"):
        change_settings(file, {"web.port": 80, "table.confirm": "auto"})


def test_the_file_keeps_who_may_read_it_and_a_link_stays_a_link(file: Path) -> None:
    file.chmod(0o640)
    link = file.parent / "link.toml"
    link.symlink_to(file)
    change_settings(link, {"web.port": 82})
    assert link.is_symlink()
    assert load_settings(file).web.port == 82
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    path = tmp_path / "none" / "table.toml"
    with pytest.raises(InputError, match="expected a writable settings file"):
        change_settings(path, {"web.port": 80})


def test_nothing_else_is_left_in_the_folder(file: Path) -> None:
    change_settings(file, {"web.port": 82})
    with pytest.raises(InputError):
        change_settings(file, {"web.port": 0})
    assert os.listdir(file.parent) == [file.name]


def test_two_changes_at_the_same_time_both_count(file: Path) -> None:
    changes: list[dict[str, Value]] = [
        {"camera.index": n % 2, f"panel_{n}.left_pin": 0} for n in range(1, 7)
    ]
    threads = [threading.Thread(target=change_settings, args=(file, each)) for each in changes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    said = tomllib.loads(file.read_text())
    assert all(f"panel_{n}" in said for n in range(1, 7))


@trying(max_examples=25)
@given(
    path=st.text(st.characters(exclude_categories=["Cs"])),
    gain=st.floats(0, 64),
    port=st.integers(1, 65535),
)
def test_any_value_is_read_back(
    path: str, gain: float, port: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("any") / "table.toml"
    file.write_text(TEXT)
    settings = change_settings(
        file, {"camera.driver": "usb", "camera.path": path, "camera.gain": gain, "web.port": port}
    )
    assert settings == load_settings(file) == parse_settings(file.read_text())
    assert (settings.camera.path, settings.camera.gain, settings.web.port) == (path, gain, port)
