# SPDX-License-Identifier: MIT
"""Pictures lie whole under their own digest, or not at all."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from controller.proof.evidence import Evidence


def test_a_picture_lies_under_its_digest(tmp_path: Path) -> None:
    digest = Evidence(tmp_path).keep(b"picture")
    assert digest == hashlib.sha256(b"picture").hexdigest()
    assert Evidence(tmp_path).path_of(digest).read_bytes() == b"picture"


def test_the_same_picture_is_kept_once(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    assert evidence.keep(b"picture") == evidence.keep(b"picture")
    assert len(list(tmp_path.rglob("*.jpg"))) == 1


def test_a_clip_lies_beside_the_pictures_under_its_own_digest(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    digest = evidence.keep_clip(b"film")
    path = evidence.clip_path_of(digest)
    assert (path.name, path.read_bytes()) == (f"{digest}.avi", b"film")
    assert evidence.size_of(digest) == 4
    assert [(file.digest, file.is_whole) for file in evidence.files()] == [(digest, True)]
    evidence.delete(digest)
    assert (evidence.size_of(digest), list(evidence.files())) == (0, [])


def test_a_picture_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    evidence = Evidence(tmp_path)
    blocked = evidence.path_of(hashlib.sha256(b"picture").hexdigest())
    blocked.with_suffix(".part").mkdir(parents=True)
    with pytest.raises(OSError, match="directory"):
        evidence.keep(b"picture")
    assert not blocked.exists()
