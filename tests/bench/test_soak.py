# SPDX-License-Identifier: MIT
"""A short soak of a real table: everything of the long one, but for the time."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from controller.journal.journal import JOURNAL_FILE
from tests.bench.__main__ import main
from tests.bench.clients.screen import StreamClient
from tests.bench.clients.strangers import Strangers
from tests.bench.table_process import TableProcess
from tests.support.server_process import ProcessGoneError

PATIENCE_S = 60.0


@pytest.mark.long
def test_a_table_lasts_with_company_and_faults() -> None:
    command = [sys.executable, "-m", "tests.bench", "soak", "--json", "--seed", "1"]
    done = subprocess.run(
        [*command, "--minutes", "0.15"], capture_output=True, text=True, timeout=300, check=False
    )
    found = json.loads(done.stdout)
    assert done.returncode == 0, done.stderr
    assert found["rolls in the journal"] == found["rolls on the screen"] > 0
    assert found["phones that came and vanished"] > 0
    assert found["faults of the camera"] > 0
    assert found["answers of /healthz"] > 3


def test_strangers_do_not_make_the_own_screen_wait(tmp_path: Path) -> None:
    with TableProcess(tmp_path, seed=1, has_phones=True) as table:
        assert table.port != table.public_port
        strangers, screen = Strangers(table, phones=3), StreamClient(table.port)
        wanted = {"silent connections", "huge bodies", "streams refused", "slow requests"}
        wanted |= {"joined phones that follow"}
        give_up_s = time.monotonic() + PATIENCE_S
        while not wanted <= strangers.counts.keys() and time.monotonic() < give_up_s:
            assert table.get("/healthz").status == 200
        assert screen.wait(lambda view: bool(view["phase"]), PATIENCE_S) is not None
        strangers.stop()
        screen.close()
    counts = strangers.counts
    assert wanted <= counts.keys()
    assert counts["joined phones that follow"] >= 3
    assert counts["MB of huge bodies sent"] < 10 * counts["huge bodies"]
    assert counts["streams that ended"] == 0


def test_a_table_that_does_not_start_names_its_last_words(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / JOURNAL_FILE).write_text("no entry\n")
    with pytest.raises(ProcessGoneError, match="expected an unbroken journal"):
        TableProcess(tmp_path, seed=1).__enter__()


@pytest.mark.parametrize("minutes", ["0", "-1", "nan", "inf", "long"])
def test_no_time_at_all_is_refused(minutes: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["soak", f"--minutes={minutes}"])
    assert f"expected a number above 0, found '{minutes}'" in capsys.readouterr().err
