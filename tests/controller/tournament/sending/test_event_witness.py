# SPDX-License-Identifier: MIT
"""A table cosigns the event's own journal as long as that only grows, and says when it does not."""

from __future__ import annotations

import base64
import contextlib
import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.appliance.doctor.checks.network import check_tournament
from controller.appliance.doctor.finding import Level
from controller.base.errors import InputError
from controller.cli.main import main
from controller.journal.signing_key import PRIVATE_FILE, TableKey
from controller.journal.tlog.checkpoint_note import build_note, derive_origin, encode_tree_head
from controller.journal.tlog.cosignature import compute_cosignature, verify_cosignature
from controller.journal.tlog.signed_note import encode_note
from controller.tournament.archive.archive_check import check_archive
from controller.tournament.sending import journal_sender
from controller.tournament.sending.event_witness import EventWitness
from controller.tournament.sending.uplink import UplinkState
from controller.tournament.server.store import store as store_module
from controller.tournament.server.store.box_queries import (
    StoredCosignature,
    find_box,
    list_cosignatures,
)
from controller.tournament.server.wire.http_signature import sign_request
from controller.tournament.server.wire.wire_request import RateError, WireRequest
from controller.verify.findings import FindingKind
from tests.controller.tournament.sending.test_uplink import context_of, join, lines_at
from tests.support.recorded_event import ArchiveFiles
from tests.support.sending_table import SendingTable, wait_for
from tests.support.tournament_client import ServedEvent, serve_event
from tests.support.tournament_store import open_store


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SendingTable]:
    monkeypatch.setattr(journal_sender, "ASK_AGAIN_S", 0.05)
    monkeypatch.setattr(journal_sender, "COSIGN_AGAIN_S", 0.05)
    monkeypatch.setattr(store_module, "IDLE_S", 0.05)
    made = SendingTable(tmp_path / "table")
    with contextlib.closing(made):
        yield made


def cosignatures(event: ServedEvent) -> dict[str, StoredCosignature]:
    return {each.box: each for each in event.store.read(list_cosignatures)}


def has_cosigned(event: ServedEvent, table: SendingTable, least: int) -> bool:
    made = cosignatures(event).get(table.key.public_hex)
    return made is not None and made.size >= least


def state_of(table: SendingTable) -> UplinkState:
    return table.uplink.status().state


def test_a_table_cosigns_what_it_has_seen_grow(table: SendingTable, tmp_path: Path) -> None:
    (tmp_path / "event").mkdir()
    with serve_event(tmp_path / "event") as event:
        join(table, event)
        wait_for(lambda: has_cosigned(event, table, 1))
        before = cosignatures(event)[table.key.public_hex]
        for number in range(20):
            event.store.enrol(f"{number:064x}", f"Other {number}").result()
        wait_for(lambda: has_cosigned(event, table, before.size + 20))
        made = cosignatures(event)[table.key.public_hex]
        text = encode_tree_head(event.store.key.public, made.size, made.root)
        at_s = verify_cosignature(text, made.cosignature, table.key.public)
        assert at_s is not None
        assert abs(at_s - time.time()) < 120
        own = event.store.read(lambda connection: find_box(connection, event.store.own_key))
        assert own is not None
        assert own.note.startswith(text)
        assert derive_origin(event.store.key.public) in text
        wait_for(lambda: state_of(table) is UplinkState.LIVE)


def test_a_refused_cosignature_is_sent_again(
    table: SendingTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it an archive would lack what the journal says that the table cosigned."""
    (tmp_path / "event").mkdir()
    with serve_event(tmp_path / "event") as event:
        refused: list[WireRequest] = []

        def receive(asked: WireRequest) -> None:
            if not refused:
                refused.append(asked)
                raise RateError(expected="fewer requests at once", found="too many; try again")
            take(asked)

        take = event.receiver.receive_cosignature
        monkeypatch.setattr(event.receiver, "receive_cosignature", receive)
        join(table, event)
        wait_for(lambda: has_cosigned(event, table, 1))
        assert refused


def test_no_other_checkpoint_is_witnessed_while_one_is_owed(
    table: SendingTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two `witnessed` without a cosignature would look like an archive that lacks one."""
    (tmp_path / "event").mkdir()
    with serve_event(tmp_path / "event") as event:
        refused: list[int] = []
        is_away = True

        def receive(asked: WireRequest) -> None:
            if is_away:
                refused.append(json.loads(asked.content)["size"])
                raise RateError(expected="fewer requests at once", found="too many; try again")
            take(asked)

        def has_grown() -> bool:
            newest = event.receiver.event_log.find_newest(fresh_s=0.0)
            return newest is not None and newest.head.size > refused[0]

        take = event.receiver.receive_cosignature
        monkeypatch.setattr(event.receiver, "receive_cosignature", receive)
        join(table, event)
        wait_for(lambda: refused)
        event.store.enrol("0" * 64, "Another").result()
        wait_for(has_grown)
        count = len(refused)
        # The answers before it may be those of a second ago.
        wait_for(lambda: len(refused) > count + 40)
        table.write_later_entries()
        assert table.kinds.count("witnessed") == 1
        assert len(set(refused)) == 1
        is_away = False
        wait_for(lambda: has_cosigned(event, table, refused[0] + 1))


def test_an_archived_event_cannot_be_rewritten(table: SendingTable, tmp_path: Path) -> None:
    """What the table saw is in its own journal, and the organiser has not its key."""
    files, key = archive_witnessed(table, tmp_path, 2)
    out, box = tmp_path / "cup.zip", table.key.public_hex
    files.chain_again("event/", lambda entry: {**entry.body, "name": "Another"}, key)
    del files.files[f"tables/{box}/event.note"]
    checked, _ = check_archive(files.write(out), jobs=1).tables
    breaks = checked.findings.in_order(is_break=True)
    assert {each.kind for each in breaks} == {FindingKind.REWRITTEN, FindingKind.COSIGNATURE}
    assert [each.line for each in breaks if each.line] == [table.kinds.index("witnessed") + 1]


def test_a_table_may_end_before_it_has_cosigned(table: SendingTable, tmp_path: Path) -> None:
    """Its last words are that it saw the event; its cosignature would have come next."""
    files, _ = archive_witnessed(table, tmp_path, 1)
    del files.files[f"tables/{table.key.public_hex}/event.note"]
    (checked,) = check_archive(files.write(tmp_path / "cup.zip"), jobs=1).tables
    assert not checked.findings.in_order(is_break=True)
    said = [each.what for each in checked.findings.in_order(is_break=False)]
    assert any(what.endswith("no cosignature of it has arrived") for what in said)


def archive_witnessed(
    table: SendingTable, folder: Path, times: int
) -> tuple[ArchiveFiles, TableKey]:
    """Return the archive of an event whose checkpoints a table saw, and the event's key."""
    data, out = folder / "event", folder / "cup.zip"
    data.mkdir()
    with serve_event(data) as event:
        join(table, event)

        def has_arrived() -> bool:
            table.write_later_entries()
            return table.kinds.count("witnessed") == seen and lines_at(event, table) == table.lines

        for seen in range(1, times + 1):
            wait_for(has_arrived)
            wait_for(lambda: has_cosigned(event, table, 1))
            if seen < times:
                event.store.enrol(f"{seen:064x}", f"Other {seen}").result()
        key = event.store.key
    assert main(["archive", "--data", str(data), "--out", str(out)]) == 0
    assert main(["verify", str(out), "--jobs", "1"]) == 0
    return ArchiveFiles.read(out), key


def test_a_rewritten_event_is_told_at_the_table(table: SendingTable, tmp_path: Path) -> None:
    for name in ("event", "other"):
        (tmp_path / name).mkdir()
    with serve_event(tmp_path / "event") as event:
        join(table, event)
        wait_for(lambda: has_cosigned(event, table, 1))
        port = event.client.base_url.port
    shutil.copy(tmp_path / "event" / PRIVATE_FILE, tmp_path / "other")
    # It is longer before the table asks, so it can only be one that was rewritten.
    with open_store(tmp_path / "other") as written:
        for number in range(9):
            written.enrol(f"{number:064x}", f"Other {number}").result()
        written.enrol(table.key.public_hex, "Table 1").result()
    with serve_event(tmp_path / "other", port=port) as other:
        wait_for(lambda: state_of(table) is UplinkState.CONTRADICTED)
        assert "The desk rewrote its own journal" in table.uplink.status().reason
        assert cosignatures(other) == {}
        # Play goes on: the entries still arrive, with the evidence among them.
        table.write("pause", {})
        table.write_later_entries()
        wait_for(lambda: lines_at(other, table) == table.lines)
        assert table.kinds.count("contradicted") == 1
        findings = list(check_tournament(context_of(table)))
        assert [each.level for each in findings] == [Level.WRONG, Level.OK]
        # The table still knows it after a restart.
        table.close()
        again = SendingTable(table.folder)
        with contextlib.closing(again):
            wait_for(lambda: state_of(again) is UplinkState.CONTRADICTED)
            again.write("pause", {})
            wait_for(lambda: lines_at(other, again) == again.lines)
            assert again.kinds.count("contradicted") == 1
            again.uplink.leave()
            join(again, other)
            wait_for(lambda: has_cosigned(other, again, 1))
            wait_for(lambda: state_of(again) is UplinkState.LIVE)


def test_a_checkpoint_that_fills_the_journal_is_refused(tmp_path: Path) -> None:
    key = TableKey.load_or_create(tmp_path)
    text = encode_tree_head(key.public, 7, bytes(32)) + "more\n" * 1000
    note = build_note(key.public, 7, bytes(32), key.sign(text.encode()))
    written: list[str] = []
    witness = EventWitness(tmp_path, key, key.public_hex, lambda kind, body: written.append(kind))
    with pytest.raises(InputError, match="a checkpoint of 4000 bytes at most"):
        witness.judge({"checkpoint": encode_note(replace(note, text=text))})
    assert (written, witness.seen) == ([], None)


def test_only_the_tables_own_cosignature_is_stored(tmp_path: Path) -> None:
    (tmp_path / "event").mkdir()
    (tmp_path / "key").mkdir()
    key = TableKey.load_or_create(tmp_path / "key")
    box = key.public_hex
    with serve_event(tmp_path / "event") as event:
        assert post_cosignature(event, key, {}).status_code == 403
        event.store.enrol(box, "Table 1").result()
        wait_for(lambda: event.client.get(f"/boxes/{box}").json()["event"] is not None)
        told = event.client.get(f"/boxes/{box}").json()["event"]
        proof = event.client.get(f"/boxes/{box}/event/0").json()
        assert proof["hashes"] == []
        assert proof["checkpoint"].split("\n")[1] == str(told["size"])
        assert event.client.get(f"/boxes/{box}/event/x").status_code == 400
        text, root = "\n".join(proof["checkpoint"].split("\n")[:3]) + "\n", told["root"]
        right = compute_cosignature(text, key, 5)
        own = compute_cosignature(text, event.store.key, 5)
        size = told["size"]
        for body in (
            {},
            cosigned(size, root, own),
            cosigned(size + 1, root, right),
            cosigned(size, "00" * 32, right),
            cosigned(0, root, right),
        ):
            assert post_cosignature(event, key, body).status_code == 400
        assert event.client.post(f"/boxes/{box}/event", content=b"{}").status_code == 401
        assert cosignatures(event) == {}
        assert post_cosignature(event, key, cosigned(size, root, right)).status_code == 200
        made = StoredCosignature(box, size, bytes.fromhex(root), right)
        assert cosignatures(event) == {box: made}


def cosigned(size: int, root: str, cosignature: bytes) -> dict[str, object]:
    return {
        "size": size,
        "root": base64.b64encode(bytes.fromhex(root)).decode(),
        "cosignature": base64.b64encode(cosignature).decode(),
    }


def post_cosignature(event: ServedEvent, key: TableKey, body: object) -> httpx.Response:
    path, content = f"/boxes/{key.public_hex}/event", json.dumps(body).encode()
    signed = sign_request(key, "POST", path, content, int(time.time()))
    return event.client.post(path, content=content, headers=signed)
