# SPDX-License-Identifier: MIT
"""Where an update comes from, and who may ask for one."""

from __future__ import annotations

import os
import shutil
import subprocess
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.appliance.updates.subprocesses import SubprocessRunner
from controller.appliance.updates.versions import InstalledVersions
from controller.base.errors import InputError
from controller.cli.main import main
from controller.cli.update import _find_source, _find_versions
from tests.support.signed_project import Project


class Commands:
    def __init__(self) -> None:
        self.ran: list[list[str]] = []

    def run(self, words: Sequence[str], *, cwd: Path | None = None) -> None:
        self.ran.append(list(words))

    def ask(self, words: Sequence[str]) -> str | None:
        return "0" * 40


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


def asked(*, source: Path | None = None, tag: str = "", commit: str = "") -> Namespace:
    return Namespace(source=source, tag=tag, commit=commit)


def test_a_folder_is_used_as_it_is_only_if_it_is_named(
    versions: InstalledVersions, source: Path
) -> None:
    with _find_source(asked(source=source), versions, Commands()) as found:
        assert found == source
    with pytest.raises(InputError, match="expected a git clone, or --from DIR"):
        _find_source(asked(), versions, Commands()).__enter__()


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs ssh-keygen")
def test_a_clone_gives_a_signed_tag_or_a_named_commit(
    versions: InstalledVersions, tmp_path: Path
) -> None:
    project = Project(tmp_path)
    (versions.root / "source").write_text(f"{project.clone}\n")
    project.signers.rename(versions.root / "signers")
    commit = project.commit("unsigned")

    def read(args: Namespace) -> str:
        with _find_source(args, versions, SubprocessRunner()) as folder:
            return (folder / "version").read_text()

    assert read(asked()) == "1.0"
    assert read(asked(commit=commit)) == "unsigned"
    project.git("tag", "v2.0")
    with pytest.raises(InputError, match=r"expected a tag v2\.0 signed by a key"):
        read(asked())
    assert read(asked(tag="v1.0")) == "1.0"


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs ssh-keygen")
def test_an_older_version_must_be_named(
    versions: InstalledVersions, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A remote that hides the newer tags must not bring an old version back."""
    project = Project(tmp_path)
    (versions.root / "source").write_text(f"{project.clone}\n")
    project.signers.rename(versions.root / "signers")
    monkeypatch.setattr("controller.cli.update.version", lambda name: "1.1")
    with pytest.raises(InputError, match=r"a version from 1\.1 on; .* found v1\.0"):
        _find_source(asked(), versions, SubprocessRunner()).__enter__()
    with _find_source(asked(tag="v1.0"), versions, SubprocessRunner()) as folder:
        assert (folder / "version").read_text() == "1.0"


@pytest.mark.parametrize(
    "words", [["--commit", "abc"], ["--tag", "main"], ["--tag", "v1.0", "--back"]]
)
def test_half_a_commit_a_branch_and_two_sources_are_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["update", *words])
    assert caught.value.code == 2


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files to somebody")
def test_git_runs_in_the_clone_as_its_owner(versions: InstalledVersions, source: Path) -> None:
    (source / ".git").mkdir()
    subprocess.run(["chown", "nobody", source], check=True)
    commands = Commands()
    with _find_source(asked(commit="0" * 40), versions, commands):
        pass
    for words in commands.ran[:2]:
        assert words[:4] == ["runuser", "-u", "nobody", "--"]
    assert commands.ran[2][0] == "git"


def test_a_folder_that_is_gone_is_told(versions: InstalledVersions, source: Path) -> None:
    source.rmdir()
    with pytest.raises(InputError, match=r"or --from, found .*/dicebell"):
        _find_source(asked(), versions, Commands()).__enter__()
    (versions.root / "source").unlink()
    with pytest.raises(InputError, match="found no record of it"):
        _find_source(asked(), versions, Commands()).__enter__()
