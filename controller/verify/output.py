# SPDX-License-Identifier: MIT
"""
The result of a check, for people and for programs.

People get a line for every finding, breaks first, and a summary. Programs get one object, which
`docs/proof.md` describes.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.base.errors import format_one_line
from controller.games.contract import Json
from controller.journal.checkpoint import format_words
from controller.verify.findings import Finding
from controller.verify.pictures import FileState
from controller.verify.reread import RereadOutcome
from controller.verify.verify import VerifyResult

MAX_CHARACTERS = 300  # Longer parts of a finding are cut in the text for people.


def format_text(examined: VerifyResult) -> str:
    """Format a result as lines for people."""
    return "".join(f"{line}\n" for line in _format_lines(examined))


def build_json(examined: VerifyResult) -> dict[str, Json]:
    """Build the documented object of a result."""
    findings, reread = examined.findings, examined.reread
    return {
        "data": str(examined.folder),
        "status": "broken" if examined.is_broken else "fine",
        "format": examined.format,
        "entries": examined.entries,
        "games": examined.games,
        "rolls": examined.rolls,
        "root": examined.root.hex(),
        "words": format_words(examined.entries, examined.root),
        "checkpoints": {
            "entries": examined.checkpoints,
            "signed": examined.signed,
            "covered": examined.covered,
        },
        "keys": examined.keys,
        "cameras": examined.cameras,
        "kept": [
            {"size": check.kept.size, "fits": bool(check.fits and check.is_followed)}
            for check in examined.kept
        ],
        "pictures": {standing.value: examined.pictures[standing] for standing in FileState},
        "reread": None if reread is None else {each.value: reread[each] for each in RereadOutcome},
        "with_table": None if reread is None else examined.with_table,
        "break_count": findings.count(is_break=True),
        "note_count": findings.count(is_break=False),
        "breaks": [build_finding_json(finding) for finding in findings.in_order(is_break=True)],
        "notes": [build_finding_json(finding) for finding in findings.in_order(is_break=False)],
    }


def build_finding_json(finding: Finding) -> Json:
    """Build the documented object of a finding."""
    return {
        "kind": finding.kind.value,
        "line": finding.line,
        "seq": finding.seq,
        "game": finding.game,
        "what": finding.what,
        "expected": finding.expected,
        "found": finding.found,
        "neighbours": finding.neighbours,
    }


def _format_lines(examined: VerifyResult) -> Iterator[str]:
    for is_break, name in ((True, "break"), (False, "note")):
        told = examined.findings.in_order(is_break=is_break)
        for finding in told:
            yield format_finding(name, finding)
        left = examined.findings.count(is_break=is_break) - len(told)
        if left:
            yield f"{name}: {left} more are not listed"
    yield from _format_summary(examined)


def format_finding(name: str, finding: Finding) -> str:
    """Format a finding as one line; `name` says whether it is a break, and of what."""
    place = f" at line {finding.line}" if finding.line else ""
    if finding.seq is not None:
        place += f", entry {finding.seq}"
    if finding.game:
        place += f", game {finding.game}"
    stood = ""
    if finding.expected:
        stood = f"; expected {format_one_line(finding.expected, MAX_CHARACTERS)}"
    if finding.found:
        stood += f"{',' if stood else ';'} found {format_one_line(finding.found, MAX_CHARACTERS)}"
    beside = (
        f". {format_one_line(finding.neighbours, MAX_CHARACTERS)}" if finding.neighbours else ""
    )
    return f"{name}{place}: {format_one_line(finding.what, MAX_CHARACTERS)}{stood}{beside}"


def _format_summary(examined: VerifyResult) -> Iterator[str]:
    counts, reread = examined.pictures, examined.reread
    if examined.cameras:
        yield f"cameras: {format_one_line(', '.join(examined.cameras), MAX_CHARACTERS)}"
    yield (
        f"{examined.folder}: {_count(examined.entries, 'entry', 'entries')},"
        f" {_count(examined.games, 'game')}, {_count(examined.rolls, 'roll')};"
        f" {examined.signed} of {_count(examined.checkpoints, 'checkpoint')}"
        f" {'has' if examined.checkpoints == 1 else 'have'} a valid signature"
    )
    yield f"pictures and clips: {_format_counts({each.value: counts[each] for each in FileState})}"
    if reread is None:
        yield "pictures were not read again"
    else:
        yield f"read again: {_format_counts({each.value: reread[each] for each in RereadOutcome})}"
        if examined.with_table:
            alone = reread[RereadOutcome.SAME] - examined.with_table
            yield (
                f"of the same: {alone} certain alone, {examined.with_table} certain only with"
                " what the table learnt"
            )
    yield _describe_signatures(examined)
    if not examined.kept:
        yield "no kept checkpoint was given (--checkpoint), so a cut-off end cannot be detected"
    for check in examined.kept:
        fits = "fits" if check.fits and check.is_followed else "does not fit"
        yield f"kept checkpoint of {check.kept.size} entries: {fits}"
    yield f"in words: {format_words(examined.entries, examined.root)}"
    breaks = examined.findings.count(is_break=True)
    yield f"broken: {breaks} found" if breaks else "fine: nothing is broken"


def _count(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def _describe_signatures(examined: VerifyResult) -> str:
    if not examined.covered:
        return "no valid signature covers any of it"
    after = examined.entries - examined.covered - 1
    are_not = "the next entry is not" if after == 1 else f"the {after} entries after it are not"
    last = examined.covered - 1
    how_far = f"signed up to entry {last}, {are_not}" if after else "signed to its end"
    if examined.key:
        return f"{how_far}; by the given key"
    keys = " and ".join(dict.fromkeys(examined.keys)) or "no key that it names"
    return f"{how_far}; by {keys}, which was not compared with a given key (--key)"


def _format_counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())
