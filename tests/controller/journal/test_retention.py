# SPDX-License-Identifier: MIT
"""Pictures go by age and size, told first; a cut at any moment loses no more than they."""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from controller.base.settings import EvidenceSettings
from controller.journal.continuity.journal_facts import JournalFacts
from controller.journal.hashchain import Body, Entry, encode_canonical
from controller.journal.journal import Journal, read_journal
from controller.journal.picture_index import PictureIndex
from controller.journal.picture_store import PictureStore, compute_digest
from controller.journal.retention import MAX_AT_ONCE, PASS_EVERY_S, PictureRetention
from controller.journal.signing_key import TableKey
from controller.journal.writer import JournalWriter, TableInfo

DAY_MS = 86_400_000
NOW_MS = 1_790_000_000_000  # 2026-09-21
BIG = 400_000


class CutOffError(BaseException):
    """The plug was pulled."""


class CutOff(PictureStore):
    """A disk whose plug is pulled right before the first file goes."""

    def delete(self, digest: str) -> None:
        raise CutOffError


class Refusing(PictureStore):
    """A folder that nothing can be deleted from, until it is opened."""

    is_closed = True

    def delete(self, digest: str) -> None:
        if self.is_closed:
            raise PermissionError(13, "Permission denied")
        super().delete(digest)


class Books(JournalWriter):
    """A real writer, which may have no room for more, or none for long entries."""

    is_full = False
    longest = 1_000_000

    def append(self, kind: str, body: Body) -> Entry:
        if self.is_full or len(encode_canonical(body)) > self.longest:
            raise OSError(28, "No space left on device")
        return super().append(kind, body)


class Box:
    """A data folder with games in it; the clocks are set by hand."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now_ms = NOW_MS
        self.now_s = 0.0
        self.days_each = 1
        self.evidence = PictureStore(folder)
        self.journal: Journal | None = None

    def open(
        self, settings: EvidenceSettings, evidence: PictureStore | None = None
    ) -> PictureRetention:
        """Start the table of this folder, again if it ran already."""
        self.close()
        self.journal, found = Journal.open(self.folder, now_ms=lambda: self.now_ms)
        key = TableKey.load_or_create(self.folder)
        facts = JournalFacts(found.entries)
        self.books = Books(self.journal, key, TableInfo(), facts, now_s=lambda: self.now_s)
        retention = PictureRetention(
            self.books,
            evidence or self.evidence,
            settings,
            PictureIndex(found.entries),
            now_ms=lambda: self.now_ms,
            now_s=lambda: self.now_s,
        )
        self.books.begin("")
        return retention

    def wait(self, days: float) -> None:
        """Let time pass; setting `now_ms` alone sets the clock on the wall."""
        self.now_ms += round(days * DAY_MS)
        self.now_s += days * 86_400

    def close(self) -> None:
        if self.journal is not None:
            self.journal.close()
        self.journal = None

    def play(
        self, retention: PictureRetention, *pictures: bytes, is_left: bool = True
    ) -> list[str]:
        """Play a game with these pictures; one a day."""
        self.books.append("game", {"game": "choice"})
        digests = []
        for picture in pictures:
            digests.append(self.evidence.store(picture))
            self.books.append("roll", {"picture": digests[-1], "clip": ""})
            self.wait(self.days_each)
        if is_left:
            self.books.append("closed", {})
        return digests

    def there(self) -> set[str]:
        return {path.stem for path in self.folder.rglob("*") if path.suffix in (".jpg", ".avi")}

    def deleted(self) -> list[tuple[str, str, list[str]]]:
        """Return what the journal on the disk, its chain unbroken, calls deleted."""
        told = []
        for entry in read_journal(self.folder).entries:
            if entry.kind == "deleted":
                pictures = entry.body["pictures"]
                assert isinstance(pictures, list)
                told.append((str(entry.body["why"]), str(entry.body["on"]), pictures))
        return told


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path)


def big(*numbers: int) -> Sequence[bytes]:
    return [bytes([number]) * BIG for number in numbers]


FOR_EVER = EvidenceSettings()


def test_by_default_everything_stays(box: Box) -> None:
    digests = box.play(box.open(FOR_EVER), *big(1, 2, 3))
    box.wait(10_000)
    box.open(FOR_EVER).begin()
    assert box.there() == set(digests)
    assert box.deleted() == []


def test_what_is_older_than_the_settings_say_is_told_and_deleted(box: Box) -> None:
    first, second, third = box.play(box.open(FOR_EVER), b"1", b"2", b"3")
    box.open(replace(FOR_EVER, keep_days=2)).begin()
    assert box.deleted() == [("age", "2026-09-24", [first])]
    assert box.there() == {second, third}


def test_of_too_much_the_oldest_goes_first(box: Box) -> None:
    digests = box.play(box.open(FOR_EVER), *big(1, 2, 3, 4))
    box.open(replace(FOR_EVER, keep_mb=1)).begin()
    assert [(why, gone) for why, _, gone in box.deleted()] == [("size", digests[:2])]
    assert box.there() == set(digests[2:])


def test_a_clip_goes_like_a_picture(box: Box) -> None:
    box.open(FOR_EVER)
    box.books.append("game", {})
    picture, clip = box.evidence.store(b"picture"), box.evidence.store_clip(bytes(3 * BIG))
    box.books.append("roll", {"picture": picture, "clip": clip})
    box.books.append("closed", {})
    box.open(replace(FOR_EVER, keep_mb=1)).begin()
    assert box.deleted()[0][2] == [picture, clip]
    assert box.there() == set()


@pytest.mark.parametrize("settings", [replace(FOR_EVER, keep_days=1), replace(FOR_EVER, keep_mb=1)])
def test_the_game_on_the_table_keeps_its_pictures(box: Box, settings: EvidenceSettings) -> None:
    first = box.play(box.open(FOR_EVER), *big(1))
    open_game = box.play(box.open(FOR_EVER), *big(2, 3, 4, 5), is_left=False)
    box.wait(20)
    retention = box.open(settings)
    retention.begin()
    assert box.there() == set(open_game)
    box.books.append("closed", {})
    retention.make_room()
    assert box.deleted()[0][2] == first
    assert len(box.there()) <= 2


def test_while_the_table_runs_it_is_done_once_an_hour(box: Box) -> None:
    retention = box.open(replace(FOR_EVER, keep_mb=1))
    retention.begin()
    box.days_each = 0
    digests = box.play(retention, *big(1, 2, 3))
    box.wait((PASS_EVERY_S - 1) / 86_400)
    retention.delete_if_due()
    assert len(box.there()) == 3
    box.wait(1 / 86_400)
    retention.delete_if_due()
    assert box.there() == set(digests[1:])
    retention.delete_if_due()
    assert len(box.deleted()) == 1
    box.play(retention, *big(4))
    retention.delete_if_due()
    assert len(box.deleted()) == 1


def test_much_is_deleted_a_little_at_a_time_while_the_table_runs(box: Box) -> None:
    pictures = [b"%d" % number for number in range(MAX_AT_ONCE + 5)]
    retention = box.open(replace(FOR_EVER, keep_days=1))
    retention.begin()
    box.days_each = 0
    box.play(retention, *pictures)
    box.wait(2)
    retention.delete_if_due()
    assert len(box.there()) == 5
    retention.delete_if_due()
    assert [len(gone) for _, _, gone in box.deleted()] == [MAX_AT_ONCE, 5]


def test_it_is_in_the_journal_before_anything_is_gone(box: Box) -> None:
    (digest,) = box.play(box.open(FOR_EVER), b"picture")
    box.wait(2)
    with pytest.raises(CutOffError):
        box.open(replace(FOR_EVER, keep_days=1), CutOff(box.folder)).begin()
    assert box.there() == {digest}
    assert box.deleted()[0][2] == [digest]


@pytest.mark.parametrize("settings", [FOR_EVER, replace(FOR_EVER, keep_days=1)])
def test_after_a_cut_in_between_the_next_start_finishes(
    box: Box, settings: EvidenceSettings
) -> None:
    digests = box.play(box.open(FOR_EVER), b"1", b"2")
    box.wait(2)
    with pytest.raises(CutOffError):
        box.open(replace(FOR_EVER, keep_days=1), CutOff(box.folder)).begin()
    box.open(settings).begin()
    assert box.there() == set()
    assert [gone for _, _, gone in box.deleted()] == [digests]


def test_a_journal_without_room_keeps_the_pictures(box: Box) -> None:
    (digest,) = box.play(box.open(FOR_EVER), b"picture")
    box.wait(2)
    retention = box.open(replace(FOR_EVER, keep_days=1))
    box.books.is_full = True
    retention.begin()
    assert not retention.make_room()
    assert box.there() == {digest}
    box.books.is_full = False
    retention.begin()
    assert box.there() == set()


def test_where_all_names_do_not_fit_one_is_told_alone(box: Box) -> None:
    digests = box.play(box.open(FOR_EVER), *big(1, 2, 3))
    box.wait(2)
    retention = box.open(replace(FOR_EVER, keep_days=1))
    box.books.longest = 150
    retention.begin()
    assert [gone for _, _, gone in box.deleted()] == [[digest] for digest in digests]
    assert box.there() == set()


def test_a_name_that_is_no_digest_deletes_nothing(box: Box) -> None:
    retention = box.open(FOR_EVER)
    holiday = box.folder / "holiday.jpg"
    holiday.write_bytes(bytes(3 * BIG))
    forged = str(holiday.with_suffix(""))
    box.books.append("game", {"game": "choice"})
    box.books.append("roll", {"picture": forged, "clip": forged})
    box.books.append("deleted", {"pictures": [forged], "why": "age", "on": "2026-09-21"})
    box.books.append("roll", {"picture": forged, "clip": "\0"})
    box.books.append("closed", {})
    box.wait(2)
    retention = box.open(replace(FOR_EVER, keep_days=1, keep_mb=1))
    retention.begin()
    assert not retention.make_room()
    assert holiday.exists()
    assert len(box.deleted()) == 1


def test_an_entry_that_is_written_is_never_refused_for_a_size(box: Box) -> None:
    box.open(FOR_EVER)
    folder = box.evidence.picture_path("ab" * 32).parent
    folder.parent.mkdir()
    folder.write_bytes(b"no folder at all")
    entry = box.books.append("roll", {"picture": "ab" * 32, "clip": ""})
    assert read_journal(box.folder).entries[-1] == entry


def test_a_refused_one_that_is_named_again_stays(box: Box) -> None:
    first, _, third = box.play(box.open(FOR_EVER), *big(1, 2, 3))
    folder = Refusing(box.folder)
    retention = box.open(replace(FOR_EVER, keep_mb=1), folder)
    retention.begin()
    assert box.deleted()[0][2] == [first]
    box.play(retention, *big(1), is_left=False)
    folder.is_closed = False
    retention.make_room()
    assert box.there() == {first, third}


@pytest.mark.parametrize("days", [31, 4000])
def test_a_month_off_or_more_makes_no_picture_older(box: Box, days: int) -> None:
    """A table in a cupboard and a clock that was set far ahead look just the same."""
    digests = box.play(box.open(FOR_EVER), *big(1, 2, 3, 4))
    box.wait(days)
    retention = box.open(replace(FOR_EVER, keep_days=10, keep_mb=1))
    retention.begin()
    assert [(why, gone) for why, _, gone in box.deleted()] == [("size", digests[:2])]
    (young,) = box.play(retention, b"young")
    retention.make_room()
    assert box.there() == {*digests[2:], young}
    box.wait(8.5)
    retention.make_room()
    assert box.there() == {young}


def test_a_clock_set_ahead_while_playing_deletes_nothing(box: Box) -> None:
    """Nor does it at any later start: the journal says by how much it was set."""
    box.days_each = 0
    retention = box.open(replace(FOR_EVER, keep_days=1))
    retention.begin()
    digests = box.play(retention, b"1", b"2", b"3")
    box.now_ms += 20 * DAY_MS
    box.wait(PASS_EVERY_S / 86_400)
    retention.delete_if_due()
    digests += box.play(retention, b"4")
    retention.make_room()
    box.open(replace(FOR_EVER, keep_days=1)).begin()
    assert box.there() == set(digests)
    jumps = [entry.body for entry in read_journal(box.folder).entries if entry.kind == "clock"]
    assert jumps == [{"jump_ms": 20 * DAY_MS}]
    box.wait(1.5)
    box.open(replace(FOR_EVER, keep_days=1)).begin()
    assert box.there() == set()


def test_time_off_shown_late_counts_from_the_next_start(box: Box) -> None:
    """A Pi starts with the time at which it was switched off, and the network sets it later."""
    box.days_each = 0
    digests = box.play(box.open(FOR_EVER), b"1", b"2")
    retention = box.open(replace(FOR_EVER, keep_days=3))
    box.now_ms += 5 * DAY_MS
    box.books.append("pause", {})
    retention.make_room()
    assert box.there() == set(digests)
    box.open(replace(FOR_EVER, keep_days=3)).begin()
    assert box.there() == set()


def test_an_idle_table_deletes_pictures_by_age(box: Box) -> None:
    retention = box.open(replace(FOR_EVER, keep_days=60))
    box.play(retention, b"1", b"2")
    box.wait(100)
    retention.make_room()
    assert box.there() == set()


def test_files_that_refuse_to_go_are_told_once_and_tried_again(box: Box) -> None:
    digests = box.play(box.open(FOR_EVER), *big(1, 2, 3))
    retention = box.open(replace(FOR_EVER, keep_mb=1), Refusing(box.folder))
    retention.begin()
    retention.make_room()
    assert [gone for _, _, gone in box.deleted()] == [digests[:1]]
    box.open(FOR_EVER).begin()
    assert box.there() == set(digests[1:])


@pytest.mark.parametrize("is_full", [False, True])
def test_files_that_refused_go_as_soon_as_they_can(box: Box, is_full: bool) -> None:
    digests = box.play(box.open(FOR_EVER), *big(1, 2, 3))
    folder = Refusing(box.folder)
    retention = box.open(replace(FOR_EVER, keep_mb=1), folder)
    retention.begin()
    folder.is_closed = False
    if is_full:
        retention.make_room()
    else:
        box.wait(PASS_EVERY_S / 86_400)
        retention.delete_if_due()
    assert box.there() == set(digests[1:])
    assert len(box.deleted()) == 1


def test_what_was_half_written_is_removed_and_nothing_else(
    box: Box, caplog: pytest.LogCaptureFixture
) -> None:
    (kept,) = box.play(box.open(FOR_EVER), b"named")
    unnamed = box.evidence.store(b"the cut came before its entry")
    part = box.evidence.picture_path("ab" * 32).with_suffix(".part")
    part.parent.mkdir(exist_ok=True)
    part.write_bytes(b"half a pict")
    box.evidence.picture_path(kept).with_name("holiday.jpg").write_bytes(b"somebody's own")
    with caplog.at_level(logging.INFO, "dicebell"):
        box.open(replace(FOR_EVER, keep_days=1, keep_mb=1)).begin()
    assert box.there() == {kept, unnamed, "holiday"}
    assert not part.exists()
    assert box.deleted() == []
    told = [record.message for record in caplog.records]
    assert told == ["leftover removed", "pictures that no entry names"]


def test_pictures_newer_than_a_restored_journal_are_not_lost(box: Box) -> None:
    box.play(box.open(FOR_EVER), b"1")
    older = (box.folder / "journal.jsonl").read_bytes()
    newer = box.play(box.open(FOR_EVER), b"2", b"3")
    box.close()
    (box.folder / "journal.jsonl").write_bytes(older)
    box.wait(1)
    box.open(replace(FOR_EVER, keep_days=1)).begin()
    assert box.there() == set(newer)


def test_pictures_of_a_removed_journal_are_left_alone(box: Box) -> None:
    digests = box.play(box.open(FOR_EVER), b"1", b"2")
    box.close()
    (box.folder / "journal.jsonl").unlink()
    for digest in digests:
        os.utime(box.evidence.picture_path(digest), (1_700_000_000, 1_700_000_000))
    box.open(replace(FOR_EVER, keep_days=1, keep_mb=1)).begin()
    assert box.there() == set(digests)


def test_a_picture_that_is_missing_is_not_called_deleted(box: Box) -> None:
    gone, left = box.play(box.open(FOR_EVER), b"1", b"2")
    box.evidence.picture_path(gone).unlink()
    box.wait(10)
    box.open(replace(FOR_EVER, keep_days=1)).begin()
    assert [pictures for _, _, pictures in box.deleted()] == [[left]]


def test_nor_is_it_where_there_is_too_much(box: Box) -> None:
    gone, first, _, _ = box.play(box.open(FOR_EVER), *big(1, 2, 3, 4))
    box.evidence.picture_path(gone).unlink()
    box.open(replace(FOR_EVER, keep_mb=1)).begin()
    assert [pictures for _, _, pictures in box.deleted()] == [[first]]


def test_a_clock_that_jumps_back_deletes_nothing(box: Box) -> None:
    box.days_each = 0
    digests = box.play(box.open(FOR_EVER), b"1", b"2")
    box.now_ms = 5 * DAY_MS
    box.open(replace(FOR_EVER, keep_days=1)).begin()
    assert box.there() == set(digests)


def test_a_deleted_picture_that_comes_again_is_stored_again(box: Box) -> None:
    (digest,) = box.play(box.open(FOR_EVER), b"picture")
    box.wait(2)
    retention = box.open(replace(FOR_EVER, keep_days=1))
    retention.begin()
    assert box.play(retention, b"picture") == [digest]
    box.open(replace(FOR_EVER, keep_days=5)).begin()
    assert box.there() == {digest} == {compute_digest(b"picture")}


@pytest.fixture(autouse=True)
def _closed(box: Box) -> object:
    yield
    box.close()
