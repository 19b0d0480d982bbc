# SPDX-License-Identifier: MIT
"""
Write one game as a zip file that somebody else can check.

No part of a journal proves anything without what was before it. So the bundle holds the
journal from its first entry to the checkpoint that signs the game, with its other games, but
only the pictures of this one. `dicebell verify --game` checks exactly that.
"""

from __future__ import annotations

import zipfile
from datetime import datetime
from pathlib import Path
from typing import IO, BinaryIO

from controller.base.languages.catalogue import Catalogue
from controller.base.languages.message import chain_messages, message
from controller.base.languages.shown_text import isolate_text
from controller.history.report.builder import select_game_entries
from controller.history.report.html import render_html
from controller.history.report.report import build_report
from controller.history.report.texts import TimeFormat
from controller.journal.checkpoint import CHECKPOINT
from controller.journal.continuity.checked_file import CheckedEntries
from controller.journal.journal import JOURNAL_FILE, read_journal
from controller.journal.picture_refs import list_deleted, list_references
from controller.journal.picture_store import PICTURES_FOLDER, PictureStore
from controller.journal.records.from_journal import (
    JournalGame,
    JournalGames,
    export_record,
    select_game,
)
from controller.journal.signing_key import PUBLIC_FILE

DATA = "data/"  # The folder in the bundle that `dicebell verify` checks.

_BLOCK_BYTES = 1 << 16


def write_bundle(
    file: BinaryIO,
    folder: Path,
    number: int | None,
    *,
    now: datetime,
    made_by: str,
    catalogue: Catalogue,
) -> None:
    """
    Write the bundle of a game, the last without a number; the folder is only read.

    Its report, and the text that says how to check it, are in the language of `catalogue`.
    InputError if there is no such game, or the journal is broken. OSError if the file cannot be
    written.
    """
    entries = read_journal(folder).entries
    game = select_game(JournalGames(entries), number)
    zone = now.tzinfo
    assert zone is not None, "a time with its zone"
    now_ms = round(now.timestamp() * 1000)
    report = build_report(folder, game.number, now_ms=now_ms, zone=zone, made_by=made_by)
    digests = {digest for each in game.entries for digest in list_references(each.body)}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("README.txt", _describe(game, TimeFormat(zone), catalogue))
        archive.writestr("report.html", render_html(report, catalogue))
        archive.writestr("game.jsonl", export_record(game))
        size = entries.size_bytes(_find_end(entries, game, digests))
        with (
            open(folder / JOURNAL_FILE, "rb") as journal,
            archive.open(DATA + JOURNAL_FILE, "w", force_zip64=True) as copy,
        ):
            _copy_bytes(journal, copy, size)
        for path in _list_files(folder, digests):
            name = DATA + path.relative_to(folder).as_posix()
            packing = zipfile.ZIP_DEFLATED if path.name == PUBLIC_FILE else zipfile.ZIP_STORED
            archive.write(path, name, packing)


def _find_end(entries: CheckedEntries, game: JournalGame, digests: set[str]) -> int:
    """Return the number of entries up to the checkpoint of a game, and what it lost since."""
    counted = select_game_entries(game)
    end = (counted[-1] if counted else game.start).seq
    checkpoints = (each.seq for each in entries.read_from(end) if each.kind == CHECKPOINT)
    signed = next(checkpoints, entries[-1].seq)
    # Without the entry of their deletion, its pictures would be missing without a reason.
    deletions = (each.seq for each in entries.read_from(end) if digests & set(list_deleted(each)))
    return max(signed, *deletions, 0) + 1


def _copy_bytes(source: BinaryIO, target: IO[bytes], size: int) -> None:
    while size and (block := source.read(min(size, _BLOCK_BYTES))):
        target.write(block)
        size -= len(block)


def _list_files(folder: Path, digests: set[str]) -> list[Path]:
    """Return the public key, and the pictures and clips that are still there."""
    store = PictureStore(folder)
    found = [folder / PUBLIC_FILE]
    for digest in sorted(digests):
        found += [store.picture_path(digest), store.clip_path(digest)]
    assert all(path.is_relative_to(folder / PICTURES_FOLDER) for path in found[1:])
    return [path for path in found if path.is_file() and not path.is_symlink()]


def _describe(game: JournalGame, times: TimeFormat, catalogue: Catalogue) -> str:
    header = game.header
    text = chain_messages(
        [
            message(
                "Game {number}: {players}, {when}",
                number=game.number,
                players=", ".join(map(isolate_text, header.players)),
                when=times.date(game.start.at_ms),
            ),
            message("report.html: the game for people, with its pictures."),
            message("game.jsonl: the game as a record. Check its result:"),
            "    dicebell replay game.jsonl",
            message(
                "data: the table's journal from its first entry to this game, its public key, and "
                "the pictures of this game. Check them:"
            ),
            f"    dicebell verify data --game {game.number}",
            message(
                "The journal names the players of all games before this one, too. Without them "
                "nobody could check it."
            ),
        ],
        "\n",
    )
    return f"{catalogue.translate(text)}\n"
