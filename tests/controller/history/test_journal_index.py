# SPDX-License-Identifier: MIT
"""The index follows its journal, survives harm to its file, and refuses a broken journal."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from controller.history.history import TableHistory
from controller.history.index.journal_index import HistoryIndex
from controller.history.index.store import INDEX_FILE, SCHEMA
from controller.history.views import GamePage
from controller.journal.hashchain import encode_entry
from controller.journal.journal import JOURNAL_FILE
from tests.controller.history.written_games import (
    add_action,
    add_finished,
    add_game,
    add_roll,
    begin_journal,
    open_history,
)
from tests.support.proven_game import proven_game
from tests.support.random_journal import RandomGame, WrittenJournal

ROOT = Path(__file__).parents[3]


def three_games() -> WrittenJournal:
    journal = begin_journal()
    for seed, game in enumerate(("choice", "black-n-white", "wuerfelspiel")):
        RandomGame(journal, game, players=2, seed=seed).play()
        journal.add("closed")
    return journal


def dump(history: TableHistory) -> list[str]:
    """Return everything in the index, as statements."""
    return sorted(history.index.store.db.iterdump())


@dataclass(frozen=True)
class Indexed:
    """A folder with three games and their index, for copies; and what the index holds."""

    folder: Path
    dump: list[str]
    games: GamePage


@pytest.fixture(scope="module")
def indexed(tmp_path_factory: pytest.TempPathFactory) -> Indexed:
    folder = tmp_path_factory.mktemp("indexed")
    history = open_history(three_games(), folder)
    found = Indexed(folder, dump(history), history.list_games())
    history.index.close()
    return found


def test_line_by_line_it_becomes_the_same_as_at_once(tmp_path: Path) -> None:
    """Also when it is opened again in the middle of a game."""
    journal = three_games()
    whole = open_history(journal, tmp_path / "whole")
    folder = tmp_path / "grown"
    folder.mkdir()
    history = TableHistory(folder)
    with open(folder / JOURNAL_FILE, "ab") as file:
        for number, entry in enumerate(journal.entries):
            line = encode_entry(entry)
            file.write(line[:10])
            file.flush()
            history.index.catch_up()
            file.write(line[10:] + b"\n")
            file.flush()
            history.index.catch_up()
            if number % 40 == 39:
                history.index.close()
                history = TableHistory(folder)
    history.index.catch_up()
    assert dump(history) == dump(whole)
    assert history.index.read_progress() == whole.index.read_progress()
    assert history.index.read_progress().state == "ready"


def replace_by_rubbish(path: Path) -> None:
    path.write_bytes(b"rubbish " * 4096)


def empty_the_file(path: Path) -> None:
    path.write_bytes(b"")


def cut_off_the_end(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def damage_pages(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096:] = bytes(len(data) - 4096)
    path.write_bytes(data)


def change_a_name(path: Path) -> None:
    """SQLite finds nothing wrong with it."""
    data = path.read_bytes()
    assert b"Ben" in data
    path.write_bytes(data.replace(b"Ben", b"Bex"))


def put_a_pipe_there(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def run_sql(*statements: str) -> Callable[[Path], None]:
    def harm(path: Path) -> None:
        with contextlib.closing(sqlite3.connect(path)) as db, db:
            for statement in statements:
                db.execute(statement)

    return harm


HARMS: dict[str, Callable[[Path], None]] = {
    "lost": Path.unlink,
    "rubbish": replace_by_rubbish,
    "empty": empty_the_file,
    "cut off": cut_off_the_end,
    "pages": damage_pages,
    "value": change_a_name,
    "pipe": put_a_pipe_there,
    "version": run_sql(f"PRAGMA user_version = {SCHEMA + 1}"),
    "no table": run_sql("DROP TABLE games"),
    "a view": run_sql("DROP TABLE games", "CREATE VIEW games AS SELECT 1 AS number"),
    "a column": run_sql("ALTER TABLE seats ADD COLUMN more"),
    "a trigger": run_sql(
        "CREATE TRIGGER no BEFORE INSERT ON games BEGIN SELECT RAISE(ABORT, 'no'); END"
    ),
    "a game less": run_sql("DELETE FROM games WHERE number = 2"),
    "rolls": run_sql("UPDATE games SET rolled = x'00'"),
    "texts for numbers": run_sql("UPDATE progress SET entries = 'x', bytes = 'x'"),
}


@pytest.mark.parametrize("in_memory", [False, True], ids=["table", "command"])
@pytest.mark.parametrize("harm", HARMS.values(), ids=HARMS)
def test_a_lost_or_damaged_index_is_built_again(
    harm: Callable[[Path], None], in_memory: bool, tmp_path: Path, indexed: Indexed
) -> None:
    shutil.copytree(indexed.folder, tmp_path, dirs_exist_ok=True)
    harm(tmp_path / INDEX_FILE)
    again = TableHistory(tmp_path, in_memory=in_memory)
    assert again.index.read_progress().state == "building"
    again.index.catch_up()
    assert dump(again) == indexed.dump
    assert again.list_games() == indexed.games


def test_nothing_of_an_index_is_shown_before_it_is_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long journal is compared in the background, and pages are asked meanwhile."""
    open_history(three_games(), tmp_path).index.close()
    change_a_name(tmp_path / INDEX_FILE)
    monkeypatch.setattr("controller.history.history.NEAR_BYTES", 0)
    again = TableHistory(tmp_path)
    assert again.list_players() == ()
    again.index.catch_up()
    assert {entry.name for entry in again.list_players()} == {"Ada", "Ben"}


@pytest.mark.parametrize("in_memory", [False, True], ids=["table", "command"])
def test_an_index_that_is_in_use_is_left_alone(
    in_memory: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_history(three_games(), tmp_path).index.close()
    path = tmp_path / INDEX_FILE
    before = path.read_bytes()
    monkeypatch.setattr("controller.base.rebuilt_database.BUSY_TIMEOUT_S", 0.01)
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        history = TableHistory(tmp_path, in_memory=in_memory)
        history.index.catch_up()
        assert history.list_games().count == 3
    assert path.read_bytes() == before


def test_an_index_that_is_deleted_while_it_is_used_comes_back(tmp_path: Path) -> None:
    history = open_history(three_games(), tmp_path)
    before = dump(history)
    (tmp_path / INDEX_FILE).unlink()
    history.index.catch_up()
    assert dump(history) == before
    assert (tmp_path / INDEX_FILE).exists()


@pytest.mark.parametrize("harm", ["pages", "rolls"])
def test_an_index_that_breaks_while_it_is_read_comes_back(harm: str, tmp_path: Path) -> None:
    history = open_history(three_games(), tmp_path)
    rolls = history.read_rolls(1)
    HARMS[harm](tmp_path / INDEX_FILE)
    history.read_rolls(1)
    history.index.catch_up()
    assert history.read_rolls(1) == rolls


@pytest.mark.parametrize("kept", [100, 0])
def test_another_journal_leads_to_another_index(kept: int, tmp_path: Path) -> None:
    """After a rollback, or if another journal was put there: `kept` lines are the same."""
    journal = three_games()
    history = open_history(journal, tmp_path)
    other = begin_journal()
    if kept:
        other.entries = journal.entries[:kept]
        other.add("rollback", {"how": "older", "size": 300, "signed": "", "key": ""})
    add_finished(other, ("Zoe", "Yan"))
    other.write(tmp_path)
    history.index.close()
    for again in (TableHistory(tmp_path), history):
        again.index.is_stale = True
        again.index.catch_up()
        names = {entry.name for entry in again.list_players()}
        assert names == ({"Zoe", "Yan", "Ada", "Ben"} if kept else {"Zoe", "Yan"})


def test_a_shorter_journal_is_noticed_while_the_table_runs(tmp_path: Path) -> None:
    journal = three_games()
    history = open_history(journal, tmp_path)
    journal.entries = journal.entries[:20]
    journal.write(tmp_path)
    assert [game.number for game in history.list_games().games] == [1]


@pytest.mark.parametrize("again", [False, True], ids=["first", "indexed before"])
def test_a_changed_byte_is_found_and_nothing_is_counted(again: bool, tmp_path: Path) -> None:
    journal = three_games()
    if again:
        open_history(journal, tmp_path).index.close()
    lines = journal.text().splitlines(keepends=True)
    line = next(n for n, entry in enumerate(journal.entries) if entry.kind == "roll")
    lines[line] = lines[line].replace(b'"face":1', b'"face":2').replace(b'"face":3', b'"face":2')
    (tmp_path / JOURNAL_FILE).write_bytes(b"".join(lines))
    history = TableHistory(tmp_path)
    history.index.catch_up()
    progress = history.index.read_progress()
    assert progress.state == "refused"
    assert f"Line {line + 1} " in progress.problem
    assert history.list_games().count == 0
    assert history.list_players() == ()


def test_a_journal_that_was_rewritten_without_the_key_is_refused(tmp_path: Path) -> None:
    """The chain is right; a checkpoint shows that other entries were signed."""
    played = proven_game(tmp_path)
    rewritten = WrittenJournal()
    for entry in played.journal.entries:
        body = {**entry.body, "software": "other"} if entry.kind == "genesis" else entry.body
        rewritten.add(entry.kind, body, at_ms=entry.at_ms)
    fine = TableHistory(tmp_path)
    fine.index.catch_up()
    assert (fine.index.read_progress().state, fine.list_games().count) == ("ready", 1)
    fine.index.close()
    rewritten.write(tmp_path)
    history = TableHistory(tmp_path)
    history.index.catch_up()
    assert history.index.read_progress().state == "refused"
    assert "checkpoint" in history.index.read_progress().problem
    assert history.list_games().count == 0


def test_a_forged_signature_is_refused(tmp_path: Path) -> None:
    played = proven_game(tmp_path)
    *rest, last = played.journal.entries
    assert last.kind == "checkpoint"
    journal = WrittenJournal()
    journal.entries = rest
    signature = str(last.body["signature"])
    forged = {**last.body, "signature": ("B" if signature[0] == "A" else "A") + signature[1:]}
    journal.add("checkpoint", forged, at_ms=last.at_ms)
    journal.write(tmp_path)
    history = TableHistory(tmp_path)
    history.index.catch_up()
    assert "not signed" in history.index.read_progress().problem


def test_a_later_format_is_refused(tmp_path: Path) -> None:
    journal = WrittenJournal()
    journal.add("genesis", {"format": 99})
    history = open_history(journal, tmp_path)
    assert "format" in history.index.read_progress().problem


def test_a_game_of_a_later_version_is_passed_over(tmp_path: Path) -> None:
    journal = begin_journal()
    add_game(journal, "Ada", "Ben", game="halma")
    add_roll(journal, "Ada", "13446")
    add_finished(journal, ("Ada", "Ben"))
    history = open_history(journal, tmp_path)
    assert [game.number for game in history.list_games().games] == [2]
    assert history.index.read_progress().state == "ready"


def test_a_folder_that_cannot_be_written_has_its_index_in_memory(tmp_path: Path) -> None:
    """A folder in the way of the file does the same to root, for whom everything is writable."""
    (tmp_path / INDEX_FILE).mkdir()
    history = open_history(three_games(), tmp_path)
    assert history.list_games().count == 3


def test_a_copy_for_reading_changes_nothing_in_the_folder(tmp_path: Path) -> None:
    journal = three_games()
    open_history(journal, tmp_path).index.close()
    add_game(journal, "Ada", "Ben")
    journal.write(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    reading = TableHistory(tmp_path, in_memory=True)
    reading.index.catch_up()
    assert reading.list_games().count == 4
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_kill_in_the_middle_leaves_an_index_that_goes_on(tmp_path: Path) -> None:
    """The builder is killed after a commit, as by a pulled plug."""
    journal = begin_journal()
    for seed in range(50):
        add_finished(journal, ("Ada", "Ben"), "black-n-white", seed=seed)
    journal.write(tmp_path)
    script = (
        "import os, sys; from pathlib import Path\n"
        "from controller.history.index.journal_index import HistoryIndex\n"
        "index = HistoryIndex(Path(sys.argv[1]))\n"
        f"stop = lambda: index.commits > 2 and os.kill(os.getpid(), {signal.SIGKILL})\n"
        "index.catch_up(until=stop)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script, tmp_path], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    index = HistoryIndex(tmp_path)
    found = index.read_progress()
    assert 0 < found.games < 50
    index.catch_up()
    assert index.read_progress().games == 50
    index.close()
    again = TableHistory(tmp_path)
    again.index.catch_up()
    (tmp_path / INDEX_FILE).unlink()
    fresh = TableHistory(tmp_path)
    fresh.index.catch_up()
    assert dump(again) == dump(fresh)


def test_an_overlong_line_is_a_break(tmp_path: Path) -> None:
    journal = three_games()
    history = open_history(journal, tmp_path)
    with open(tmp_path / JOURNAL_FILE, "ab") as file:
        file.truncate(os.path.getsize(file.name))
        file.write(b"x" * (1 << 20) + b"xx")
    history.index.catch_up()
    assert history.index.read_progress().state == "refused"


def test_the_clock_of_entries_may_go_back(tmp_path: Path) -> None:
    journal = begin_journal()
    add_game(journal, "Ada", "Ben")
    add_roll(journal, "Ada", "13446")
    add_action(journal, "Ada", "4+10/4", at_ms=journal.entries[-1].at_ms - 86_400_000)
    journal.entries[-1] = replace(journal.entries[-1])
    found = open_history(journal, tmp_path).find_game(1)
    assert found is not None
    assert found.played_ms == 4000
