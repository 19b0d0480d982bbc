# SPDX-License-Identifier: MIT
"""A journal written anew with a sound chain is found by what was signed, or kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal.checkpoint import (
    Checkpoint,
    CheckpointWords,
    derive_words,
    encode_checkpoint,
)
from controller.journal.hashchain import Body, Entry
from controller.journal.signing_key import TableKey
from controller.verify.findings import FindingKind
from controller.verify.output import format_text
from tests.controller.verify.journals import (
    SignedJournal,
    breaks_of,
    checked,
    edited,
    kinds_of,
    notes_of,
    places_of,
    played,
    relinked,
)
from tests.support.random_journal import RandomGame


@pytest.fixture
def journal(tmp_path: Path) -> SignedJournal:
    return played(tmp_path)


def cheated(entries: list[Entry]) -> list[Entry]:
    """Return the entries with one that no rule looks at changed."""
    return edited(entries, "genesis", lambda body: {**body, "software": "another"})


def resigned(entries: list[Entry], key: TableKey) -> SignedJournal:
    """Return the same game as it would stand there if all of it were written by another key."""
    forged = SignedJournal(key)
    for entry in entries[2:]:
        if entry.kind == "checkpoint":
            forged.sign()
        else:
            forged.add(entry.kind, entry.body)
    return forged


def another_key(tmp_path: Path) -> TableKey:
    (tmp_path / "forger").mkdir()
    return TableKey.load_or_create(tmp_path / "forger")


def test_a_rewritten_journal_is_found_by_its_first_signed_root(
    tmp_path: Path, journal: SignedJournal
) -> None:
    (finding,) = breaks_of(checked(tmp_path, relinked(cheated(journal.entries))))
    first, _ = journal.kept
    assert (finding.kind, finding.line) == (FindingKind.CHECKPOINT, first.size + 1)
    assert first.root.hex() in finding.expected
    assert finding.neighbours == "No checkpoint before it fits. Later ones that do not fit: 1."


def test_a_change_between_two_checkpoints_is_placed_between_them(
    tmp_path: Path, journal: SignedJournal
) -> None:
    first, second = journal.kept
    entries = list(journal.entries)
    entries[-2] = replace(entries[-2], at_ms=entries[-2].at_ms + 1)
    (finding,) = breaks_of(checked(tmp_path, relinked(entries)))
    assert (finding.kind, finding.line) == (FindingKind.CHECKPOINT, second.size + 1)
    assert f"The checkpoint of line {first.size + 1} fits" in finding.neighbours


def test_a_root_that_was_made_to_fit_is_not_signed(tmp_path: Path, journal: SignedJournal) -> None:
    other = SignedJournal(journal.key)
    for entry in cheated(journal.entries)[2:-1]:
        other.add(entry.kind, entry.body)
    made = other.sign()

    def with_old_signature(body: Body) -> Body:
        return {**body, "signature": encode_checkpoint(journal.kept[-1]).split(":")[-1]}

    *others, last = other.entries
    lines = relinked([*others, replace(last, body=with_old_signature(last.body))])
    found = breaks_of(checked(tmp_path, lines))
    assert (FindingKind.SIGNATURE, made.size + 1) in [(one.kind, one.line) for one in found]


def test_a_journal_that_somebody_else_signed_is_found_by_the_key(
    tmp_path: Path, journal: SignedJournal
) -> None:
    forged = resigned(journal.entries, another_key(tmp_path))
    assert places_of(checked(tmp_path, forged.lines())) == []
    nothing, finding = breaks_of(checked(tmp_path, forged.lines(), key=journal.key.public))
    assert (finding.kind, nothing.kind) == (FindingKind.KEY, FindingKind.SIGNATURE)
    assert nothing.what == "the given key signed nothing in this journal"
    assert (finding.expected, finding.found) == (journal.key.public_hex, forged.key.public_hex)


def test_the_key_shows_that_checkpoints_were_left_out(
    tmp_path: Path, journal: SignedJournal
) -> None:
    unsigned = relinked([entry for entry in journal.entries if entry.kind != "checkpoint"])
    (finding,) = breaks_of(checked(tmp_path, unsigned, key=journal.key.public))
    assert finding.kind is FindingKind.SIGNATURE
    assert finding.what == "the given key signed nothing in this journal"


def test_it_is_known_up_to_where_a_journal_is_signed(
    tmp_path: Path, journal: SignedJournal
) -> None:
    first, last = (kept.size for kept in journal.kept)
    assert checked(tmp_path, journal.lines()).signatures.covered == last
    entries = [entry for entry in journal.entries if entry.seq != last]
    assert checked(tmp_path, relinked(entries)).signatures.covered == first
    foreign = checked(tmp_path, journal.lines(), key=another_key(tmp_path).public)
    assert foreign.signatures.covered == 0


def test_a_game_that_ended_without_a_checkpoint_is_a_note(
    tmp_path: Path, journal: SignedJournal
) -> None:
    journal.add("closed", {})
    (note,) = notes_of(checked(tmp_path, journal.lines()))
    assert (note.kind, note.line) == (FindingKind.UNSIGNED, len(journal.entries))
    journal.sign()
    assert notes_of(checked(tmp_path, journal.lines())) == []


def test_a_game_that_is_left_after_its_signed_result_is_none(tmp_path: Path) -> None:
    journal = SignedJournal(TableKey.load_or_create(tmp_path))
    RandomGame(journal, "black-n-white", seed=3, mischief=0.0).play()
    assert any(entry.body.get("result") for entry in journal.entries)
    journal.sign()
    journal.add("closed", {})
    assert notes_of(checked(tmp_path, journal.lines())) == []


def test_a_kept_checkpoint_shows_that_somebody_else_signed(
    tmp_path: Path, journal: SignedJournal
) -> None:
    forged = resigned(journal.entries, another_key(tmp_path))
    for kept in journal.kept:
        spoken = CheckpointWords(kept.size, derive_words(kept.size, kept.root))
        assert kinds_of(breaks_of(checked(tmp_path, forged.lines(), kept=[spoken]))) == {
            FindingKind.REWRITTEN
        }
        assert kinds_of(breaks_of(checked(tmp_path, forged.lines(), kept=[kept]))) == {
            FindingKind.REWRITTEN,
            FindingKind.SIGNATURE,
        }


def test_smaller_kept_checkpoints_show_where_changes_begin(
    tmp_path: Path, journal: SignedJournal
) -> None:
    first, second = journal.kept
    entries = list(journal.entries)
    entries[-2] = replace(entries[-2], at_ms=entries[-2].at_ms + 1)
    examined = checked(tmp_path, relinked(entries), kept=[first, second])
    (finding,) = [one for one in breaks_of(examined) if one.kind is FindingKind.REWRITTEN]
    assert f"The kept checkpoint of {first.size} entries fits" in finding.neighbours
    assert [check.fits for check in examined.signatures.kept] == [True, False]


def test_a_journal_that_was_cut_and_went_on_is_found(
    tmp_path: Path, journal: SignedJournal
) -> None:
    _, second = journal.kept
    cut = SignedJournal(journal.key)
    cut.entries = journal.entries[: second.size]
    cut.add("restart", {"torn": ""})
    cut.add("pause")
    (finding,) = breaks_of(checked(tmp_path, cut.lines(), kept=[second]))
    assert (finding.kind, finding.line) == (FindingKind.REWRITTEN, second.size + 1)


def test_a_kept_checkpoint_with_a_wrong_signature_is_reported(
    tmp_path: Path, journal: SignedJournal
) -> None:
    first, second = journal.kept
    kept = replace(first, signature=second.signature)
    (finding,) = breaks_of(checked(tmp_path, journal.lines(), kept=[kept]))
    assert finding.kind is FindingKind.SIGNATURE
    assert finding.found == second.signature.hex()


def test_a_replaced_key_is_told_and_each_signs_its_own(
    tmp_path: Path, journal: SignedJournal
) -> None:
    old, new = journal.key, another_key(tmp_path)
    journal.add("restart", {"torn": ""})
    journal.add("key", {"key": new.public_hex})
    journal.key = new
    journal.sign()
    examined = checked(tmp_path, journal.lines())
    assert places_of(examined) == []
    (note,) = notes_of(examined)
    assert (note.kind, note.expected, note.found) == (
        FindingKind.KEY_CHANGED,
        old.public_hex,
        new.public_hex,
    )
    assert kinds_of(breaks_of(checked(tmp_path, journal.lines(), key=old.public))) == {
        FindingKind.KEY
    }


def test_a_checkpoint_by_an_unknown_key_is_reported(tmp_path: Path, journal: SignedJournal) -> None:
    journal.key = another_key(tmp_path)
    journal.sign()
    assert kinds_of(breaks_of(checked(tmp_path, journal.lines()))) == {FindingKind.KEY}


@pytest.mark.parametrize(
    "change",
    [{"size": "4"}, {"size": 3}, {"root": "00"}, {"signature": "?"}, {"key": None}, {"key": "zz"}],
)
def test_a_checkpoint_that_is_none_is_told(
    tmp_path: Path, journal: SignedJournal, change: Body
) -> None:
    entries = edited(journal.entries, "checkpoint", lambda body: {**body, **change})
    found = breaks_of(checked(tmp_path, relinked(entries)))
    assert FindingKind.CHECKPOINT in kinds_of(found)


@pytest.mark.parametrize("key", ["", "zz", "AB" * 32, 7, None, "ab\nfine: nothing is broken"])
def test_a_key_that_is_none_is_told_and_stops_nothing(
    tmp_path: Path, journal: SignedJournal, key: str | int | None
) -> None:
    entries = edited(journal.entries, "key", lambda body: {**body, "key": key})
    kept: list[Checkpoint] = [journal.kept[0]]
    examined = checked(tmp_path, relinked(entries), kept=kept)
    finding = next(found for found in breaks_of(examined) if found.kind is FindingKind.KEY)
    assert (finding.line, finding.found) == (2, repr(key))
    assert format_text(examined).splitlines()[-1] == f"broken: {len(breaks_of(examined))} found"
    assert not any(line.startswith("fine") for line in format_text(examined).splitlines())


def test_the_size_of_a_kept_checkpoint_may_be_anything(
    tmp_path: Path, journal: SignedJournal
) -> None:
    nothing = CheckpointWords(0, derive_words(0, b"\x00" * 32))
    huge = replace(journal.kept[0], size=10**17)
    examined = checked(tmp_path, journal.lines(), kept=[nothing, huge])
    assert {FindingKind.REWRITTEN, FindingKind.TRUNCATED} <= kinds_of(breaks_of(examined))
