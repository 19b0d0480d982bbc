# SPDX-License-Identifier: MIT
"""
What was verified of a report, and the results.

A broken journal is still reported up to the break, because the search for the fault needs
that part. But the report says so before anything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from controller.errors import InputError, format_one_line
from controller.journal.checkpoint import format_words
from controller.records.from_journal import JournalGame, export_record
from controller.report.model import GameReport
from controller.verify.findings import Finding, FindingKind
from controller.verify.verify import VerifyResult

_PICTURE_KINDS = (
    FindingKind.PICTURE_MISSING,
    FindingKind.PICTURE_CHANGED,
    FindingKind.PICTURE_SWAPPED,
)
_MAX_BREAKS = 8
"""Most breaks that a report lists."""
_MAX_CHARACTERS = 400

_GONE = {
    "deleted": "deleted, as the journal says",
    "missing": "missing",
    "changed": "not those that were journalled",
}


@dataclass(frozen=True, slots=True)
class ReportCheck:
    is_well: bool
    what: str
    found: str


def build_checks(
    told: int,
    examined: VerifyResult,
    game: JournalGame,
    story: GameReport,
    pictures: Mapping[str, int],
) -> tuple[ReportCheck, ...]:
    """
    Return the checks of a game.

    Args:
        told: Number of entries before the first break of the chain.
        examined: The result of verifying the whole journal.
        game: The game.
        story: Its report.
        pictures: Number of pictures shown, deleted, missing and changed.
    """
    looked_at = _check_chain(told, examined), _check_rules(game, story), _check_signatures(examined)
    return (*looked_at, _check_pictures(pictures), *_list_breaks(game, examined))


def _check_chain(told: int, examined: VerifyResult) -> ReportCheck:
    if told < examined.entries:
        found = f"broken after {told} entries, at line {told + 1} of {examined.entries}"
        return ReportCheck(False, "Chain", f"{found}; nothing after that is shown")
    in_words = format_words(examined.entries, examined.root)
    found = f"all {told} entries of the journal follow from each other; in words: {in_words}"
    return ReportCheck(True, "Chain", found)


def _check_signatures(examined: VerifyResult) -> ReportCheck:
    signed, count = examined.signed, examined.checkpoints
    if not count:
        return ReportCheck(
            False, "Signatures", "the journal holds no checkpoint, so it is not signed"
        )
    after = examined.entries - examined.covered - 1
    found = (
        f"{signed} of {count} checkpoints of the journal are signed by the key they name;"
        f" {after} entries came after the last one"
    )
    return ReportCheck(signed == count, "Signatures", found)


def _list_breaks(game: JournalGame, examined: VerifyResult) -> Iterator[ReportCheck]:
    """Yield the breaks in this game, and those outside of any game."""
    breaks = examined.findings.in_order(is_break=True)
    here = [one for one in breaks if one.game in (0, game.number)][:_MAX_BREAKS]
    for one in here:
        yield ReportCheck(False, "Break", _describe_break(one))
    if more := examined.findings.count(is_break=True) - len(here):
        yield ReportCheck(
            False, "Elsewhere", f"{more} more breaks in the journal; verify lists them"
        )


def _describe_break(finding: Finding) -> str:
    place = f"line {finding.line}: " if finding.line else ""
    words = f"{place}{finding.what}"
    # The expected value of a picture is a path of the table, which a report must not reveal.
    if finding.expected and finding.kind not in _PICTURE_KINDS:
        words = f"{words}; expected {finding.expected}, found {finding.found}"
    return format_one_line(words, _MAX_CHARACTERS)


def _check_rules(game: JournalGame, story: GameReport) -> ReportCheck:
    if story.stopped:
        return ReportCheck(False, "Rules", f"{story.stopped}; nothing after that is shown")
    try:
        export_record(game)
    except InputError as error:
        return ReportCheck(False, "Rules", str(error))
    end = "they lead to the journalled result" if game.result else "the game has no result yet"
    return ReportCheck(True, "Rules", f"every roll and every choice is legal; {end}")


def _check_pictures(counts: Mapping[str, int]) -> ReportCheck:
    total = sum(counts.values())
    if not total:
        return ReportCheck(True, "Pictures", "none was journalled")
    parts = [f"{counts['shown']} of {total} are here with the digests that were journalled"]
    parts += [f"{counts[key]} {words}" for key, words in _GONE.items() if counts[key]]
    return ReportCheck(
        not counts["missing"] and not counts["changed"], "Pictures", ", ".join(parts)
    )
