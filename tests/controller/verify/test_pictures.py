# SPDX-License-Identifier: MIT
"""Pictures that are gone, swapped or stored anew are found; those that were deleted are noted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import TableKey
from controller.verify.findings import FindingKind
from controller.verify.pictures import FileState
from controller.verify.verify import VerifyResult, verify_journal
from tests.controller.verify.journals import (
    SignedJournal,
    breaks_of,
    kinds_of,
    laid,
    notes_of,
    places_of,
    relinked,
)
from tests.support.random_journal import RandomGame
from vision.image_files import encode_jpeg, load_picture


class Album:
    """A journal of a few rolls with their pictures."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.evidence = PictureStore(folder)
        self.journal = SignedJournal(TableKey.load_or_create(folder))
        self.kept: list[str] = []
        RandomGame(self.journal, "wuerfelspiel", seed=3, mischief=0.0, picture=self.keep).play(6)

    def keep(self) -> str:
        """Keep one more picture."""
        image = np.full((24, 32, 3), 10 * len(self.kept), np.uint8)
        self.kept.append(self.evidence.store(encode_jpeg(image)))
        return self.kept[-1]

    def line_of(self, digest: str) -> int:
        return next(
            line
            for line, entry in enumerate(self.journal.entries, start=1)
            if digest in (entry.body.get("picture"), entry.body.get("clip"))
        )

    def delete(self, *digests: str) -> None:
        """Delete pictures as a table does: it says so first."""
        body = {"pictures": list(digests), "why": "age", "on": "2026-11-02"}
        self.journal.add("deleted", body)
        for digest in digests:
            self.evidence.delete(digest)

    def checked(self) -> VerifyResult:
        self.journal.write(self.folder)
        return verify_journal(self.folder, rereads=False)


@pytest.fixture
def album(tmp_path: Path) -> Album:
    return Album(tmp_path)


def test_pictures_that_are_as_they_were_are_fine(album: Album) -> None:
    examined = album.checked()
    assert places_of(examined) == []
    assert examined.pictures[FileState.UNCHANGED] == len(album.kept) >= 3


def test_a_missing_picture_is_told(album: Album) -> None:
    gone = album.kept[1]
    album.evidence.delete(gone)
    examined = album.checked()
    (finding,) = breaks_of(examined)
    assert (finding.kind, finding.line) == (FindingKind.PICTURE_MISSING, album.line_of(gone))
    assert finding.expected == str(album.evidence.picture_path(gone))
    assert examined.pictures[FileState.MISSING] == 1


def test_a_swapped_picture_is_told_with_whose_it_is(album: Album) -> None:
    one, other = (album.evidence.picture_path(digest) for digest in album.kept[:2])
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    lines = [album.line_of(digest) for digest in album.kept[:2]]
    found = breaks_of(album.checked())
    assert [(each.kind, each.line) for each in found] == [
        (FindingKind.PICTURE_SWAPPED, lines[0]),
        (FindingKind.PICTURE_SWAPPED, lines[1]),
    ]
    assert f"is that of line {lines[1]}" in found[0].what
    assert found[0].found == f"SHA-256 {album.kept[1]}"


def test_a_picture_that_was_encoded_anew_is_told(album: Album) -> None:
    path = album.evidence.picture_path(album.kept[0])
    path.write_bytes(encode_jpeg(load_picture(path), quality=70))
    (finding,) = breaks_of(album.checked())
    assert finding.kind is FindingKind.PICTURE_CHANGED


def test_a_deleted_picture_is_no_break_and_says_when(album: Album) -> None:
    album.delete(*album.kept[:2])
    examined = album.checked()
    assert places_of(examined) == []
    (note,) = [note for note in notes_of(examined) if note.kind is FindingKind.PICTURE_DELETED]
    assert note.line == len(album.journal.entries)
    assert note.what.startswith("picture deleted on 2026-11-02 (age): 2, of lines ")
    assert examined.pictures[FileState.DELETED] == 2
    assert examined.pictures[FileState.MISSING] == 0


def test_a_deletion_declared_before_the_picture_is_named_is_void(album: Album) -> None:
    gone = album.kept[0]
    album.journal.entries = album.journal.entries[:2]
    album.delete(gone)
    RandomGame(album.journal, "wuerfelspiel", seed=3, mischief=0.0, picture=lambda: gone).play(1)
    assert kinds_of(breaks_of(album.checked())) == {FindingKind.PICTURE_MISSING}


def test_a_picture_that_was_declared_and_is_still_there_is_fine(album: Album) -> None:
    body = {"pictures": album.kept[:1], "why": "size", "on": "2026-11-02"}
    album.journal.add("deleted", body)
    examined = album.checked()
    assert places_of(examined) == []
    assert examined.pictures[FileState.DELETED] == 0


def test_a_clip_is_looked_for_too(album: Album) -> None:
    clip = album.evidence.store_clip(b"a clip")
    entries = album.journal.entries
    place = album.line_of(album.kept[0]) - 1
    body = {**entries[place].body, "clip": clip}
    entries[place] = replace(entries[place], body=body)
    laid(album.folder, relinked(entries))
    assert places_of(verify_journal(album.folder, rereads=False)) == []
    album.evidence.delete(clip)
    (finding,) = breaks_of(verify_journal(album.folder, rereads=False))
    assert (finding.kind, finding.line) == (FindingKind.PICTURE_MISSING, place + 1)
    assert finding.expected.endswith(".avi")


@pytest.mark.parametrize("name", ["../../table", "/etc/passwd", "ab", 7, ["a"]])
def test_an_impossible_picture_name_is_reported_not_opened(album: Album, name: str) -> None:
    entries = album.journal.entries
    place = album.line_of(album.kept[0]) - 1
    entries[place] = replace(entries[place], body={**entries[place].body, "picture": name})
    laid(album.folder, relinked(entries))
    (finding,) = breaks_of(verify_journal(album.folder, rereads=False))
    assert (finding.kind, finding.line) == (FindingKind.PICTURE_MISSING, place + 1)
