# SPDX-License-Identifier: MIT
"""
What of a report can be believed: a line for each thing that was looked at.

A journal that is broken is still told as far as it holds, since that is what somebody
who looks for the mistake wants to see; but the report says so before anything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from controller.app.report.telling import Story
from controller.app.verify.examine import Examined
from controller.app.verify.findings import Finding, Kind
from controller.app.verify.stored import open_regular
from controller.errors import InputError
from controller.proof.checkpoint import words_text
from controller.proof.hashchain import Entry, entries_of
from controller.proof.journal import JOURNAL_FILE
from controller.records.journalled import JournalledGame, exported

_OF_PICTURES = (Kind.PICTURE_MISSING, Kind.PICTURE_CHANGED, Kind.PICTURE_SWAPPED)
_TOLD = 8
"""Breaks that a report tells one by one."""
_LONGEST = 400

_GONE = {
    "deleted": "deleted, as the journal says",
    "missing": "missing",
    "changed": "not those that were journalled",
}


@dataclass(frozen=True, slots=True)
class Check:
    """Something that was looked at: whether it is as it must be, and what was found."""

    is_well: bool
    what: str
    found: str


@dataclass(frozen=True, slots=True)
class Held:
    """A journal's entries as far as they hold together, and why not further; empty: to the end."""

    entries: tuple[Entry, ...]
    broken: str


def read_as_far_as_it_holds(folder: Path) -> Held:
    """
    Read a journal up to its end or to the first entry that is broken.

    Raises:
        InputError: There is none, or it cannot be read.
    """
    path = folder / JOURNAL_FILE
    try:
        with open_regular(path) as file:
            lines = file.read().split(b"\n")
    except OSError as error:
        expected, found = "a journal that can be read", error.strerror or str(error)
        raise InputError(expected=expected, found=found, where=str(path)) from error
    # What stands after the last line's end is being written just now, or was torn.
    lines.pop()
    entries, trouble = entries_of(lines)
    return Held(entries, f"line {len(entries) + 1} of {len(lines)}: {trouble}" if trouble else "")


def checks_of(
    held: Held,
    examined: Examined,
    game: JournalledGame,
    story: Story,
    pictures: Mapping[str, int],
) -> tuple[Check, ...]:
    """
    Return what was looked at of a game.

    Args:
        held: Its journal.
        examined: What a check of all of that journal found.
        game: The game.
        story: The same, told.
        pictures: How many of its pictures are shown, deleted, missing and changed.
    """
    looked_at = _chain(held, examined), _rules(game, story), _signatures(examined)
    return (*looked_at, _pictures(pictures), *_breaks(game, examined))


def _chain(held: Held, examined: Examined) -> Check:
    count = len(held.entries)
    if held.broken:
        found = f"broken after {count} entries, at {held.broken}; nothing after that is told"
        return Check(False, "Chain", found)
    words = f"all {count} entries of the journal follow from each other"
    return Check(True, "Chain", f"{words}; in words: {_words(examined)}")


def _words(examined: Examined) -> str:
    # The table may have written on since the entries were read: the size is that of the root.
    return words_text(examined.entries, examined.root)


def _signatures(examined: Examined) -> Check:
    signed, count = examined.signed, examined.checkpoints
    if not count:
        return Check(False, "Signatures", "the journal holds no checkpoint: nobody signed it")
    after = examined.entries - examined.covered - 1
    found = (
        f"{signed} of {count} checkpoints of the journal are rightly signed by the key they name;"
        f" {after} entries came after the last one"
    )
    return Check(signed == count, "Signatures", found)


def _breaks(game: JournalledGame, examined: Examined) -> Iterator[Check]:
    """Yield what a check of the journal found; its pictures stand in their places already."""
    breaks = examined.findings.in_order(is_break=True)
    here = [one for one in breaks if one.game in (0, game.number)]
    for one in [one for one in here if one.kind not in _OF_PICTURES][:_TOLD]:
        yield Check(False, "Break", _break_words(one))
    if more := examined.findings.count(is_break=True) - len(here):
        yield Check(False, "Elsewhere", f"{more} more breaks in the journal; verify tells them")


def _break_words(finding: Finding) -> str:
    place = f"line {finding.line}: " if finding.line else ""
    stood = f"; expected {finding.expected}, found {finding.found}" if finding.expected else ""
    words = f"{place}{finding.what}{stood}"
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}..."


def _rules(game: JournalledGame, story: Story) -> Check:
    if story.stopped:
        return Check(False, "Rules", f"{story.stopped}; nothing after that is told")
    try:
        exported(game)
    except InputError as error:
        return Check(False, "Rules", str(error))
    end = "they lead to the journalled result" if game.result else "the game has no result yet"
    return Check(True, "Rules", f"every roll and every choice is legal; {end}")


def _pictures(counts: Mapping[str, int]) -> Check:
    total = sum(counts.values())
    if not total:
        return Check(True, "Pictures", "none was journalled")
    parts = [f"{counts['shown']} of {total} are here with the digests that were journalled"]
    parts += [f"{counts[key]} {words}" for key, words in _GONE.items() if counts[key]]
    return Check(not counts["missing"] and not counts["changed"], "Pictures", ", ".join(parts))
