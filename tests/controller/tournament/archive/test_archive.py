# SPDX-License-Identifier: MIT
"""An event is archived whole, and each thing that somebody does to its archive is found."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, select

pytest.importorskip("sqlalchemy", reason="make installs it")

from controller.cli.main import main
from controller.games import GAMES
from controller.games.contract import Options
from controller.journal.checkpoint import decode_checkpoint, encode_checkpoint
from controller.journal.hashchain import (
    Body,
    Entry,
    build_next_entry,
    decode_entry,
    encode_entry,
)
from controller.journal.picture_store import compute_digest
from controller.journal.signing_key import TableKey, encode_public_key
from controller.journal.tlog.checkpoint_note import encode_tree_head, parse_tree_head
from controller.journal.tlog.cosignature import compute_cosignature
from controller.journal.tlog.signed_note import encode_note, parse_note
from controller.journal.wordlist import WORDS
from controller.tournament.archive.archive_check import CheckedArchive, check_archive
from controller.tournament.archive.event_source import open_event_source
from controller.tournament.archive.layout import FORKS_FILE
from controller.tournament.entries.entry_base import STYLES
from controller.tournament.entries.event_entries import EventBegun, KeyAccepted, KeyChanged
from controller.tournament.results.result_sheet import format_score
from controller.tournament.server.store.box_queries import (
    StoredCosignature,
    find_box,
    store_cosignature,
    store_picture,
)
from controller.tournament.server.store.database import Database
from controller.tournament.server.store.schema import BOXES, LINES, METADATA
from controller.tournament.server.store.values import BoxState
from controller.tournament.state.next_draw import compute_draw
from controller.tournament.state.state import EventState
from controller.verify.findings import FindingKind
from tests.controller.games.playing import all_options
from tests.controller.tournament.archive.cups import (
    play_announced_cup,
    play_corrected_cup,
    play_cup,
    play_duplicate_cup,
    play_tables_cup,
    play_team_cup,
)
from tests.controller.tournament.event_tables import duplicate_event
from tests.support.full_disk import no_file_larger_than
from tests.support.postgres_cluster import Cluster, one_database
from tests.support.recorded_event import (
    ArchiveFiles,
    Change,
    RecordedEvent,
    RecordedTable,
    chain_again,
    encode_base64,
    record_event,
)
from tests.support.sending_table import wait_for
from tests.support.signed_note import sign_note
from tests.support.tournament_store import send

EVENT = "event/"


@dataclass
class Cup:
    """An event that was played and archived, and the keys of its organiser and its tables."""

    folder: Path
    archive: Path
    key: TableKey
    tables: list[RecordedTable]

    @property
    def files(self) -> ArchiveFiles:
        return ArchiveFiles.read(self.archive)

    def folder_of(self, table: int) -> str:
        return f"tables/{self.tables[table].box}/"


def make_cup(folder: Path, play: Callable[[Path], RecordedEvent]) -> Cup:
    event = play(folder / "cup")
    key = TableKey.load_or_create(folder / "cup")
    return Cup(folder / "cup", archive_event(folder), key, event.tables)


def archive_event(folder: Path) -> Path:
    """Archive the event in the folder `cup`; return the file."""
    out = folder / "cup.zip"
    assert main(["archive", "--data", str(folder / "cup"), "--out", str(out)]) == 0
    return out


@pytest.fixture(scope="module")
def duplicate(tmp_path_factory: pytest.TempPathFactory) -> Cup:
    return make_cup(tmp_path_factory.mktemp("duplicate"), play_duplicate_cup)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Cup:
    return make_cup(tmp_path_factory.mktemp("tables"), play_tables_cup)


def check(files: ArchiveFiles, folder: Path) -> CheckedArchive:
    return check_archive(files.write(folder / "changed.zip"), jobs=1)


def breaks(checked: CheckedArchive) -> set[tuple[str, FindingKind, int]]:
    """Return where each break is, its kind, and its line."""
    journals = [("event", checked.event.findings)]
    journals += [(table.name, table.findings) for table in checked.tables]
    return {
        (name, finding.kind, finding.line)
        for name, findings in journals
        for finding in findings.in_order(is_break=True)
    }


def change_kind(kind: str, **changes: object) -> Change:
    """Return a change of the first entry of a kind."""
    done: list[int] = []

    def change(entry: Entry) -> Body | None:
        if entry.kind != kind or done:
            return entry.body
        done.append(entry.seq)
        return {**entry.body, **changes}  # type: ignore[dict-item]

    return change


def keep_before(seq: int) -> Change:
    return lambda entry: entry.body if entry.seq < seq else None


def remove_kind(kind: str) -> Change:
    return lambda entry: None if entry.kind == kind else entry.body


def line_of(files: ArchiveFiles, folder: str, kind: str) -> int:
    return next(entry.seq for entry in files.entries(folder) if entry.kind == kind) + 1


def test_an_archive_is_the_event_to_the_byte(duplicate: Cup, tmp_path: Path) -> None:
    table, files = duplicate.tables[0], duplicate.files.files
    folder = duplicate.folder_of(0)
    assert files[f"{folder}journal.jsonl"] == table.text()
    assert (
        files[f"{folder}table.pub"]
        == (duplicate.folder.with_name("table 1") / "table.pub").read_bytes()
    )
    again = tmp_path / "again.zip"
    assert main(["archive", "--data", str(duplicate.folder), "--out", str(again)]) == 0
    assert again.read_bytes() == duplicate.archive.read_bytes()
    assert main(["archive", "--data", str(duplicate.folder), "--out", str(again)]) == 2
    assert main(["archive", "--data", str(tmp_path), "--out", str(tmp_path / "no.zip")]) == 2
    assert not (tmp_path / "event.sqlite").exists()


def test_an_archive_from_postgresql_is_the_same(
    duplicate: Cup, cluster: Cluster, tmp_path: Path
) -> None:
    out = tmp_path / "cup.zip"
    with one_database(cluster, "archived") as url:
        copy_event(Database(duplicate.folder), Database(tmp_path, url))
        where = ("--data", str(duplicate.folder), "--database", url)
        assert main(["archive", *where, "--out", str(out)]) == 0
    assert out.read_bytes() == duplicate.archive.read_bytes()


def test_a_line_that_the_database_lost_doubles_no_other(duplicate: Cup, tmp_path: Path) -> None:
    shutil.copytree(duplicate.folder, tmp_path / "cup")
    box = duplicate.tables[0].box
    with Database(tmp_path / "cup").write() as connection:
        lost = LINES.c.box == select(BOXES.c.id).where(BOXES.c.key == box).scalar_subquery()
        connection.execute(delete(LINES).where(lost, LINES.c.seq == 2))
    with open_event_source(tmp_path / "cup") as source:
        [journal] = [each for each in source.list_journals() if each.key == box]
        lines = list(source.iter_lines(journal))
    assert [decode_entry(line).seq for line in lines] == [0, 1, *range(3, journal.lines)]


def copy_event(source: Database, target: Database) -> None:
    target.open()
    with source.read() as old, target.write() as new:
        for table in METADATA.sorted_tables:
            rows = [dict(row) for row in old.execute(select(table)).mappings()]
            new.execute(delete(table))
            if rows:
                new.execute(insert(table), rows)
    source.disconnect()
    target.disconnect()


def test_a_sound_archive_is_fine(
    duplicate: Cup, tables: Cup, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", str(duplicate.archive), "--jobs", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["status"], told["break_count"]) == ("fine", 0)
    assert told["event"]["has_result"] is True
    assert told["event"]["players"] == 2
    assert told["tables"][0]["entries"] == len(duplicate.tables[0].entries)
    key = str(duplicate.folder / "table.pub")
    assert main(["verify", str(tables.archive)]) == 0
    assert "fine: nothing is broken\n" in capsys.readouterr().out
    assert main(["verify", str(tables.archive), "--key", key, "--jobs", "1"]) == 1
    assert "break in the event: the given key signed nothing" in capsys.readouterr().out
    assert main(["verify", key]) == 2
    assert "or an archive of `dicebell archive`, found a file" in capsys.readouterr().err


def list_events() -> Iterator[tuple[str, str, Options]]:
    """Yield every style with every game and its options that the rules of events allow."""
    for style, (key, game) in product(STYLES, GAMES.items()):
        for options in all_options(game):
            if EventState().check(EventBegun(1, "Cup", style, key, options, 1), 0) is None:
                yield style, key, options


@pytest.mark.parametrize(("style", "game", "options"), [*list_events()])
def test_every_style_with_every_game_is_fine(
    tmp_path: Path, style: str, game: str, options: Options
) -> None:
    event = play_cup(tmp_path / "cup", style, game, options)
    checked = check_archive(archive_event(tmp_path), jobs=1)
    assert breaks(checked) == set()
    assert checked.event.state.data.result is not None
    assert len(checked.event.claims) > len(event.state.data.rounds.published)


def test_a_game_that_a_correction_ended_is_fine(tmp_path: Path) -> None:
    event = play_corrected_cup(tmp_path / "cup")
    ended = [each.kind for each in event.tables[0].entries if "result" in each.body]
    assert ended == ["correction"]
    assert breaks(check_archive(archive_event(tmp_path), jobs=1)) == set()


def test_the_archive_of_an_event_of_teams_is_fine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cup = make_cup(tmp_path, play_team_cup)
    assert main(["verify", str(cup.archive), "--jobs", "1"]) == 0
    told = capsys.readouterr().out.splitlines()
    scores = {row.name: row.score for row in check_cup(cup).compute_standings().rows}
    assert [line for line in told if "Winner" in line or "team" in line] == [
        "Winner: Ada",
        "Winner in Juniors: Ada",
        "Winner in Ladies: Cleo",
        f"1. team Club A with {format_score(scores['Ada'], 'points')}: Ada, Cleo, Dora",
        f"2. team Club B with {format_score(scores['Ben'], 'points')}: Ben",
        "section or team set after play began: Dora (Olga)",
    ]
    assert main(["verify", str(cup.archive), "--jobs", "1", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)["event"]
    assert said["sections"] == {
        "Juniors": [[1, "Ada"], [2, "Ben"]],
        "Ladies": [[1, "Cleo"], [2, "Dora"]],
    }
    assert [(team["team"], team["place"]) for team in said["teams"]] == [
        ("Club A", 1),
        ("Club B", 2),
    ]


def check_cup(cup: Cup) -> EventState:
    return check_archive(cup.archive, jobs=1).event.state


@pytest.mark.parametrize("kind", ["section", "team"])
def test_a_group_of_nobody_is_found(tmp_path: Path, kind: str) -> None:
    cup = make_cup(tmp_path, play_team_cup)
    files, line = cup.files, line_of(cup.files, EVENT, kind)
    files.chain_again(EVENT, change_kind(kind, player=9), cup.key)
    found = breaks(check(files, tmp_path))
    assert ("event", FindingKind.REFUSED, line) in found


def test_changed_bytes_are_found_in_their_journal(duplicate: Cup, tmp_path: Path) -> None:
    folder, files = duplicate.folder_of(0), duplicate.files
    for name, journal in ((folder, "Table 1"), (EVENT, "event")):
        files = duplicate.files
        lines = files.files[f"{name}journal.jsonl"].splitlines(keepends=True)
        lines[5] = lines[5].replace(b'"by":"', b'"by":"X', 1)
        if name == EVENT:
            lines[5] = lines[5].replace(b'"name":"', b'"name":"X', 1)
        files.files[f"{name}journal.jsonl"] = b"".join(lines)
        assert (journal, FindingKind.CHANGED, 6) in breaks(check(files, tmp_path))


def test_a_flipped_end_of_the_last_line_is_found(duplicate: Cup, tmp_path: Path) -> None:
    """In the journal of the event as in that of a table."""
    for name, journal in ((duplicate.folder_of(0), "Table 1"), (EVENT, "event")):
        files = duplicate.files
        content = files.files[f"{name}journal.jsonl"]
        files.files[f"{name}journal.jsonl"] = content[:-1] + bytes([content[-1] ^ 1])
        checked = check(files, tmp_path)
        assert (journal, FindingKind.FLIPPED_BIT, content.count(b"\n")) in breaks(checked)
    assert {each.game for each in checked.event.findings.in_order(is_break=True)} == {0}


def test_missing_lines_are_found(duplicate: Cup, tmp_path: Path) -> None:
    folder = duplicate.folder_of(0)
    for name, journal in ((folder, "Table 1"), (EVENT, "event")):
        files = duplicate.files
        note = files.files[f"{name}checkpoint.note"]
        key = duplicate.tables[0].key if name == folder else duplicate.key
        files.chain_again(name, keep_before(len(files.entries(name)) - 1), key)
        files.files[f"{name}checkpoint.note"] = note
        assert (journal, FindingKind.TRUNCATED, 0) in breaks(check(files, tmp_path))
    files = duplicate.files
    lines = files.files[f"{folder}journal.jsonl"].splitlines(keepends=True)
    files.files[f"{folder}journal.jsonl"] = b"".join(lines[:4])
    found = breaks(check(files, tmp_path))
    assert ("Table 1", FindingKind.MISSING, 0) in found
    assert any(each[:2] == ("event", FindingKind.SOURCE) for each in found)


def test_a_missing_journal_is_found(tables: Cup, tmp_path: Path) -> None:
    files, folder = tables.files, tables.folder_of(1)
    files.files = {name: data for name, data in files.files.items() if folder not in name}
    manifest = json.loads(files.files["archive.json"])
    manifest["tables"] = [each for each in manifest["tables"] if each["key"] not in folder]
    files.files["archive.json"] = json.dumps(manifest).encode()
    found = breaks(check(files, tmp_path))
    assert ("event", FindingKind.MISSING, 0) in found
    assert ("event", FindingKind.SOURCE, line_of(files, EVENT, "table_result") + 1) in found


@pytest.mark.parametrize(
    ("kind", "changes", "finding"),
    [
        ("roll_opened", {"faces": "66666"}, FindingKind.SOURCE),
        ("ruling", {"cause": None}, FindingKind.REFUSED),
        ("result", {"places": [[1, 1, 900], [2, 2, 1]]}, FindingKind.STANDINGS),
        ("choice", {"do": ["10+12/6"]}, FindingKind.REFUSED),
        ("costs", {"costs": [[1, 99, 0], [2, 99, 0]]}, FindingKind.REFUSED),
    ],
)
def test_a_rewritten_event_is_found(
    duplicate: Cup, tmp_path: Path, kind: str, changes: dict[str, object], finding: FindingKind
) -> None:
    """The organiser has the key, so chain and signatures of the rewritten journal are in order."""
    files = duplicate.files
    files.chain_again(EVENT, change_kind(kind, **changes), duplicate.key)
    assert ("event", finding, line_of(files, EVENT, kind)) in breaks(check(files, tmp_path))


@pytest.mark.parametrize(
    ("kind", "changes", "told"),
    [
        ("ruling", {"cause": None}, ("null", "It is about ruling.")),
        ("result", {"places": [[2, 1, 900]]}, ("player 2 at place 1 with 900", "")),
    ],
)
def test_a_rewritten_entry_is_explained(
    duplicate: Cup, tmp_path: Path, kind: str, changes: dict[str, object], told: tuple[str, str]
) -> None:
    files = duplicate.files
    files.chain_again(EVENT, change_kind(kind, **changes), duplicate.key)
    findings = check(files, tmp_path).event.findings.in_order(is_break=True)
    assert told in [(finding.found, finding.neighbours) for finding in findings]


@pytest.mark.parametrize(("more", "is_found"), [(1, False), (-5_000, True), (5_000, True)])
def test_false_costs_are_found(duplicate: Cup, tmp_path: Path, more: int, is_found: bool) -> None:
    """The last digits depend on the machine."""
    files = duplicate.files
    said = next(each for each in files.entries(EVENT) if each.kind == "costs").body["costs"]
    assert isinstance(said, list)
    costs = [[player, count, max(0, cost + more)] for player, count, cost in said]
    files.chain_again(EVENT, change_kind("costs", costs=costs), duplicate.key)
    found = breaks(check(files, tmp_path))
    assert (("event", FindingKind.COSTS, line_of(files, EVENT, "costs")) in found) == is_found


def test_costs_by_other_weights_are_noted(duplicate: Cup, tmp_path: Path) -> None:
    files = duplicate.files
    files.chain_again(EVENT, change_kind("costs", weights="ab" * 32), duplicate.key)
    checked = check(files, tmp_path)
    (note,) = checked.event.findings.in_order(is_break=False)
    assert note.kind is FindingKind.COSTS_UNCHECKED
    assert note.expected == "ab" * 32


def test_a_ruling_without_its_cause_is_found(duplicate: Cup, tmp_path: Path) -> None:
    box = duplicate.tables[0].box
    line = line_of(duplicate.files, EVENT, "ruling")
    for seq in (0, 9_000):
        files = duplicate.files
        link = files.entries(duplicate.folder_of(0))[seq].link if not seq else "ab" * 32
        cause = {"box": box, "seq": seq, "link": link}
        files.chain_again(EVENT, change_kind("ruling", cause=cause), duplicate.key)
        assert ("event", FindingKind.CAUSE, line) in breaks(check(files, tmp_path))
    files = duplicate.files

    def drop_cause(entry: Entry) -> Body:
        return {name: value for name, value in entry.body.items() if name != "cause"}

    files.chain_again(EVENT, drop_cause, duplicate.key)
    notes = check(files, tmp_path).event.findings.in_order(is_break=False)
    assert {each.kind for each in notes} == {FindingKind.NO_CAUSE}
    assert line in {each.line for each in notes}


def test_a_rewritten_table_is_found(tables: Cup, tmp_path: Path) -> None:
    """The table's owner has its key."""
    files, table = tables.files, tables.tables[1]
    result: Body = {"totals": {"Player 1": 900}, "winners": ["Player 1"], "losers": []}

    def change(entry: Entry) -> Body:
        return {**entry.body, "result": result} if "result" in entry.body else entry.body

    files.chain_again(tables.folder_of(1), change, table.key)
    found = breaks(check(files, tmp_path))
    end = next(each.seq for each in table.entries if "result" in each.body)
    assert ("Table 2", FindingKind.RESULT, end + 1) in found
    assert any(each[:2] == ("event", FindingKind.SOURCE) for each in found)


def test_results_and_draws_are_those_of_the_tables(tables: Cup, tmp_path: Path) -> None:
    for kind, changes in (("table_result", {"points": [1, 2, 3, 4]}), ("draw", {"faces": "11111"})):
        files = tables.files
        files.chain_again(EVENT, change_kind(kind, **changes), tables.key)
        line = line_of(files, EVENT, kind)
        assert ("event", FindingKind.SOURCE, line) in breaks(check(files, tmp_path))
    files = tables.files
    files.chain_again(EVENT, remove_kind("published"), tables.key)
    line = line_of(files, EVENT, "table_result")
    assert ("event", FindingKind.REFUSED, line) in breaks(check(files, tmp_path))


def test_an_announced_draw_leaves_no_roll_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An organiser who has the key draws from later rolls than the next three."""
    cup = make_cup(tmp_path, play_announced_cup)
    assert main(["verify", str(cup.archive), "--jobs", "1"]) == 0
    said = capsys.readouterr().out
    assert "the rolls that decide were announced at Table 1 before they fell (Olga)\n" in said
    files, (table,) = cup.files, cup.tables
    made = next(each for each in files.entries(EVENT) if each.kind == "draw")
    rolls = [each for each in table.entries if each.kind == "roll"][1:]
    faces = "".join(str(each.body["roll"]) for each in rolls)
    state = EventState()
    state.apply_all(files.entries(EVENT)[: made.seq])
    drawn = compute_draw(state.data, faces)
    sources = [{"box": table.box, "seq": each.seq, "link": each.link} for each in rolls]
    changes = {"faces": faces, "tables": drawn.tables, "sources": sources}
    files.chain_again(EVENT, change_kind("draw", **changes), cup.key)
    assert ("event", FindingKind.SOURCE, made.seq + 1) in breaks(check(files, tmp_path))


def test_a_fork_is_in_the_archive(tmp_path: Path) -> None:
    with record_event(tmp_path / "cup") as event:
        table = event.add_table()
        event.send(table)
        other = replace(table.entries[1], body={"key": "cd" * 32})
        forked = build_next_entry(table.entries[0], at_ms=5, kind="key", body=other.body)
        assert send(event.store, table.box, 1, (encode_entry(forked),)).fork == 1
        # The desk goes on meanwhile.
        out = archive_event(tmp_path)
    assert breaks(check_archive(out, jobs=1)) == {("Table 1", FindingKind.FORK, 2)}


def test_forks_that_are_no_entries_are_damage(duplicate: Cup, tmp_path: Path) -> None:
    files = duplicate.files
    files.files[f"{duplicate.folder_of(0)}{FORKS_FILE}"] = b"{}\nnone\n"
    found = check(files, tmp_path).tables[0].findings.in_order(is_break=True)
    assert [finding.kind for finding in found] == [FindingKind.DAMAGED] * 2


@pytest.mark.parametrize("is_accepted", [True, False])
def test_another_key_of_a_table_must_be_accepted(tmp_path: Path, is_accepted: bool) -> None:
    with record_event(tmp_path / "cup") as event:
        first = event.add_table()
        event.write(duplicate_event())
        event.send(first)
        second = continue_with_new_key(first, tmp_path / "table 2")
        if is_accepted:
            accept_key(event, first, second)
        else:
            event.store.enrol(second.box, "Table 2").result()
        event.send(second)
    out = archive_event(tmp_path)
    found = breaks(check_archive(out, jobs=1))
    assert found == (set() if is_accepted else {("Table 2", FindingKind.KEY, 3)})
    files = ArchiveFiles.read(out)
    files.chain_again(f"tables/{first.box}/", change_key(second.box), first.key)
    assert ("Table 1", FindingKind.KEY, 2) in breaks(check(files, tmp_path))


def continue_with_new_key(table: RecordedTable, folder: Path) -> RecordedTable:
    """Return a table with the same journal that signs with a new key from here on."""
    other = RecordedTable(folder)
    key, other.entries = other.entries[1].body, list(table.entries)
    other.add("key", key)
    return other


def accept_key(event: RecordedEvent, old: RecordedTable, new: RecordedTable) -> None:
    event.write(
        KeyChanged(old.box, new.box), KeyAccepted(old.box, new.box, by="Olga", reason="a new card")
    )
    event.store.write(lambda work: work.admit(new.box, "Table 1", BoxState.ENROLLED)).result()


def change_key(key: str) -> Change:
    return lambda entry: {"key": key} if entry.kind == "key" else entry.body


@dataclass
class Album:
    """The archive of an event with two rolls, and the names of their pictures in it."""

    path: Path
    sent: str
    """The one that the event has."""
    unsent: str

    @property
    def files(self) -> ArchiveFiles:
        return ArchiveFiles.read(self.path)


@pytest.fixture
def album(tmp_path: Path) -> Album:
    with record_event(tmp_path / "cup") as event:
        table = event.add_table()
        digests = [compute_digest(content) for content in (b"jpeg", b"other")]
        for picture in digests:
            table.add("reading", {"lie": [], "doubts": [], "rejected": [], "picture": picture})
            table.add("roll", {"roll": "x", "picture": picture})
        event.send(table)
        box, sent = table.box, digests[0]
        event.store.write(lambda work: store_picture(work.connection, box, sent, b"jpeg")).result()
    names = [f"tables/{box}/pictures/{each[:2]}/{each}.jpg" for each in digests]
    return Album(archive_event(tmp_path), *names)


def find_picture_breaks(path: Path) -> set[tuple[str, FindingKind, int]]:
    found = breaks(check_archive(path, rereads=False, jobs=1))
    about_pictures = {FindingKind.PICTURE_MISSING, FindingKind.PICTURE_CHANGED}
    return {each for each in found if each[1] in about_pictures}


def test_pictures_are_there_by_their_digests(album: Album, tmp_path: Path) -> None:
    bare = tmp_path / "bare.zip"
    data = ["archive", "--data", str(tmp_path / "cup"), "--no-pictures", "--out"]
    assert main([*data, str(bare)]) == 0
    files = album.files
    assert files.files[album.sent] == b"jpeg"
    assert [each for each in files.files if "pictures" in each] == [album.sent]
    assert not any("pictures" in each for each in ArchiveFiles.read(bare).files)
    for path in (album.path, bare):
        assert find_picture_breaks(path) == set()
    files.files[album.sent] = b"jpeg!"
    assert ("Table 1", FindingKind.PICTURE_CHANGED, 4) in find_picture_breaks(
        files.write(album.path)
    )


def test_pictures_are_counted(album: Album, capsys: pytest.CaptureFixture[str]) -> None:
    verify = ["verify", str(album.path), "--no-reread", "--jobs", "1"]
    main(verify)
    assert ": 2 of 4 pictures and clips that it names are in" in capsys.readouterr().out
    files = album.files
    del files.files[album.sent]
    files.write(album.path)
    main(verify)
    assert ": 0 of 4 pictures and clips that it names are in" in capsys.readouterr().out
    main([*verify, "--json"])
    assert json.loads(capsys.readouterr().out)["tables"][0]["pictures"]["missing"] == 4


def test_pictures_are_not_written_to_the_disk(album: Album) -> None:
    """An archive of two megabytes may hold two gigabytes of them."""
    files, limit = album.files, 1 << 16
    files.files[album.unsent] = bytes(8 * limit)
    digest = "ab" * 32
    unnamed = album.sent.partition("/pictures/")[0] + f"/pictures/ab/{digest}.jpg"
    files.files[unnamed] = bytes(8 * limit)
    path = files.write(album.path, zipfile.ZIP_DEFLATED)
    with no_file_larger_than(limit):
        assert find_picture_breaks(path) == {
            ("Table 1", FindingKind.PICTURE_CHANGED, 5),
            ("Table 1", FindingKind.PICTURE_CHANGED, 6),
        }


def test_a_damaged_picture_is_a_break_of_its_entries(album: Album) -> None:
    damage_file(album.path, album.sent)
    assert find_picture_breaks(album.path) == {
        ("Table 1", FindingKind.PICTURE_MISSING, 3),
        ("Table 1", FindingKind.PICTURE_MISSING, 4),
    }


def damage_file(path: Path, name: str) -> None:
    """Change bytes in the middle of a file of an archive."""
    with zipfile.ZipFile(path) as archive:
        entry = archive.getinfo(name)
    content = bytearray(path.read_bytes())
    begin = entry.header_offset + 30 + len(name)
    for at in range(begin + entry.compress_size // 2, begin + entry.compress_size):
        content[at] ^= 0xFF
    path.write_bytes(content)


def test_what_tables_and_event_cosigned_must_fit(tmp_path: Path) -> None:
    with record_event(tmp_path / "cup") as event:
        table = event.add_table()
        key = event.store.key
        table.sign()
        table.add_cosigned(key)
        event.send(table)
        table.sign()
        cosign_event(event, table)
    out = archive_event(tmp_path)
    files = ArchiveFiles.read(out)
    seen = f"tables/{table.box}/event.note"
    assert len(parse_note(files.files[seen]).signatures) == 2
    assert breaks(check(files, tmp_path)) == set()
    # The organiser writes the event again, and the table has seen the first one.
    files.chain_again(EVENT, change_kind("enrolled", by="Olga"), key)
    assert breaks(check(files, tmp_path)) == {("Table 1", FindingKind.REWRITTEN, 0)}
    files = ArchiveFiles.read(out)
    files.chain_again(EVENT, keep_before(2), key)
    assert ("Table 1", FindingKind.TRUNCATED, 0) in breaks(check(files, tmp_path))
    files = ArchiveFiles.read(out)
    files.files[seen] = files.files[f"tables/{table.box}/checkpoint.note"]
    assert breaks(check(files, tmp_path)) == {("Table 1", FindingKind.COSIGNATURE, 0)}
    for changes in ({"size": 1}, {"cosignature": encode_base64(bytes(72))}):
        files = ArchiveFiles.read(out)
        files.chain_again(f"tables/{table.box}/", change_kind("cosigned", **changes), table.key)
        line = line_of(files, f"tables/{table.box}/", "cosigned")
        assert ("Table 1", FindingKind.COSIGNATURE, line) in breaks(check(files, tmp_path))


def test_what_a_table_cosigned_cannot_be_removed(tmp_path: Path) -> None:
    """The organiser has the event's key, and no table's."""
    with record_event(tmp_path / "cup") as event:
        table, key = event.add_table(), event.store.key
        event.write(duplicate_event())
        wait_for(lambda: bool(find_own_note(event)))
        for _ in range(2):
            table.add("witnessed", {"key": key.public_hex, "seen": find_own_note(event)})
        table.sign()
        table.add_cosigned(key)
        event.send(table)
        cosign_event(event, table)
    out = archive_event(tmp_path)
    folder = f"tables/{table.box}/"
    files = ArchiveFiles.read(out)
    assert breaks(check(files, tmp_path)) == set()
    del files.files[f"{folder}event.note"]
    missing = ("Table 1", FindingKind.COSIGNATURE, 0)
    assert breaks(check(files, tmp_path)) == {missing}
    files.chain_again(EVENT, change_kind("event", name="Spring cup"), key)
    line = line_of(files, folder, "witnessed")
    assert breaks(check(files, tmp_path)) == {missing, ("Table 1", FindingKind.REWRITTEN, line)}
    files.chain_again(EVENT, keep_before(2), key)
    assert ("Table 1", FindingKind.TRUNCATED, line) in breaks(check(files, tmp_path))
    files = ArchiveFiles.read(out)
    false = encode_note(parse_note(files.files[f"{folder}event.note"])).replace("—", "— x", 1)
    files.chain_again(folder, change_kind("witnessed", seen=false), table.key)
    assert ("Table 1", FindingKind.COSIGNATURE, line) in breaks(check(files, tmp_path))


@pytest.mark.parametrize("has_seen", [True, False])
def test_a_power_cut_before_cosigning_is_no_break(tmp_path: Path, *, has_seen: bool) -> None:
    """The event cosigns what a table signed, whether or not the table cosigned the event."""
    with record_event(tmp_path / "cup") as event:
        table, key = event.add_table(), event.store.key
        event.write(duplicate_event())
        wait_for(lambda: bool(find_own_note(event)))
        if has_seen:
            table.add("witnessed", {"key": key.public_hex, "seen": find_own_note(event)})
        table.sign()
        table.add_cosigned(key)
        event.send(table)
    checked = check_archive(archive_event(tmp_path), jobs=1)
    assert breaks(checked) == set()
    notes = checked.tables[0].findings.in_order(is_break=False)
    (said,) = (each.what for each in notes if each.kind is FindingKind.NO_WITNESS)
    assert said.endswith("no cosignature of it has arrived") is has_seen


def test_a_new_key_has_cosigned_nothing_yet(tmp_path: Path) -> None:
    """What the key before cosigned is in the folder of that key."""
    with record_event(tmp_path / "cup") as event:
        first, key = event.add_table(), event.store.key
        event.write(duplicate_event())
        wait_for(lambda: bool(find_own_note(event)))
        first.add("witnessed", {"key": key.public_hex, "seen": find_own_note(event)})
        first.sign()
        first.add_cosigned(key)
        event.send(first)
        cosign_event(event, first)
        second = continue_with_new_key(first, tmp_path / "table 2")
        accept_key(event, first, second)
        event.send(second)
    checked = check_archive(archive_event(tmp_path), jobs=1)
    assert breaks(checked) == set()
    notes = [each for table in checked.tables for each in table.findings.in_order(is_break=False)]
    (said,) = (each.what for each in notes if each.kind is FindingKind.NO_WITNESS)
    assert "has cosigned nothing of the event" in said


def test_two_pasts_that_a_table_saw_are_a_fork(tmp_path: Path) -> None:
    with record_event(tmp_path / "cup") as event:
        table, key = event.add_table(), event.store.key
        seen, shown = (
            encode_note(sign_note(key, 7, root)) for root in (bytes(32), bytes(range(32)))
        )
        table.add("contradicted", {"key": key.public_hex, "seen": seen, "shown": shown})
        # One that the event did not sign is no evidence.
        table.add("contradicted", {"key": key.public_hex, "seen": seen, "shown": seen[:-9]})
        event.send(table)
    out = archive_event(tmp_path)
    assert breaks(check_archive(out, jobs=1)) == {("Table 1", FindingKind.FORK, 3)}


def test_the_event_is_that_of_its_key(duplicate: Cup, tmp_path: Path) -> None:
    files = duplicate.files
    (tmp_path / "other").mkdir()
    other = TableKey.load_or_create(tmp_path / "other")
    note = files.files["event/checkpoint.note"]
    files.chain_again(EVENT, change_key(other.public_hex), other)
    assert ("event", FindingKind.KEY, 0) in breaks(check(files, tmp_path))
    files.files["event/checkpoint.note"] = note.replace(b"dicebell/", b"dicebell/0")
    assert ("event", FindingKind.SIGNATURE, 0) in breaks(check(files, tmp_path))
    table = f"{duplicate.folder_of(0)}table.pub"
    for name, journal in (("event/table.pub", "event"), (table, "Table 1")):
        for content in (encode_public_key(other.public), b"no key", None):
            files = duplicate.files
            del files.files[name]
            if content is not None:
                files.files[name] = content
            assert breaks(check(files, tmp_path)) == {(journal, FindingKind.KEY, 0)}


def test_odd_kinds_beginnings_and_keys_are_named(duplicate: Cup, tmp_path: Path) -> None:
    files, folder = duplicate.files, duplicate.folder_of(0)
    files.files[f"{folder}table.pub"] = files.files["event/table.pub"]
    entries = files.entries(EVENT)
    entries[-2] = replace(entries[-2], kind="later")
    lines = chain_again(entries, lambda entry: entry.body, duplicate.key)
    files.files["event/journal.jsonl"] = b"".join(line + b"\n" for line in lines)
    checked = check(files, tmp_path)
    assert ("Table 1", FindingKind.KEY, 0) in breaks(checked)
    notes = checked.event.findings.in_order(is_break=False)
    assert (FindingKind.UNKNOWN_KIND, len(entries) - 1) in {
        (each.kind, each.line) for each in notes
    }
    files.chain_again(EVENT, remove_kind("genesis"), duplicate.key)
    assert ("event", FindingKind.MISSING, 1) in breaks(check(files, tmp_path))


def test_kept_codes_are_of_the_journal_that_signed(duplicate: Cup, tmp_path: Path) -> None:
    table = duplicate.tables[0]
    entry = next(each for each in table.entries if each.kind == "checkpoint")
    kept, _ = decode_checkpoint(entry.body, at_ms=entry.at_ms)
    verify = ["verify", str(duplicate.archive), "--jobs", "1", "--checkpoint"]
    assert main([*verify, encode_checkpoint(kept)]) == 0
    notes = duplicate.files.files
    for name in (f"{duplicate.folder_of(0)}checkpoint.note", "event/checkpoint.note"):
        assert main([*verify, notes[name].decode()]) == 0
    assert main([*verify, encode_checkpoint(replace(kept, size=kept.size + 1))]) == 2
    assert main([*verify, " ".join(("3", *WORDS[:6]))]) == 2
    files = duplicate.files
    files.chain_again(duplicate.folder_of(0), change_kind("roll", by_hand="Mallory"), table.key)
    checked = check_archive(files.write(tmp_path / "changed.zip"), kept=[kept], jobs=1)
    assert ("Table 1", FindingKind.REWRITTEN, 0) in breaks(checked)


def cosign_event(event: RecordedEvent, table: RecordedTable) -> None:
    """Let a table cosign the event's checkpoint once there is one."""
    wait_for(lambda: bool(find_own_note(event)))
    head = parse_tree_head(parse_note(find_own_note(event).encode()))
    text = encode_tree_head(event.store.key.public, head.size, head.root)
    made = compute_cosignature(text, table.key, 6)
    stored = StoredCosignature(table.box, head.size, head.root, made)
    event.store.write(lambda work: store_cosignature(work.connection, stored)).result()


def find_own_note(event: RecordedEvent) -> str:
    own = event.store.read(lambda connection: find_box(connection, event.store.own_key))
    return own.note if own else ""


@pytest.mark.parametrize(
    "packing", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA]
)
def test_damage_in_any_compression_is_named(
    duplicate: Cup, tmp_path: Path, capsys: pytest.CaptureFixture[str], packing: int
) -> None:
    path = duplicate.files.write(tmp_path / "damaged.zip", packing)
    assert main(["verify", str(path), "--jobs", "1"]) == 0
    table = f"{duplicate.folder_of(0)}journal.jsonl"
    damage_file(path, table)
    capsys.readouterr()
    assert main(["verify", str(path), "--jobs", "1"]) == 1
    assert "break in Table 1" in (told := capsys.readouterr().out)
    assert f"this journal cannot be checked; found {path}, {table}: expected" in told
    assert main(["season", str(path)]) == 2
    assert capsys.readouterr().err.startswith(f"dicebell season: {path}, {table}: expected")
    for name in ("event/journal.jsonl", "archive.json"):
        damage_file(duplicate.files.write(path, packing), name)
        for command in ("verify", "season"):
            assert main([command, str(path)]) == 2
            (line,) = capsys.readouterr().err.splitlines()
            assert line.startswith(f"dicebell {command}: {path}, {name}: expected")


def test_foreign_files_are_refused(
    duplicate: Cup, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("../evil", "tables/x", "event/table.key", f"tables/{'0' * 64}/table.pub"):
        files = duplicate.files
        files.files[name] = b"x"
        path = files.write(tmp_path / "foreign.zip")
        assert main(["verify", str(path), "--jobs", "1"]) == 2
        assert name in capsys.readouterr().err
    files = duplicate.files
    files.files["archive.json"] = b'{"dicebell_archive": 2}'
    assert main(["verify", str(files.write(tmp_path / "later.zip"))]) == 2
    assert "expected an archive in format 1, found format 2" in capsys.readouterr().err
