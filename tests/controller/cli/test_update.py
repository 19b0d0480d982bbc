# SPDX-License-Identifier: MIT
"""Where an update comes from, and who may ask for one."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.cli.update import _find_versions, _pull_source
from controller.errors import InputError
from controller.maintenance.updates.versions import InstalledVersions


class Commands:
    def __init__(self) -> None:
        self.ran: list[list[str]] = []

    def run(self, words: Sequence[str], *, cwd: Path | None = None) -> None:
        self.ran.append(list(words))

    def ask(self, words: Sequence[str]) -> str | None:
        raise AssertionError(words)


@pytest.fixture
def versions(tmp_path: Path) -> InstalledVersions:
    (tmp_path / "opt").mkdir()
    return InstalledVersions(tmp_path / "opt")


@pytest.fixture
def source(versions: InstalledVersions, tmp_path: Path) -> Path:
    source = tmp_path / "dicebell"
    source.mkdir()
    (versions.root / "source").write_text(f"{source}\n")
    return source


def test_a_program_that_was_not_installed_is_not_updated(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["update"]) == 2
    assert "expected a table that install.sh installed" in capsys.readouterr().err


def test_an_installed_one_knows_where_its_versions_lie(tmp_path: Path) -> None:
    release = tmp_path / "releases" / "20261121-183000"
    release.mkdir(parents=True)
    assert _find_versions(release).root == tmp_path
    (tmp_path / "current").symlink_to("releases/20261121-183000")
    assert _find_versions(tmp_path / "current").root == tmp_path


def test_a_plain_folder_is_taken_as_it_is(versions: InstalledVersions, source: Path) -> None:
    commands = Commands()
    assert _pull_source(versions, commands) == source
    assert commands.ran == []


def test_a_clone_is_brought_up_to_date_first(versions: InstalledVersions, source: Path) -> None:
    (source / ".git").mkdir()
    commands = Commands()
    assert _pull_source(versions, commands) == source
    (words,) = commands.ran
    assert words[-4:] == [str(source), "pull", "--ff-only", "--quiet"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files to somebody")
def test_what_is_pulled_belongs_to_the_owner_of_the_clone(
    versions: InstalledVersions, source: Path
) -> None:
    (source / ".git").mkdir()
    subprocess.run(["chown", "nobody", source], check=True)
    commands = Commands()
    _pull_source(versions, commands)
    assert commands.ran[0][:4] == ["runuser", "-u", "nobody", "--"]


def test_a_folder_that_is_gone_is_told(versions: InstalledVersions, source: Path) -> None:
    source.rmdir()
    with pytest.raises(InputError, match=r"or --from, found .*/dicebell"):
        _pull_source(versions, Commands())
    (versions.root / "source").unlink()
    with pytest.raises(InputError, match="found no note of it"):
        _pull_source(versions, Commands())
