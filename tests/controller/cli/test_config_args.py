# SPDX-License-Identifier: MIT
"""Root does not follow the settings of another user out of that user's folders."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.runtime.access.store import FILE_NAME as ACCESS_FILE

ACCOUNT = 12_345
pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="needs root")


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """Give the settings of an account whose data folder, so they say, is one of root's."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "secret").write_text("of root")
    path = tmp_path / "dicebell.toml"
    path.write_text(f'[data]\nfolder = "{tmp_path / "data"}"\n')
    os.chown(path, ACCOUNT, ACCOUNT)
    return path


def backup(config: Path) -> list[str]:
    return ["backup", str(config.parent / "made.zip"), "--config", str(config)]


def test_root_follows_no_setting_of_another_user(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in (
        backup(config),
        ["restore", str(config), "--config", str(config)],
        ["pin", "--new", "--config", str(config)],
        ["calibrate", "--forget-dice", "--config", str(config)],
    ):
        assert main(command) == 2
        assert f"data.folder: expected a data folder of user {ACCOUNT}" in capsys.readouterr().err
    assert [path.name for path in (config.parent / "data").iterdir()] == ["secret"]
    assert not (config.parent / "made.zip").exists()


def test_a_missing_folder_is_not_made_by_root(
    config: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (config.parent / "data").rename(config.parent / "other")
    assert main(["pin", "--new", "--config", str(config)]) == 2
    assert "found no folder" in capsys.readouterr().err


def test_root_serves_the_folder_of_the_account(config: Path) -> None:
    os.chown(config.parent / "data", ACCOUNT, ACCOUNT)
    assert main(["pin", "--new", "--config", str(config)]) == 0
    assert (config.parent / "data" / ACCESS_FILE).stat().st_uid == ACCOUNT


def test_root_may_name_any_folder_itself(config: Path) -> None:
    assert main([*backup(config), "--data", str(config.parent / "data")]) == 0
    with zipfile.ZipFile(config.parent / "made.zip") as archive:
        assert any(name.endswith("secret") for name in archive.namelist())
