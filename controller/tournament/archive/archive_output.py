# SPDX-License-Identifier: MIT
"""The result of checking an archive, as lines for people and as one object for programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from controller.base.errors import format_one_line
from controller.games.contract import Json
from controller.tournament.archive.archive_check import CheckedArchive, CheckedTable
from controller.tournament.archive.event_walk import EventReport
from controller.tournament.results.result_sheet import (
    describe_winner,
    list_broken_ties,
    list_decisions,
    list_group_winners,
)
from controller.verify.output import (
    build_checkpoints_json,
    build_findings_json,
    format_findings,
    format_status,
    name_counts,
)
from controller.verify.pictures import FileState
from controller.verify.reread import RereadOutcome
from controller.verify.signatures import SignatureCheck

_MAX_NAME = 60
_MAX_DECISION = 500


def format_archive_text(checked: CheckedArchive) -> str:
    """Format a result as lines for people: breaks first, then notes, then a summary."""
    return "".join(f"{line}\n" for line in _format_lines(checked))


def build_archive_json(checked: CheckedArchive) -> dict[str, Json]:
    event = checked.event
    signatures, data = event.signatures, event.state.data
    return {
        "archive": str(checked.path),
        "status": "broken" if checked.is_broken else "fine",
        "break_count": checked.count(is_break=True),
        "note_count": checked.count(is_break=False),
        "event": {
            "key": checked.manifest.event.key,
            "name": data.begun.name if data.begun else "",
            "entries": event.lines,
            "players": len(data.people),
            "games": len(data.games) or len(data.rounds.published),
            "has_result": data.result is not None,
            **_build_groups(event),
            "root": signatures.tree.root().hex(),
            "checkpoints": build_checkpoints_json(signatures),
            **build_findings_json(event.findings),
        },
        "tables": [_build_table(table) for table in checked.tables],
    }


def _build_groups(event: EventReport) -> dict[str, Json]:
    """Return the places in sections and of teams, if the event has its result and has them."""
    if event.state.data.result is None:
        return {}
    standings = event.state.compute_standings()
    sections: dict[str, Json] = {}
    for row in standings.rows:
        if row.section and row.has_place:
            places = sections.setdefault(row.section, [])
            assert isinstance(places, list)
            places.append([row.section_place, row.name])
    teams = [team.to_plain() for team in standings.teams]
    return {**({"sections": sections} if sections else {}), **({"teams": teams} if teams else {})}


def _build_table(table: CheckedTable) -> dict[str, Json]:
    result = table.report.result
    signatures = result.signatures if result else SignatureCheck()
    reread = result.reread if result else None
    return {
        "key": table.report.key,
        "name": table.name,
        "entries": table.report.lines,
        "games": result.games if result else 0,
        "rolls": result.rolls if result else 0,
        "root": signatures.tree.root().hex() if result else "",
        "checkpoints": build_checkpoints_json(signatures),
        "pictures": name_counts(FileState, result.pictures if result else {}),
        "reread": None if reread is None else name_counts(RereadOutcome, reread),
        **build_findings_json(table.findings),
    }


def _format_lines(checked: CheckedArchive) -> Iterator[str]:
    journals = [
        ("the event", checked.event.findings),
        *((_format_name(table), table.findings) for table in checked.tables),
    ]
    yield from format_findings(journals)
    yield _describe_event(checked.event)
    if winner := describe_winner(checked.event.state):
        yield format_one_line(winner, _MAX_DECISION)
    for line in (
        *list_group_winners(checked.event.state),
        *list_broken_ties(checked.event.state),
    ):
        yield format_one_line(line, _MAX_DECISION)
    yield from map(_describe_decision, list_decisions(checked.event.state.data))
    for table in checked.tables:
        yield _describe_table(table)
        if checked.manifest.has_pictures and table.report.result:
            counts = table.report.result.pictures
            there = counts[FileState.UNCHANGED] + counts[FileState.CHANGED]
            of = f"{sum(counts.values())} pictures and clips that it names are in the archive"
            yield f"{_format_name(table)}: {there} of {of}"
    if not checked.manifest.has_pictures:
        yield "the archive has no pictures"
    yield format_status(checked.count(is_break=True))


def _format_name(table: CheckedTable) -> str:
    name = format_one_line(table.name, _MAX_NAME)
    return f"{name} ({table.report.key[:8]})" if name else table.report.key[:16]


def _describe_event(event: EventReport) -> str:
    data = event.state.data
    name = format_one_line(data.begun.name, _MAX_NAME) if data.begun else "without a beginning"
    result = "with its result" if data.result else "without a result"
    return (
        f"the event {name}: {event.lines} entries, {len(data.people)} players, {result};"
        f" {_describe_signatures(event.signatures)}"
    )


def _describe_decision(decision: Mapping[str, str]) -> str:
    by, reason = decision["by"], decision["reason"]
    why = f": {reason} ({by})" if reason else f" ({by})" if by else ""
    return format_one_line(f"{decision['what']}{why}", _MAX_DECISION)


def _describe_table(table: CheckedTable) -> str:
    result = table.report.result
    if result is None:
        return f"{_format_name(table)}: no entries"
    return (
        f"{_format_name(table)}: {result.entries} entries, {result.games} games,"
        f" {result.rolls} rolls; {_describe_signatures(result.signatures)}"
    )


def _describe_signatures(signatures: SignatureCheck) -> str:
    return (
        f"{signatures.signed} of {signatures.checkpoints} checkpoints have a valid signature,"
        f" {signatures.covered} entries are signed"
    )
