# SPDX-License-Identifier: MIT
"""A short evening in which everything breaks, and the proof that a loss would be noticed."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.journal.hashchain import decode_entry
from controller.journal.signing_key import TableKey
from controller.tournament.server.store.values import StoredLine
from tests.support.chains import compute_root
from tests.support.postgres_cluster import Cluster, require_postgresql
from tests.support.tournament_store import make_lines
from tests.tournament_harness.evening import Evening, EveningSize
from tests.tournament_harness.evidence import check_choices, check_lines
from tests.tournament_harness.faulty_table import FaultyTable
from tests.tournament_harness.servers import Kind

SHORT = EveningSize(tables=6, lines=15, rolls=2, players=3, restarts=1)


@pytest.mark.long
def test_an_evening_with_a_promoted_replica_loses_nothing(tmp_path: Path) -> None:
    require_postgresql()
    assert Evening(Kind.REPLICA, 1, SHORT).play(tmp_path, None) == []


def test_a_server_for_phones_alone_is_lost_without_loss(cluster: Cluster, tmp_path: Path) -> None:
    """Tables send to one server, phones follow and choose at another one, which is killed."""
    evening = Evening(Kind.POSTGRESQL, 1, SHORT, is_apart=True)
    assert evening.play(tmp_path, cluster) == []
    assert {roll for player in evening._players for _, roll, _, _ in player.acknowledged} == {1, 2}


def test_the_evidence_notices_every_loss(tmp_path: Path) -> None:
    key, sent = TableKey.load_or_create(tmp_path), list(make_lines(4))
    table = FaultyTable(key, sent, (), Random(1))
    roots = {key.public_hex: compute_root(sent)}
    stored = [StoredLine(seq + 1, key.public_hex, seq, line) for seq, line in enumerate(sent)]
    assert list(check_lines(stored, roots, [table])) == []
    changed = [*stored[:3], StoredLine(4, key.public_hex, 3, make_lines(4, kind="other")[3])]
    for lines in (stored[:3], changed, [*stored, stored[3]], stored[::-1]):
        assert list(check_lines(lines, roots, [table]))
    assert list(check_lines(stored, {key.public_hex: b""}, [table]))
    table._note(0, 200, {"next": 4})
    assert table.wrong == []
    table._note(4, 200, {"next": 3})
    table._note(4, 409, {"next": 4, "fork": 2})
    table._note(4, 500, {})
    assert len(table.wrong) == 3
    body = {"game": 1, "roll": 1, "player": 7, "do": ["4+10/4"]}
    entries = [decode_entry(line) for line in make_lines(2, kind="choice", **body)]
    made = [(1, 1, 7, ("4+10/4",))]
    assert list(check_choices(entries[:1], made)) == []
    assert list(check_choices(entries, made))
    assert list(check_choices([], made))
    assert list(check_choices(entries[:1], [(1, 1, 7, ("5+10/4",))]))
