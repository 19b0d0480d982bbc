# SPDX-License-Identifier: MIT
"""
The result of a check, for people and for programs.

People get a line for every finding, breaks first, and a summary. Programs get one object, which
`docs/proof.md` describes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from controller.base.errors import format_one_line
from controller.games.contract import Json
from controller.journal.checkpoint import format_words
from controller.verify.findings import Finding, Findings
from controller.verify.pictures import FileState
from controller.verify.reread import RereadOutcome
from controller.verify.signatures import SignatureCheck
from controller.verify.verify import VerifyResult

_KindT = TypeVar("_KindT", FileState, RereadOutcome)
MAX_CHARACTERS = 300  # Longer parts of a finding are cut in the text for people.


def format_text(examined: VerifyResult) -> str:
    """Format a result as lines for people."""
    lines = (*format_findings([("", examined.findings)]), *_format_summary(examined))
    return "".join(f"{line}\n" for line in lines)


def build_json(examined: VerifyResult) -> dict[str, Json]:
    """Build the documented object of a result."""
    signatures, reread = examined.signatures, examined.reread
    return {
        "data": str(examined.folder),
        "status": "broken" if examined.is_broken else "fine",
        "format": examined.format,
        "entries": examined.entries,
        "games": examined.games,
        "rolls": examined.rolls,
        "root": signatures.tree.root().hex(),
        "words": format_words(examined.entries, signatures.tree.root()),
        "checkpoints": build_checkpoints_json(signatures),
        "keys": [key.hex() for key in signatures.keys],
        "cameras": examined.cameras,
        "kept": [
            {"size": check.kept.size, "fits": bool(check.fits and check.is_followed)}
            for check in signatures.kept
        ],
        "pictures": name_counts(FileState, examined.pictures),
        "reread": None if reread is None else name_counts(RereadOutcome, reread),
        "with_table": None if reread is None else examined.with_table,
        "break_count": examined.findings.count(is_break=True),
        "note_count": examined.findings.count(is_break=False),
        **build_findings_json(examined.findings),
    }


def name_counts(kinds: Iterable[_KindT], counts: Mapping[_KindT, int]) -> dict[str, int]:
    """Return how often each kind was counted, by its name."""
    return {each.value: counts.get(each, 0) for each in kinds}


def build_checkpoints_json(signatures: SignatureCheck) -> Json:
    return {
        "entries": signatures.checkpoints,
        "signed": signatures.signed,
        "covered": signatures.covered,
    }


def build_findings_json(findings: Findings) -> dict[str, Json]:
    """Build the documented objects of breaks and notes."""
    return {
        "breaks": [_build_finding_json(each) for each in findings.in_order(is_break=True)],
        "notes": [_build_finding_json(each) for each in findings.in_order(is_break=False)],
    }


def _build_finding_json(finding: Finding) -> Json:
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


def format_findings(journals: Sequence[tuple[str, Findings]]) -> Iterator[str]:
    """Yield a line for each break, then for each note; a name is empty if it needs none."""
    for is_break, word in ((True, "break"), (False, "note")):
        for name, findings in journals:
            what = f"{word} in {name}" if name else word
            listed = findings.in_order(is_break=is_break)
            yield from (_format_finding(what, finding) for finding in listed)
            if left := findings.count(is_break=is_break) - len(listed):
                yield f"{what}: {left} more are not listed"


def format_status(breaks: int) -> str:
    return f"broken: {breaks} found" if breaks else "fine: nothing is broken"


def _format_finding(name: str, finding: Finding) -> str:
    place = f" at line {finding.line}" if finding.line else ""
    if finding.seq is not None:
        place += f", entry {finding.seq}"
    if finding.game:
        place += f", game {finding.game}"
    what, expected, found, beside = (
        format_one_line(text, MAX_CHARACTERS)
        for text in (finding.what, finding.expected, finding.found, finding.neighbours)
    )
    stood = f"; expected {expected}" if expected else ""
    if found:
        stood += f"{',' if stood else ';'} found {found}"
    return f"{name}{place}: {what}{stood}{f'. {beside}' if beside else ''}"


def _format_summary(examined: VerifyResult) -> Iterator[str]:
    signatures, reread = examined.signatures, examined.reread
    if examined.cameras:
        yield f"cameras: {format_one_line(', '.join(examined.cameras), MAX_CHARACTERS)}"
    yield (
        f"{examined.folder}: {_count(examined.entries, 'entry', 'entries')},"
        f" {_count(examined.games, 'game')}, {_count(examined.rolls, 'roll')};"
        f" {signatures.signed} of {_count(signatures.checkpoints, 'checkpoint')}"
        f" {'has' if signatures.checkpoints == 1 else 'have'} a valid signature"
    )
    yield f"pictures and clips: {_format_counts(name_counts(FileState, examined.pictures))}"
    if reread is None:
        yield "pictures were not read again"
    else:
        yield f"read again: {_format_counts(name_counts(RereadOutcome, reread))}"
        if examined.with_table:
            alone = reread[RereadOutcome.SAME] - examined.with_table
            yield (
                f"of the same: {alone} certain alone, {examined.with_table} certain only with"
                " what the table learnt"
            )
    yield _describe_signatures(signatures)
    if not signatures.kept:
        yield "no kept checkpoint was given (--checkpoint), so a cut-off end cannot be detected"
    for check in signatures.kept:
        fits = "fits" if check.fits and check.is_followed else "does not fit"
        yield f"kept checkpoint of {check.kept.size} entries: {fits}"
    yield f"in words: {format_words(examined.entries, signatures.tree.root())}"
    yield format_status(examined.findings.count(is_break=True))


def _count(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def _describe_signatures(signatures: SignatureCheck) -> str:
    if not signatures.covered:
        return "no valid signature covers any of it"
    after = signatures.tree.size - signatures.covered - 1
    are_not = "the next entry is not" if after == 1 else f"the {after} entries after it are not"
    last = signatures.covered - 1
    how_far = f"signed up to entry {last}, {are_not}" if after else "signed to its end"
    if signatures.key:
        return f"{how_far}; by the given key"
    names = dict.fromkeys(key.hex() for key in signatures.keys)
    keys = " and ".join(names) or "no key that it names"
    return f"{how_far}; by {keys}, which was not compared with a given key (--key)"


def _format_counts(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in counts.items())
