# SPDX-License-Identifier: MIT
"""Build the report of a game from a data folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path

from controller.base.errors import InputError
from controller.base.languages.message import chain_messages, message
from controller.base.languages.shown_text import isolate_text
from controller.coach.opponent import label_grade
from controller.history.analysis.analysis_view import AnalysisView
from controller.history.report.builder import build_game_report
from controller.history.report.checks import ReportCheck, build_checks
from controller.history.report.dice import DiceLine, build_dice_report
from controller.history.report.luck import analyse_game
from controller.history.report.model import GameReport
from controller.history.report.pictures import ReportPictures, find_deletion_days
from controller.history.report.texts import TimeFormat, describe_entry
from controller.journal import entries as written
from controller.journal.continuity.checked_file import index_entries
from controller.journal.hashchain import Entry
from controller.journal.journal import JOURNAL_FILE
from controller.journal.picture_store import PictureStore
from controller.journal.records.from_journal import JournalGame, JournalGames, select_game
from controller.journal.records.rename import rename_players
from controller.verify.verify import VerifyResult, verify_journal


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact about the table at the time of the game; `is_code` for digests."""

    name: str
    value: str
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Report:
    number: int  # Number of the game in its journal, from 1.
    games: int
    made: str
    made_by: str
    facts: tuple[Fact, ...]
    checks: tuple[ReportCheck, ...]
    story: GameReport
    luck: AnalysisView | None  # Luck and play; None if no coach knows the game.
    # What the throws of the table up to this game's end say about its dice.
    dice: tuple[DiceLine, ...]

    @property
    def is_well(self) -> bool:
        return all(check.is_well for check in self.checks)


@dataclass(frozen=True, slots=True)
class _JournalData:
    """A verified journal: its entries before the first break, and one of its games."""

    entries: Sequence[Entry]
    examined: VerifyResult
    games: int
    game: JournalGame
    story: GameReport
    pictures: Mapping[str, int]


def build_report(
    folder: Path,
    number: int | None,
    *,
    now_ms: int,
    zone: tzinfo,
    made_by: str,
    names: Sequence[str] = (),
) -> Report:
    """
    Build the report of a game, the last without a number; the folder is only read.

    `names` are shown for the players, clockwise; empty for those of the journal. InputError if
    there is no such game, or it has another number of players.
    """
    times = TimeFormat(zone)
    told = _read_journal(folder, number, names, times)
    if told.pictures["missing"]:
        # A running table may have deleted pictures after its journal was read: read again.
        told = _read_journal(folder, number, names, times)
    return Report(
        number=told.game.number,
        games=told.games,
        made=times.date(now_ms),
        made_by=made_by,
        facts=_facts(told.entries, told.game, told.story, times),
        checks=build_checks(len(told.entries), told.examined, told.game, told.story, told.pictures),
        story=told.story,
        luck=analyse_game(told.game),
        dice=build_dice_report(folder, told.game.number),
    )


def _read_journal(
    folder: Path, number: int | None, names: Sequence[str], times: TimeFormat
) -> _JournalData:
    checked: list[int] = []
    examined = verify_journal(folder, rereads=False, each=lambda entry: checked.append(entry.seq))
    entries = index_entries(folder / JOURNAL_FILE, len(checked))
    games = JournalGames(entries)
    try:
        game = select_game(games, number)
    except InputError as error:
        if len(entries) == examined.entries:
            raise
        found = message(
            "{found}; from line {line} on the journal is broken",
            found=error.found,
            line=len(entries) + 1,
        )
        raise InputError(expected=error.expected, found=found, where=error.where) from error
    if names:
        game = rename_players(game, names)
    pictures = ReportPictures(PictureStore(folder), find_deletion_days(entries))
    story = build_game_report(game, pictures=pictures, times=times)
    return _JournalData(entries, examined, len(games), game, story, pictures.counts)


def _facts(
    entries: Sequence[Entry], game: JournalGame, story: GameReport, times: TimeFormat
) -> tuple[Fact, ...]:
    kinds = written.STARTS | written.ABOUT_THE_JOURNAL | {"key"}
    before = [each for each in entries if each.seq < game.start.seq and each.kind in kinds]
    said = [written.read_entry(each) for each in reversed(before)]
    starts = [each for each in said if isinstance(each, written.StartEntry)]
    key = next((each.key for each in said if isinstance(each, written.KeyEntry)), "")
    last = game.entries[-1].seq if game.entries else game.start.seq
    found_at_start = (
        Fact(
            message("Journal"),
            message("entry {seq}: {event}", seq=entry.seq, event=describe_entry(entry, times).text),
        )
        for entry in before
        if entry.kind in written.ABOUT_THE_JOURNAL
    )
    training = message("with hints on request; the game counts in no record")
    facts = (
        Fact(message("Players"), ", ".join(map(isolate_text, story.players))),
        Fact(message("Opponents"), _describe_opponents(game.begun)),
        Fact(message("Training"), training if game.begun.hints else ""),
        Fact(message("Options"), chain_messages(story.options, "; ")),
        Fact(message("Began"), story.began),
        Fact(message("Last entry"), story.ended),
        Fact(message("Software"), _find_text(each.software for each in starts)),
        Fact(message("Camera"), _find_text(each.camera for each in starts)),
        Fact(message("Settings"), _find_text(each.settings for each in starts), is_code=True),
        Fact(
            message("Entries"),
            message("{first} to {last} of the journal", first=game.start.seq, last=last),
        ),
        *found_at_start,
        Fact(message("Table's key"), key, is_code=True),
        Fact(message("Its fingerprint"), format_fingerprint(key) if key else "", is_code=True),
    )
    return tuple(fact for fact in facts if fact.value)


def _describe_opponents(begun: written.GameEntry) -> str:
    described = [
        message(
            "{name}, played by the table ({grade})", name=one.name, grade=label_grade(one.grade)
        )
        for one in begun.opponents
    ]
    return chain_messages(described, "; ") if described else ""


def format_fingerprint(key_hex: str) -> str:
    """Return the first half of a public key's SHA-256 in groups of four digits."""
    try:
        digest = hashlib.sha256(bytes.fromhex(key_hex)).hexdigest()
    except ValueError:
        return ""
    return " ".join(digest[place : place + 4] for place in range(0, 32, 4))


def _find_text(texts: Iterable[str]) -> str:
    return next(filter(None, texts), "")
