# SPDX-License-Identifier: MIT
"""A wall clock that shows what no calendar has stops no program, and every list is shown."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC
from pathlib import Path

import pytest

from controller.base.moments import find_moment, format_moment

PROGRAM = """
import sys, time

def refuse():
    raise OverflowError("timestamp too large to convert to C _PyTime_t")

read, shown = time.clock_gettime, float(sys.argv[2])
time.time = time.time_ns = refuse
time.clock_gettime = lambda clock: shown if clock == time.CLOCK_REALTIME else read(clock)

from controller.cli.main import main
from pathlib import Path
from controller.journal.journal import Journal
from controller.base.logs import Log, set_up_logs
from controller.runtime.monitoring.health import HealthMonitor

set_up_logs()
Log("app").warning("still here")
journal, _ = Journal.open(Path(sys.argv[1]))
journal.create_files()
entry = journal.append("genesis", {"format": 2})
journal.close()
print(entry.at_ms, HealthMonitor().health().clock)
sys.exit(main(["history", sys.argv[1]]))
"""


@pytest.mark.parametrize(
    ("shown_s", "said"),
    [
        (9_262_633_177, "9262633177000 shows the year 2263"),
        (260_000_000_000, "253402214400000 shows the year 9999"),
        (-500_000_000, "0 shows the year 1970"),
        (1_790_000_000, "1790000000000 live"),
    ],
)
def test_a_program_goes_on_whatever_the_clock_shows(
    shown_s: int, said: str, tmp_path: Path
) -> None:
    """Python's own clock raises an error after the year 2262, and libraries ask it."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path), str(shown_s)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert said in done.stdout
    assert "still here" in done.stderr


def test_a_moment_that_no_calendar_has_is_shown_as_it_stands() -> None:
    assert find_moment(10**18) is None
    assert format_moment(10**18, "%Y-%m-%d") == f"{10**18} ms"
    assert format_moment(-(10**17), "%Y", UTC) == f"{-(10**17)} ms"
    assert format_moment(-1000, "%Y-%m-%d %H:%M:%S", UTC) == "1969-12-31 23:59:59"
    assert format_moment(9_262_633_177_000, "%Y", UTC) == "2263"
