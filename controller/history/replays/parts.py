# SPDX-License-Identifier: MIT
"""
The finished games of a running table, for its pages: replays, pictures and files.

Any thread of the web server may ask. Replays are built one at a time, and the newest are kept,
because the longest game takes a quarter of a second.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import tzinfo
from pathlib import Path

from controller.base.durable_files import open_regular_file
from controller.base.languages.catalogue import Catalogue
from controller.base.languages.message import message
from controller.games import GAMES
from controller.history.analysis.analysis_view import AnalysisView
from controller.history.analysis.game_analyses import Compute, GameAnalyses
from controller.history.analysis.skill_views import VariantSkill
from controller.history.history import TableHistory
from controller.history.replays.downloads import (
    Download,
    DownloadKind,
    DownloadRequest,
    DownloadState,
    GameDownloads,
)
from controller.history.replays.replay import build_replay
from controller.history.report.builder import select_game_entries
from controller.history.report.html import ENGLISH_CATALOGUE
from controller.history.report.texts import TimeFormat
from controller.history.views import GameFilter
from controller.journal.hashchain import BrokenEntryError, Entry, decode_entry
from controller.journal.journal import JOURNAL_FILE
from controller.journal.picture_refs import list_references
from controller.journal.picture_store import PictureStore
from controller.journal.records.from_journal import JournalGame, export_record
from controller.journal.records.rename import rename_players
from controller.verify.untrusted_files import iter_lines_limited

MOST_KEPT = 12  # Replays in memory, each of at most 300 kB.
MOST_ANALYSED = 1000  # The newest games of a player that count for luck and play.

GONE = message("This picture is no longer stored.")
HIDDEN = message(
    "The journal of this game names somebody who was forgotten, so its bundle is not given away."
)


class GameReplays:
    """The replays of one data folder, with the names and the positions of the history."""

    def __init__(self, folder: Path, history: TableHistory, times: TimeFormat) -> None:
        self._folder = folder
        self._history = history
        self._pictures = PictureStore(folder)
        self._times = times
        self._lock = threading.Lock()
        self._built: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    def build_json(self, number: int, catalogue: Catalogue) -> bytes | None:
        """Return a game's replay as JSON; `gone` says why pictures are missing. None without it."""
        game = self.read_game(number, catalogue)
        if game is None:
            return None
        paths = {digest: self._pictures.picture_path(digest) for digest in list_pictures(game)}
        gone = {digest: GONE for digest, path in paths.items() if not path.is_file()}
        absent = json.dumps(catalogue.translate(gone), ensure_ascii=False).encode()
        return b'{"gone":%s,"replay":%s}' % (absent, self._build(game, catalogue))

    def read_picture(self, number: int, digest: str) -> bytes | None:
        """Return a picture of a game; None if the game does not name it, or it is gone."""
        game = self.read_game(number)
        if game is None or digest not in list_pictures(game):
            return None
        try:
            return self._pictures.picture_path(digest).read_bytes()
        except OSError:
            return None

    def export_record(self, number: int) -> str | None:
        """Return a game as a record; None if there is none, InputError if it is broken."""
        game = self.read_game(number)
        return None if game is None else export_record(game)

    def read_game(
        self, number: int, catalogue: Catalogue = ENGLISH_CATALOGUE
    ) -> JournalGame | None:
        """Return a game with the names that screens show; None if there is none."""
        summary = self._history.find_game(number)
        first_byte = self._history.find_first_byte(number)
        if summary is None or first_byte is None:
            return None
        game = read_journal_game(self._folder, number, first_byte)
        if game is None:
            return None
        return rename_players(game, [catalogue.translate(one.name) for one in summary.players])

    def _build(self, game: JournalGame, catalogue: Catalogue) -> bytes:
        key = (name_content(game), catalogue.language)
        with self._lock:
            if key not in self._built:
                view = catalogue.translate(build_replay(game, self._pictures, self._times))
                for step in view["steps"]:
                    # The journal has English texts; those without values are messages of the code.
                    step["doubts"] = [catalogue.find(doubt) for doubt in step["doubts"]]
                text = json.dumps(view, ensure_ascii=False, separators=(",", ":"))
                self._built[key] = text.encode()
                while len(self._built) > MOST_KEPT:
                    self._built.popitem(last=False)
            self._built.move_to_end(key)
            return self._built[key]


@dataclass(frozen=True, slots=True)
class HistoryParts:
    """What the pages of the history show; every part may be used from any thread."""

    history: TableHistory
    replays: GameReplays
    downloads: GameDownloads  # Files of a game, made one at a time.
    analyses: GameAnalyses
    times: TimeFormat  # Formats times in the table's time zone.
    titles: Mapping[str, str]  # The name of every game for people, by its key.

    def analyse_game(self, number: int) -> AnalysisView | None:
        """Return the analysis of a game or have it made; None if there is no such game."""
        summary = self.history.find_game(number)
        return None if summary is None else self.analyses.show(summary)

    def analyse_player(self, name: str) -> tuple[tuple[VariantSkill, ...], int]:
        """Return what the finished games of a player say, and how many are not analysed yet."""
        wanted = GameFilter(player=name, status="finished")
        page = self.history.list_games(wanted, limit=MOST_ANALYSED)
        return self.analyses.summarize_player(name, page.games)

    def ask_download(
        self, kind: DownloadKind, number: int, catalogue: Catalogue
    ) -> Download | None:
        """Return a file of a game or have it made; None if there is no such game."""
        summary = self.history.find_game(number)
        if summary is None:
            return None
        if kind is DownloadKind.BUNDLE and any(one.is_forgotten for one in summary.players):
            return Download(DownloadState.FAILED, why=HIDDEN)
        game = self.replays.read_game(number, catalogue)
        if game is None:
            return None
        players = game.header.players if kind is DownloadKind.REPORT else ()
        content, pictures = name_content(game), list_pictures(game)
        return self.downloads.ask(
            DownloadRequest(kind, number, catalogue.language, content, pictures, players)
        )


def list_pictures(game: JournalGame) -> tuple[str, ...]:
    """Return the digests of a game's pictures and clips, each once."""
    named = (digest for entry in game.entries for digest in list_references(entry.body))
    return tuple(dict.fromkeys(named))


def name_content(game: JournalGame) -> str:
    """Return a name that changes with the players' names and with every entry of a game."""
    counted = select_game_entries(game)
    last = counted[-1] if counted else game.start
    return f"{last.link} {', '.join(game.header.players)}"


def build_history_parts(
    folder: Path, history: TableHistory, zone: tzinfo, compute: Compute | None = None
) -> HistoryParts:
    """Build the parts for one running table; tests give another `compute` for accounts."""
    times = TimeFormat(zone)

    def read_game(number: int) -> JournalGame | None:
        first_byte = history.find_first_byte(number)
        return None if first_byte is None else read_journal_game(folder, number, first_byte)

    return HistoryParts(
        history=history,
        replays=GameReplays(folder, history, times),
        downloads=GameDownloads(folder),
        analyses=GameAnalyses(folder, read_game, compute),
        times=times,
        titles={key: rules.title for key, rules in GAMES.items()},
    )


def read_journal_game(folder: Path, number: int, first_byte: int) -> JournalGame | None:
    """Return a game of a journal, up to the next one or a broken line; None if there is none."""
    entries: list[Entry] = []
    try:
        with open(open_regular_file(folder / JOURNAL_FILE), "rb") as file:
            file.seek(first_byte)
            for raw in iter_lines_limited(file):
                if not raw.endswith(b"\n"):
                    break
                entry = decode_entry(raw[:-1])
                if entries and entry.kind == "game":
                    break
                entries.append(entry)
    except (OSError, BrokenEntryError):
        pass
    if not entries or entries[0].kind != "game":
        return None
    return JournalGame(number, entries[0], tuple(entries[1:]))
