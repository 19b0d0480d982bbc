# SPDX-License-Identifier: MIT
"""What stands in a journal beside the games: by what they were read, and who signs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.base.version import program_version
from controller.journal.continuity.restore_marker import RESTORED, save_marker
from controller.journal.hashchain import Entry
from controller.journal.journal import FORMATS, JOURNAL_FILE, Journal, read_journal
from controller.journal.picture_store import PictureStore, compute_digest
from controller.journal.signing_key import PRIVATE_FILE, TableKey
from controller.journal.writer import TableInfo
from controller.table.events import GameClosed, GameStarted, PauseRequested
from tests.support.begun_game import open_table
from tests.support.chains import compute_root
from tests.support.full_disk import no_file_larger_than
from vision.table_model.model_text import StoredModel

MAP, OTHER_MAP = '{"focal_px": 812.25}', '{"focal_px": 813.5}'


def start(folder: Path, setup: TableInfo | None = None) -> None:
    """Let a table start and end."""
    runtime = open_table(folder, setup)
    runtime.begin()
    runtime.close()


def entries_of(folder: Path) -> Sequence[Entry]:
    return read_journal(folder).entries


def kinds_in(folder: Path) -> list[str]:
    return [entry.kind for entry in entries_of(folder)]


def test_a_restored_backup_is_journalled_once(tmp_path: Path) -> None:
    start(tmp_path)
    save_marker(tmp_path, made_at="2026-05-01", software="1.0")
    start(tmp_path)
    start(tmp_path)
    (restored,) = (entry for entry in entries_of(tmp_path) if entry.kind == RESTORED)
    assert restored.body == {"made_at": "2026-05-01", "software": "1.0"}


def test_a_new_journal_begins_with_what_rereading_needs(tmp_path: Path) -> None:
    start(tmp_path, TableInfo("[camera]\nfps = 20\n", "usb 0", lambda: MAP))
    genesis, key = entries_of(tmp_path)
    assert genesis.kind == "genesis"
    assert genesis.body == {
        "format": FORMATS[-1],
        "software": program_version(),
        "settings": hashlib.sha256(b"[camera]\nfps = 20\n").hexdigest(),
        "camera": "usb 0",
        "calibration": MAP,
        "torn": "",
    }
    assert (key.kind, key.body) == ("key", {"key": TableKey.load_or_create(tmp_path).public_hex})


def test_a_restart_says_the_same_and_no_key_that_is_known(tmp_path: Path) -> None:
    start(tmp_path)
    start(tmp_path, TableInfo(camera="usb 1"))
    assert kinds_in(tmp_path) == ["genesis", "key", "restart"]
    first, _, again = entries_of(tmp_path)
    assert {*again.body} == {*first.body} - {"format"}
    assert (again.body["camera"], again.body["settings"], again.body["calibration"]) == (
        "usb 1",
        "",
        None,
    )


@pytest.mark.parametrize("is_replaced", [True, False])
def test_a_key_that_was_replaced_or_lost_shows_in_the_journal(
    tmp_path: Path, is_replaced: bool
) -> None:
    start(tmp_path)
    first = TableKey.load_or_create(tmp_path).public_hex
    (tmp_path / PRIVATE_FILE).unlink()
    if is_replaced:
        other = tmp_path / "other"
        other.mkdir()
        TableKey.load_or_create(other)
        (other / PRIVATE_FILE).rename(tmp_path / PRIVATE_FILE)
    for _ in range(2):
        start(tmp_path)
    assert kinds_in(tmp_path) == ["genesis", "key", "restart", "key", "restart"]
    keys = [entry.body["key"] for entry in entries_of(tmp_path) if entry.kind == "key"]
    assert keys == [first, TableKey.load_or_create(tmp_path).public_hex]
    assert keys[0] != keys[1]


def test_a_key_that_came_back_is_told_again(tmp_path: Path) -> None:
    start(tmp_path)
    kept = (tmp_path / PRIVATE_FILE).read_bytes()
    (tmp_path / PRIVATE_FILE).unlink()
    start(tmp_path)
    (tmp_path / PRIVATE_FILE).write_bytes(kept)
    start(tmp_path)
    one, two, three = (e.body["key"] for e in entries_of(tmp_path) if e.kind == "key")
    assert one == three != two


def test_a_broken_key_file_is_refused_and_the_folder_released(tmp_path: Path) -> None:
    (tmp_path / PRIVATE_FILE).write_text("no key")
    with pytest.raises(InputError, match=r"table\.key: expected the table's private key"):
        open_table(tmp_path)
    (tmp_path / PRIVATE_FILE).unlink()
    open_table(tmp_path).close()


@dataclass(frozen=True)
class Learnt(StoredModel):
    """What a table learnt, with the picture of its ground."""

    picture: bytes = b"ground"

    @cached_property
    def background(self) -> str:
        return compute_digest(self.picture) if self.picture else ""


def test_what_the_table_learnt_is_written_at_each_change(tmp_path: Path) -> None:
    """The picture of its ground is on the disk before the entry that names it."""
    current: list[Learnt | None] = [None]
    setup = TableInfo(table_model=lambda: current[0])
    runtime = open_table(tmp_path, setup)
    runtime.begin()
    current[0] = first = Learnt("first")
    for event in (GameStarted("choice", ("Ada",)), PauseRequested()):
        runtime.loop.handle(event)
    runtime.close()
    start(tmp_path, setup)
    for changed in (Learnt("second"), Learnt("third", b"other"), Learnt("fourth", b""), None, None):
        current[0] = changed
        start(tmp_path, setup)
    told = [e for e in entries_of(tmp_path) if e.kind in ("background", "table_model", "game")]
    other = compute_digest(b"other")
    assert [(entry.kind, *entry.body.values()) for entry in told if entry.kind != "game"] == [
        ("background", first.background),
        ("table_model", "first"),
        ("table_model", "second"),
        ("background", other),
        ("table_model", "third"),
        ("table_model", "fourth"),
        ("table_model", None),
    ]
    assert [entry.kind for entry in told].index("game") == 2
    pictures = PictureStore(tmp_path)
    assert (pictures.read(first.background), pictures.read(other)) == (b"ground", b"other")


def test_another_map_is_written_once_before_its_first_reading(tmp_path: Path) -> None:
    current = [MAP]
    runtime = open_table(tmp_path, TableInfo(calibration=lambda: current[0]))
    runtime.begin()
    runtime.loop.handle(GameStarted("choice", ("Ada",)))
    current[0] = OTHER_MAP
    runtime.loop.handle(PauseRequested())
    runtime.loop.handle(GameClosed())
    runtime.close()
    kinds = ["genesis", "key", "game", "calibration", "pause", "closed", "checkpoint"]
    assert kinds_in(tmp_path) == kinds
    told = entries_of(tmp_path)[3].body["calibration"]
    assert json.loads(str(told)) == {"focal_px": 813.5}


def test_a_checkpoint_outlives_the_table_that_made_it(tmp_path: Path) -> None:
    runtime = open_table(tmp_path)
    runtime.begin()
    runtime.loop.handle(GameStarted("choice", ("Ada",)))
    assert runtime.loop.snapshot()["checkpoint"] is None
    runtime.loop.handle(GameClosed())
    shown = runtime.loop.snapshot()["checkpoint"]
    runtime.loop.handle(GameStarted("choice", ("Ada",)))
    runtime.close()
    again = open_table(tmp_path)
    assert again.loop.snapshot()["checkpoint"] == shown
    again.close()
    assert shown is not None
    entry = entries_of(tmp_path)[shown["size"]]
    assert entry.kind == "checkpoint"
    assert shown["text"].startswith(f"dicebell1:{entry.seq}:{entry.at_ms}:")


def test_the_next_checkpoint_covers_one_lost_to_a_pulled_plug(tmp_path: Path) -> None:
    runtime = open_table(tmp_path)
    runtime.begin()
    for _ in range(2):
        runtime.loop.handle(GameStarted("choice", ("Ada",)))
        runtime.loop.handle(GameClosed())
    runtime.close()
    path = tmp_path / JOURNAL_FILE
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-1]) + lines[-1][:50])
    assert kinds_in(tmp_path)[-1] == "closed"
    first = next(entry for entry in entries_of(tmp_path) if entry.kind == "checkpoint")
    again = open_table(tmp_path)
    shown = again.loop.snapshot()["checkpoint"]
    assert shown is not None
    assert shown["size"] == first.seq
    again.begin()
    again.loop.handle(GameStarted("choice", ("Ada",)))
    again.loop.handle(GameClosed())
    again.close()
    newest = entries_of(tmp_path)[-1]
    assert newest.body["root"] == compute_root(path.read_bytes().splitlines()[:-1]).hex()


def test_a_checkpoint_without_room_is_written_later(tmp_path: Path) -> None:
    runtime = open_table(tmp_path)
    runtime.begin()
    runtime.loop.handle(GameStarted("choice", ("Ada",)))
    size = (tmp_path / JOURNAL_FILE).stat().st_size
    with no_file_larger_than(size + 300):
        runtime.loop.handle(GameClosed())
        assert runtime.loop.snapshot()["phase"] == "fault"
        runtime.loop.retry_disk()
        assert runtime.loop.snapshot()["phase"] == "fault"
        assert (tmp_path / JOURNAL_FILE).read_bytes().endswith(b"\n")
        assert kinds_in(tmp_path) == ["genesis", "key", "game", "closed"]
    runtime.loop.retry_disk()
    assert runtime.loop.snapshot()["phase"] == "lobby"
    runtime.close()
    assert kinds_in(tmp_path)[3:] == ["closed", "checkpoint", "back"]


def test_a_malformed_checkpoint_is_refused_like_any_such_entry(tmp_path: Path) -> None:
    journal, _ = Journal.open(tmp_path)
    journal.append("checkpoint", {"size": 0})
    journal.close()
    with pytest.raises(InputError, match="expected root as 64 hexadecimal digits, found None"):
        open_table(tmp_path)
    Journal.open(tmp_path)[0].close()


def test_a_journal_of_format_1_gets_a_key_and_checkpoints(tmp_path: Path) -> None:
    journal, _ = Journal.open(tmp_path)
    journal.append("genesis", {"format": 1, "software": "dicebell 0.1.0", "torn": ""})
    journal.append("game", {"game": "choice", "players": ["Ada"], "options": {}})
    journal.close()
    runtime = open_table(tmp_path)
    runtime.begin()
    runtime.loop.handle(GameClosed())
    runtime.close()
    assert kinds_in(tmp_path)[2:] == ["restart", "key", "closed", "checkpoint"]
