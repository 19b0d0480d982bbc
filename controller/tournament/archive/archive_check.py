# SPDX-License-Identifier: MIT
"""
Check the archive of an event, offline: each journal alone, then all of them together.

The event's own journal comes first, because it names the lines that matter. Tables are
independent of each other, so they are checked by several processes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from controller.base.errors import InputError, UnavailableError
from controller.journal.checkpoint import CheckpointWords
from controller.journal.journal import JOURNAL_FILE
from controller.journal.tlog.kept_checkpoints import KeptCheckpoint, is_kept_signed
from controller.tournament.archive.archive_reader import ArchiveReader, open_archive
from controller.tournament.archive.cross_check import (
    check_claims,
    check_keys,
    check_length,
    check_listed,
    check_own_note,
    check_seen,
    check_witnessed,
)
from controller.tournament.archive.event_walk import EventReport, check_event
from controller.tournament.archive.layout import (
    EVENT_FOLDER,
    NOTE_FILE,
    SEEN_FILE,
    ArchivedJournal,
    ArchiveManifest,
    table_folder,
)
from controller.tournament.archive.line_claims import list_wanted
from controller.tournament.archive.table_check import (
    TableReport,
    TableTask,
    check_key_file,
    check_table,
)
from controller.verify.findings import Findings


@dataclass(frozen=True, slots=True)
class CheckedTable:
    """A table of a checked archive: its name, what was found, and everything that was found."""

    name: str
    report: TableReport
    findings: Findings


@dataclass(frozen=True, slots=True)
class CheckedArchive:
    path: Path
    manifest: ArchiveManifest
    event: EventReport
    tables: tuple[CheckedTable, ...]  # The tables, in the order of their numbers in the event.

    @property
    def is_broken(self) -> bool:
        return self.count(is_break=True) > 0

    def count(self, *, is_break: bool) -> int:
        all_findings = (self.event.findings, *(table.findings for table in self.tables))
        return sum(findings.count(is_break=is_break) for findings in all_findings)


def check_archive(
    path: Path,
    *,
    kept: Sequence[KeptCheckpoint] = (),
    key: bytes | None = None,
    rereads: bool = True,
    jobs: int | None,
) -> CheckedArchive:
    """
    Check everything that can be checked in the archive of an event.

    Args:
        kept: Codes and notes that somebody kept, of the event or of any table.
        key: The public key of the event, if it is known from elsewhere.
        jobs: How many processes check tables; one for each core if None.

    Raises:
        InputError: The file is no archive, or a checkpoint is of none of its journals.
        UnavailableError: There is no room to unpack it.
    """
    with open_archive(path) as archive:
        manifest = archive.manifest
        by_key = _assign_kept(kept, manifest)
        event = _check_own(archive, by_key.pop(manifest.event.key, ()), key)
        seen = {
            table.key: archive.read(table_folder(table.key) + SEEN_FILE)
            for table in manifest.tables
        }
    tasks = _plan_tables(path, manifest, event, by_key, rereads=rereads)
    reports = {report.key: report for report in _check_tables(tasks, jobs or os.cpu_count() or 1)}
    for failure in filter(None, (report.failure for report in reports.values())):
        raise _build_room_error(failure)
    for finding in (*check_claims(event, reports), *check_listed(event, manifest)):
        event.findings.add(finding)
    tables = [
        _join_findings(event, manifest, listed, reports[listed.key], seen[listed.key])
        for listed in manifest.tables
    ]
    numbers = {table.box: table.number for table in event.state.data.boxes.list_tables()}
    tables.sort(key=lambda each: (numbers.get(each.report.key, 1 << 30), each.report.key))
    return CheckedArchive(path, manifest, event, tuple(tables))


def _check_own(
    archive: ArchiveReader, kept: tuple[KeptCheckpoint, ...], key: bytes | None
) -> EventReport:
    with TemporaryDirectory(prefix="dicebell-verify-") as temporary:
        try:
            archive.unpack(EVENT_FOLDER, Path(temporary))
        except OSError as error:
            raise _build_room_error(error.strerror or str(error)) from error
        path = Path(temporary, JOURNAL_FILE)
        path.touch()
        event = check_event(path, kept, key)
        for finding in check_key_file(Path(temporary), archive.manifest.event.key):
            event.findings.add(finding)
        if (note := Path(temporary, NOTE_FILE)).exists():
            own_key = key or bytes.fromhex(archive.manifest.event.key)
            for finding in check_own_note(event, note.read_bytes(), own_key):
                event.findings.add(finding)
        return event


def _build_room_error(found: str) -> UnavailableError:
    expected = f"room to unpack the archive in {gettempdir()}"
    return UnavailableError(expected=expected, found=found)


def _plan_tables(
    path: Path,
    manifest: ArchiveManifest,
    event: EventReport,
    kept: Mapping[str, tuple[KeptCheckpoint, ...]],
    *,
    rereads: bool,
) -> list[TableTask]:
    """Return a task for each table, the longest first."""
    wanted = list_wanted(event.claims)
    return [
        TableTask(
            path,
            table.key,
            manifest.event.key,
            frozenset(wanted.get(table.key, ())),
            rereads=rereads and manifest.has_pictures,
            kept=kept.get(table.key, ()),
        )
        for table in sorted(manifest.tables, key=lambda each: -each.lines)
    ]


def _join_findings(
    event: EventReport,
    manifest: ArchiveManifest,
    listed: ArchivedJournal,
    report: TableReport,
    seen: bytes | None,
) -> CheckedTable:
    """Add to a table's own findings what only the other journals show."""
    findings = report.result.findings if report.result else Findings()
    for finding in (
        *report.findings,
        *check_length(report, listed.lines),
        *check_keys(event, report),
        *check_witnessed(event, report),
        *check_seen(event, report, seen, manifest.event.key),
    ):
        findings.add(finding)
    return CheckedTable(event.name_of(listed.key) or listed.name, report, findings)


def _check_tables(tasks: Sequence[TableTask], jobs: int) -> Iterator[TableReport]:
    jobs = min(jobs, len(tasks))
    if jobs <= 1:
        yield from map(check_table, tasks)
        return
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(check_table, tasks)


def _assign_kept(
    kept: Sequence[KeptCheckpoint], manifest: ArchiveManifest
) -> dict[str, tuple[KeptCheckpoint, ...]]:
    """Return kept checkpoints by the key that signed them."""
    assigned: dict[str, tuple[KeptCheckpoint, ...]] = {}
    keys = [manifest.event.key, *(table.key for table in manifest.tables)]
    for each in kept:
        if isinstance(each, CheckpointWords):
            expected = "the code or the note of a checkpoint: an archive has many journals"
            raise InputError(expected=expected, found="words", where="--checkpoint")
        signer = next((key for key in keys if is_kept_signed(each, bytes.fromhex(key))), None)
        if signer is None:
            expected = "a checkpoint that a journal of this archive signed"
            raise InputError(expected=expected, found="another", where="--checkpoint")
        assigned[signer] = (*assigned.get(signer, ()), each)
    return assigned
