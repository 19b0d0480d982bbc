# SPDX-License-Identifier: MIT
"""Whatever is done to the lines of a journal is found, and told from everything else."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from controller.games.contract import Options
from controller.journal.checkpoint import CheckpointWords, derive_words
from controller.journal.hashchain import Entry, build_next_entry, compute_link, encode_entry
from controller.verify.chain import MAX_PIECES
from controller.verify.findings import MAX_REPORTED, FindingKind
from controller.verify.verify import verify_journal
from tests.controller.verify.journals import (
    SignedJournal,
    breaks_of,
    checked,
    edited,
    kinds_of,
    laid,
    notes_of,
    places_of,
    played,
)
from tests.support.random_journal import PLAYED, RandomGame, WrittenJournal


@pytest.fixture
def journal(tmp_path: Path) -> SignedJournal:
    return played(tmp_path)


@pytest.mark.parametrize(("game", "options"), PLAYED)
def test_a_journal_of_everything_that_can_happen_is_valid(
    tmp_path: Path, game: str, options: Options
) -> None:
    journal = SignedJournal(played(tmp_path).key)
    for seed in range(3):
        RandomGame(journal, game, options=options, seed=seed, players=3).play()
        journal.sign()
    examined = checked(tmp_path, journal.lines(), kept=journal.kept, key=journal.key.public)
    assert places_of(examined) == []
    assert examined.games == 3
    assert examined.rolls == sum(entry.kind == "roll" for entry in journal.entries)
    assert (examined.signatures.checkpoints, examined.signatures.signed) == (3, 3)
    assert all(check.fits and check.is_followed for check in examined.signatures.kept)


def test_a_journal_of_format_1_stays_checkable(tmp_path: Path, journal: SignedJournal) -> None:
    old = SignedJournal(journal.key, format=1)
    RandomGame(old, "wuerfelspiel", seed=2).play()
    examined = checked(tmp_path, old.lines())
    assert places_of(examined) == []
    assert kinds_of(notes_of(examined)) == {FindingKind.UNSIGNED}
    assert examined.format == 1
    lines = old.lines()
    assert places_of(checked(tmp_path, [*lines[:3], *lines[4:]]))[0] == (FindingKind.MISSING, 4)


def test_every_truncation_is_found_by_a_kept_checkpoint(
    tmp_path: Path, journal: SignedJournal
) -> None:
    lines, (_, last) = journal.lines(), journal.kept
    for count in range(len(lines)):
        examined = checked(tmp_path, lines[:count], kept=[last])
        assert kinds_of(breaks_of(examined)) == {FindingKind.TRUNCATED}, count


def test_words_show_a_cut_right_before_the_kept_checkpoint(
    tmp_path: Path, journal: SignedJournal
) -> None:
    (_, last), lines = journal.kept, journal.lines()
    spoken = CheckpointWords(last.size, derive_words(last.size, last.root))
    assert places_of(checked(tmp_path, lines, kept=[spoken])) == []
    (finding,) = breaks_of(checked(tmp_path, lines[: last.size], kept=[spoken]))
    assert finding.kind is FindingKind.TRUNCATED
    assert finding.expected == f"the checkpoint itself as entry {last.size}"


def test_a_cut_beginning_is_missing_entries(tmp_path: Path, journal: SignedJournal) -> None:
    for count in (1, 2, 5):
        (first, *_) = breaks_of(checked(tmp_path, journal.lines()[count:]))
        assert (first.kind, first.line) == (FindingKind.MISSING, 1)
        assert first.found.startswith(f"entry {count} ")


def test_lines_taken_out_are_named(tmp_path: Path, journal: SignedJournal) -> None:
    lines = journal.lines()
    for first in range(1, len(lines) - 4):
        (finding, *_) = breaks_of(checked(tmp_path, [*lines[:first], *lines[first + 3 :]]))
        assert (finding.kind, finding.line) == (FindingKind.MISSING, first + 1)
        assert finding.what == f"entries {first} to {first + 2} are missing"
        assert f"line {first + 1} is entry {first + 3}, intact" in finding.neighbours


def test_any_two_lines_that_changed_places_are_told(tmp_path: Path, journal: SignedJournal) -> None:
    lines = journal.lines()
    for one, other in combinations(range(1, len(lines) - 1), 2):
        swapped = list(lines)
        swapped[one], swapped[other] = lines[other], lines[one]
        found = [finding for finding in breaks_of(checked(tmp_path, swapped)) if finding.line]
        moved = [finding for finding in found if finding.kind is FindingKind.OUT_OF_ORDER]
        assert {one + 1, other + 1} <= {finding.line for finding in moved}, (one, other)
        assert kinds_of(found) <= {
            FindingKind.OUT_OF_ORDER,
            FindingKind.CHECKPOINT,
            FindingKind.KEY,
        }


def test_a_line_that_stands_twice_is_told(tmp_path: Path, journal: SignedJournal) -> None:
    lines = journal.lines()
    for place in range(len(lines)):
        again = [*lines[: place + 1], lines[place], *lines[place + 1 :]]
        found = places_of(checked(tmp_path, again))
        assert (FindingKind.REPEATED, place + 2) in found


def test_a_line_of_another_journal_is_told(tmp_path: Path, journal: SignedJournal) -> None:
    lines, foreign = journal.lines(), played(tmp_path, seed=9).lines()
    for place in range(1, len(lines) - 1):
        instead = [*lines[:place], foreign[place], *lines[place + 1 :]]
        found = places_of(checked(tmp_path, instead))
        assert (FindingKind.FOREIGN, place + 1) in found, place


def test_a_spliced_journal_is_told(tmp_path: Path, journal: SignedJournal) -> None:
    lines, foreign = journal.lines(), played(tmp_path, seed=9).lines()
    (finding, *_) = breaks_of(checked(tmp_path, [*lines[:6], *foreign[6:]]))
    assert (finding.kind, finding.line) == (FindingKind.FOREIGN, 7)
    assert finding.what.startswith("the numbers match and the links do not")
    (finding, *_) = breaks_of(checked(tmp_path, [*lines[:6], *foreign[4:]]))
    assert finding.what.startswith("this entry follows no entry of this journal")
    (finding, *_) = breaks_of(checked(tmp_path, [*lines, *foreign]))
    assert (finding.kind, finding.line) == (FindingKind.FOREIGN, len(lines) + 1)
    assert finding.what == "another journal begins here"


def test_entries_are_passed_on_up_to_the_first_break(
    tmp_path: Path, journal: SignedJournal
) -> None:
    lines = journal.lines()
    for left, count in ((lines[1:], 0), ([*lines[:6], *lines[8:]], 6), (lines, len(lines))):
        passed = list[Entry]()
        verify_journal(laid(tmp_path, left), rereads=False, each=passed.append)
        assert passed == journal.entries[:count]


def test_a_changed_entry_whose_link_stayed_is_told(tmp_path: Path, journal: SignedJournal) -> None:
    entries = edited(journal.entries, "roll", lambda body: {**body, "roll": "w6 b6"})
    (finding, *_) = breaks_of(checked(tmp_path, [encode_entry(entry) for entry in entries]))
    assert finding.kind is FindingKind.CHANGED
    assert "The next entry confirms this link" in finding.neighbours


def test_a_changed_link_is_told_from_a_changed_entry(
    tmp_path: Path, journal: SignedJournal
) -> None:
    entry = replace(journal.entries[4], link="ab" * 32)
    lines = [*journal.lines()[:4], encode_entry(entry), *journal.lines()[5:]]
    (finding, *_) = breaks_of(checked(tmp_path, lines))
    assert (finding.kind, finding.line, finding.found) == (FindingKind.CHANGED, 5, "ab" * 32)
    assert "only the link was changed" in finding.neighbours


def test_a_changed_entry_with_a_new_link_breaks_the_next_link(
    tmp_path: Path, journal: SignedJournal
) -> None:
    place = next(i for i, entry in enumerate(journal.entries) if entry.kind == "roll")
    changed = replace(journal.entries[place], body={**journal.entries[place].body, "roll": "w6 b6"})
    changed = replace(changed, link=compute_link(changed))
    lines = [*journal.lines()[:place], encode_entry(changed), *journal.lines()[place + 1 :]]
    found = breaks_of(checked(tmp_path, lines))
    assert (FindingKind.FOREIGN, place + 2) in [(finding.kind, finding.line) for finding in found]


@pytest.mark.parametrize("rubbish", [b"", b"[]", b"{}", b"\xff\xfe", b'{"seq":1}', b"[" * 100_000])
def test_a_line_that_was_put_in_is_told_and_the_rest_fits(
    tmp_path: Path, journal: SignedJournal, rubbish: bytes
) -> None:
    lines = journal.lines()
    (finding, *_) = breaks_of(checked(tmp_path, [*lines[:5], rubbish, *lines[5:]]))
    assert (finding.kind, finding.line) == (FindingKind.NO_ENTRY, 6)
    assert "the links match. So this was inserted" in finding.neighbours


def test_rubbish_after_a_lost_newline_is_told_for_itself(
    tmp_path: Path, journal: SignedJournal
) -> None:
    lines = journal.lines()
    joined = lines[4] + bytes([ord("\n") ^ 1]) + lines[5]
    found = breaks_of(checked(tmp_path, [*lines[:4], joined, b"rubbish", *lines[6:]]))
    assert [(one.kind, one.line, one.seq) for one in found[:2]] == [
        (FindingKind.FLIPPED_BIT, 5, 4),
        (FindingKind.NO_ENTRY, 6, None),
    ]


def test_entries_gone_among_broken_lines_are_counted(
    tmp_path: Path, journal: SignedJournal
) -> None:
    lines = journal.lines()
    found = breaks_of(checked(tmp_path, [*lines[:4], b"rubbish", *lines[6:]]))
    assert [(one.kind, one.line) for one in found[:2]] == [
        (FindingKind.NO_ENTRY, 5),
        (FindingKind.MISSING, 6),
    ]
    assert "before this one: 1" in found[1].what


def test_every_break_is_told_not_only_the_first(tmp_path: Path, journal: SignedJournal) -> None:
    lines = journal.lines()
    lines[2], lines[9] = b"rubbish", b"more rubbish"
    del lines[6]
    found = [
        place for place in places_of(checked(tmp_path, lines)) if place[0] != FindingKind.CHECKPOINT
    ]
    assert found == [(FindingKind.NO_ENTRY, 3), (FindingKind.MISSING, 7), (FindingKind.NO_ENTRY, 9)]


def test_a_torn_last_line_is_a_note(tmp_path: Path, journal: SignedJournal) -> None:
    lines = journal.lines()
    for length in (1, 20, len(lines[-1]) - 1, len(lines[-1])):
        examined = checked(tmp_path, lines[:-1], tail=lines[-1][:length])
        assert places_of(examined) == []
        (note,) = notes_of(examined)
        assert (note.kind, note.line) == (FindingKind.TORN, len(lines))


def test_a_file_that_is_no_journal_is_counted_and_partly_listed(tmp_path: Path) -> None:
    examined = checked(tmp_path, [b"rubbish"] * (MAX_PIECES + 7))
    assert len(breaks_of(examined)) == MAX_REPORTED
    assert examined.findings.count(is_break=True) == MAX_PIECES + 1


def test_a_journal_without_its_genesis_is_told(tmp_path: Path) -> None:
    journal = WrittenJournal()
    RandomGame(journal, "choice", seed=1).play(8)
    lines = [encode_entry(entry) for entry in journal.entries]
    examined = checked(tmp_path, lines)
    assert places_of(examined) == [(FindingKind.MISSING, 1)]
    assert examined.format == 0


def test_jumps_of_the_clock_are_notes(tmp_path: Path) -> None:
    journal = SignedJournal(played(tmp_path).key)
    RandomGame(journal, "choice", seed=1).play(3)
    hour_ms = 3_600_000
    steps = (24 * hour_ms, 24 * hour_ms + 1, 400 * 24 * hour_ms, -3 * hour_ms - 4_000, 0, 4_000, -1)
    examined = checked(tmp_path, [*journal.lines(), *_later(journal, steps)])
    assert places_of(examined) == []
    told = [note.what for note in notes_of(examined) if note.kind is FindingKind.CLOCK]
    assert told == [
        "the clock jumps forward by 1 d 0 h here",
        "the clock jumps forward by 400 d 0 h here",
        "the clock jumps back by 3 h 0 min here",
        "the clock jumps back by 0.001 s here",
    ]


def _later(journal: SignedJournal, steps_ms: tuple[int, ...]) -> list[bytes]:
    """Return entries that follow after these times."""
    lines, before = [], journal.entries[-1]
    for step_ms in steps_ms:
        before = build_next_entry(before, at_ms=before.at_ms + step_ms, kind="pause", body={})
        lines.append(encode_entry(before))
    return lines
