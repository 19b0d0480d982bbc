# SPDX-License-Identifier: MIT
"""Versions out of a real clone: signed tags of known keys, named commits, and nothing else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from controller.base.errors import InputError
from tests.support.signed_project import Project

pytestmark = pytest.mark.skipif(
    shutil.which("ssh-keygen") is None or shutil.which("git") is None,
    reason="needs git and ssh-keygen",
)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_the_newest_signed_tag_is_fetched_and_read(project: Project, tmp_path: Path) -> None:
    for number in ("1.9", "1.10"):
        project.commit(number)
        project.tag(f"v{number}")
    project.commit("after it")
    (project.clone / "version").write_text("changed in the folder")
    assert project.read(tmp_path / "new") == "1.10"
    assert project.read(tmp_path / "old", tag="v1.9") == "1.9"


@pytest.mark.parametrize("how", ["unsigned", "foreign", "renamed", "light", "no key"])
def test_any_other_tag_is_refused(project: Project, tmp_path: Path, how: str) -> None:
    project.commit("2.0")
    match how:
        case "unsigned":
            project.git("tag", "--annotate", "--message", "2", "v2.0")
        case "foreign":
            project.tag("v2.0", key="foreign")
        case "renamed":
            project.git("update-ref", "refs/tags/v2.0", "refs/tags/v1.0")
        case "light":
            project.git("tag", "v2.0")
        case "no key":
            project.tag("v2.0")
            project.signers.unlink()
    with pytest.raises(InputError, match=r"signed by a key in|keys that may sign"):
        project.read(tmp_path / "new")
    assert list((tmp_path / "new").iterdir()) == []


def test_a_named_commit_needs_no_signature(project: Project, tmp_path: Path) -> None:
    named = project.commit("2.0")
    project.commit("2.1")
    assert project.read(tmp_path / "new", commit=named) == "2.0"
    with pytest.raises(InputError, match="expected a commit of the repository"):
        project.read(tmp_path / "none", commit="0" * 40)


def test_a_folder_that_is_no_clone_is_refused(project: Project, tmp_path: Path) -> None:
    shutil.rmtree(project.clone / ".git")
    with pytest.raises(InputError, match="expected a git clone, or --from DIR"):
        project.read(tmp_path / "new")
