# SPDX-License-Identifier: MIT
"""The pages of a history with real games: a journal, its pictures, its index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC
from pathlib import Path

from flask import Flask

from controller.base.settings import Phones, WebSettings
from controller.history.history import TableHistory
from controller.history.replays.downloads import GameDownloads
from controller.history.replays.parts import HistoryParts, build_history_parts
from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import TableKey
from tests.support.ended_game import compute_greedily
from tests.support.proven_game import GENESIS, draw_picture, sign
from tests.support.random_journal import RandomGame, WrittenJournal
from tests.webui.fakes import FakeTable
from tests.webui.visitors import FakeAccess
from webui import create_app


@dataclass(frozen=True)
class PlayedTable:
    """A data folder with games, and its history; `totals` are of the first game."""

    folder: Path
    history: TableHistory
    pictures: tuple[tuple[str, ...], ...]
    totals: Mapping[str, int]

    def parts(self, *, makes_files: bool = True) -> HistoryParts:
        """Return what its pages show; without `makes_files` a file has one line, at once."""
        parts = build_history_parts(self.folder, self.history, UTC, compute_greedily)
        if makes_files:
            return parts
        return replace(parts, downloads=GameDownloads(self.folder, write_line))

    def app(self, *, phones: Phones = Phones.WATCH, makes_files: bool = True) -> Flask:
        web = WebSettings(host="0.0.0.0", phones=phones, host_names="dicebell.lan")
        parts = self.parts(makes_files=makes_files)
        return create_app(FakeTable().running, None, access=FakeAccess(), web=web, history=parts)


def write_line(arguments: list[str]) -> tuple[int, str]:
    """Write the file that a program is asked for, without the work."""
    Path(arguments[arguments.index("--output") + 1]).write_text("PK or a report\n")
    return 0, ""


def played_table(folder: Path) -> PlayedTable:
    """
    Play three games into a folder, and begin a fourth.

    Ada and Ben finish Choice with jokers, three finish Black'n'White, Ada and Cleo leave
    Würfelspiel. The first game lost a picture since.
    """
    folder.mkdir()
    journal, store, key = WrittenJournal(), PictureStore(folder), TableKey.load_or_create(folder)
    journal.add("genesis", GENESIS)
    journal.add("key", {"key": key.public_hex})
    pictures: list[list[str]] = []

    def picture() -> str:
        pictures[-1].append(store.store(draw_picture(sum(map(len, pictures)))))
        return pictures[-1][-1]

    def play(
        game: str, *names: str, events: int = 5_000, **options: bool | int
    ) -> Mapping[str, int]:
        pictures.append([])
        begun = RandomGame(
            journal,
            game,
            names=names,
            players=len(names),
            options=options,
            seed=len(pictures) + 2,
            mischief=0.15,
            picture=picture,
        )
        begun.play(events)
        sign(journal, key)
        if events < 5_000:
            journal.add("closed", {})
            sign(journal, key)
        return begun.position.totals()

    totals = play("choice", "Ada", "Ben", jokers=True)
    play("black-n-white", "Ada", "Ben", "Cleo", chips_per_player=2)
    play("wuerfelspiel", "Ada", "Cleo", events=40)
    gone = pictures[0][1]
    store.delete(gone)
    journal.add("deleted", {"pictures": [gone], "why": "age", "on": "2026-11-23"})
    RandomGame(journal, "choice", names=("Dora", "Emil"), players=2, seed=9).play(4)
    journal.write(folder)
    history = TableHistory(folder)
    history.index.catch_up()
    return PlayedTable(folder, history, tuple(map(tuple, pictures)), totals)
