# SPDX-License-Identifier: MIT
"""`dicebell desk --database` starts without PostgreSQL, says so, and waits."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

import httpx

from tests.support.desk_process import DeskProcess
from tests.support.postgres_cluster import Cluster, one_database
from tests.support.tournament_store import make_lines

BOX, TYPE = "a" * 64, {"Content-Type": "application/x-ndjson"}


def test_a_desk_starts_without_postgresql(cluster: Cluster, tmp_path: Path) -> None:
    lines, path = make_lines(2), f"/boxes/{BOX}/journal"
    with one_database(cluster, "late") as url:
        cluster.kill()
        with DeskProcess(tmp_path, "--open", "--database", url) as desk:
            try:
                problem = str(desk.wait_until(is_ok=False)["database"])
                answer = httpx.post(f"{desk.url}{path}/0", content=lines[0], headers=TYPE)
            finally:
                cluster.start()
            assert "\n" not in problem
            assert answer.status_code == 503
            desk.wait_until(is_ok=True)
            answer = httpx.post(f"{desk.url}{path}/0", content=b"\n".join(lines), headers=TYPE)
            assert answer.json() == {"next": 2}
            assert desk.end(signal.SIGTERM) == 0
    assert any("Connection refused" in line for line in desk.lines)
