# SPDX-License-Identifier: MIT
"""
What was verified of a report, and the results.

A broken journal is still reported up to the break, because the search for the fault needs
that part. But the report says so before anything else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from controller.base.errors import InputError, format_one_line
from controller.base.languages.message import Message, chain_messages, message, plural_message
from controller.history.report.model import GameReport
from controller.journal.checkpoint import format_words
from controller.journal.records.from_journal import JournalGame, export_record
from controller.verify.findings import Finding, FindingKind
from controller.verify.verify import VerifyResult

_PICTURE_KINDS = (
    FindingKind.PICTURE_MISSING,
    FindingKind.PICTURE_CHANGED,
    FindingKind.PICTURE_SWAPPED,
)
BREAK_WORDS: Mapping[FindingKind, Message] = {
    FindingKind.FLIPPED_BIT: message("one bit of an entry was flipped"),
    FindingKind.CHANGED: message("an entry was changed"),
    FindingKind.NO_ENTRY: message("a line is no entry"),
    FindingKind.MISSING: message("entries are missing"),
    FindingKind.OUT_OF_ORDER: message("entries are out of order"),
    FindingKind.REPEATED: message("an entry is repeated"),
    FindingKind.FOREIGN: message("entries do not belong to this journal"),
    FindingKind.TRUNCATED: message("the end is missing"),
    FindingKind.REWRITTEN: message("entries were written anew"),
    FindingKind.CHECKPOINT: message("a checkpoint does not fit"),
    FindingKind.SIGNATURE: message("a signature is not valid"),
    FindingKind.KEY: message("a key does not fit"),
    FindingKind.PICTURE_MISSING: message("a picture is missing"),
    FindingKind.PICTURE_CHANGED: message("a picture was changed"),
    FindingKind.PICTURE_SWAPPED: message("a picture was swapped"),
    FindingKind.PICTURE_TWICE: message("a picture belongs to two rolls"),
    FindingKind.READ_OTHERWISE: message("a picture shows other dice"),
    FindingKind.TABLE_MODEL: message("what the table had learnt does not follow from its pictures"),
    FindingKind.IMPOSSIBLE: message("a reading is impossible"),
    FindingKind.RULES: message("the rules do not allow an entry"),
    FindingKind.RESULT: message("the result does not follow from the game"),
    FindingKind.OPPONENT: message("an opponent of the table did not choose so"),
    FindingKind.ROLLED_BACK: message("the journal was put back to an older state"),
}
"""Every kind of break in a few words."""

_MAX_BREAKS = 8  # Most breaks that a report lists.
_MAX_CHARACTERS = 400


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
    """Return the checks of a game; `told` is the number of entries before the chain breaks."""
    looked_at = _check_chain(told, examined), _check_rules(game, story), _check_signatures(examined)
    return (*looked_at, _check_pictures(pictures), *_list_breaks(game, examined))


def _check_chain(told: int, examined: VerifyResult) -> ReportCheck:
    if told < examined.entries:
        broken = message(
            "broken after {told} entries, at line {line} of {entries}; nothing after that is shown",
            told=told,
            line=told + 1,
            entries=examined.entries,
        )
        return ReportCheck(False, message("Chain"), broken)
    found = message(
        "all {told} entries of the journal follow from each other; in words: {words}",
        told=told,
        words=format_words(examined.entries, examined.signatures.tree.root()),
    )
    return ReportCheck(True, message("Chain"), found)


def _check_signatures(examined: VerifyResult) -> ReportCheck:
    signatures = examined.signatures
    signed, count = signatures.signed, signatures.checkpoints
    if not count:
        found = message("the journal holds no checkpoint, so it is not signed")
        return ReportCheck(False, message("Signatures"), found)
    found = message(
        "{signed} of {all} checkpoints of the journal are signed by the key they name; {after}",
        signed=signed,
        all=count,
        after=plural_message(
            "{count} entry came after the last one",
            "{count} entries came after the last one",
            examined.entries - signatures.covered - 1,
        ),
    )
    return ReportCheck(signed == count, message("Signatures"), found)


def _list_breaks(game: JournalGame, examined: VerifyResult) -> Iterator[ReportCheck]:
    """Yield the breaks in this game, and those outside of any game."""
    breaks = examined.findings.in_order(is_break=True)
    here = [one for one in breaks if one.game in (0, game.number)][:_MAX_BREAKS]
    for one in here:
        yield ReportCheck(False, message("Break"), _describe_break(one))
    if more := examined.findings.count(is_break=True) - len(here):
        found = plural_message(
            "{count} more break in the journal; verify lists it",
            "{count} more breaks in the journal; verify lists them",
            more,
        )
        yield ReportCheck(False, message("Elsewhere"), found)


def _describe_break(finding: Finding) -> Message:
    """Return the kind of a break, and the finding in verify's own words, which are English."""
    words = finding.what
    # The expected value of a picture is a path of the table, which a report must not reveal.
    if finding.expected and finding.kind not in _PICTURE_KINDS:
        words = f"{words}; expected {finding.expected}, found {finding.found}"
    kind, words = BREAK_WORDS[finding.kind], format_one_line(words, _MAX_CHARACTERS)
    if not finding.line:
        return message("{kind}. In verify's words: {words}", kind=kind, words=words)
    return message(
        "line {line}: {kind}. In verify's words: {words}", line=finding.line, kind=kind, words=words
    )


def _check_rules(game: JournalGame, story: GameReport) -> ReportCheck:
    if story.stopped:
        found = message("{reason} Nothing after that is shown.", reason=story.stopped)
        return ReportCheck(False, message("Rules"), found)
    try:
        export_record(game)
    except InputError as error:
        return ReportCheck(False, message("Rules"), error.args[0])
    legal = (
        message("every roll and every choice is legal; they lead to the journalled result")
        if game.result
        else message("every roll and every choice is legal; the game has no result yet")
    )
    return ReportCheck(True, message("Rules"), legal)


def _check_pictures(counts: Mapping[str, int]) -> ReportCheck:
    total = sum(counts.values())
    if not total:
        return ReportCheck(True, message("Pictures"), message("none was journalled"))
    parts = [
        message(
            "{shown} of {total} are here with the digests that were journalled",
            shown=counts["shown"],
            total=total,
        )
    ]
    if count := counts["left out"]:
        parts.append(
            message("{count} unchanged in the data folder, not in this report", count=count)
        )
    if count := counts["deleted"]:
        parts.append(message("{count} deleted, as the journal says", count=count))
    if count := counts["missing"]:
        parts.append(message("{count} missing", count=count))
    if count := counts["changed"]:
        parts.append(message("{count} not those that were journalled", count=count))
    is_well = not counts["missing"] and not counts["changed"]
    return ReportCheck(is_well, message("Pictures"), chain_messages(parts, ", "))
