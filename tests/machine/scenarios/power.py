# SPDX-License-Identifier: MIT
"""
The plug is pulled while people play: what they have seen is there again, and it verifies.

People play once, on a disk that records what it is told; the power is cut afterwards, at points of
that record. Each time the machine's own kernel mounts the disk, and what the table kept there is
verified outside. The last of these machines boots instead, and its table is played on.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.machine.disk import Record
from tests.machine.machine import Machine
from tests.machine.scenarios.play import choose_for_all, start_game
from tests.machine.stage import Scenario, Stage, follow_table, save_booted
from tests.machine.table import read_rolls
from tests.support.child import PROGRAM

_FILMS = ("first", "second", "third")
_FEW = 5


def cut_power_while_playing(stage: Stage) -> str:
    record, shown = _play(stage)
    ends = _draw_ends(stage, record, shown)
    cached = lost = kept = 0
    for number, end in enumerate(ends, 1):
        # What was shown before the cut, though the cut comes at once.
        rolls = [roll for at, roll in shown if at <= end]
        rng = random.Random(stage.rng.random())
        with Machine(stage.build) as machine:
            blocks, forgotten = machine.lose_power(save_booted(stage.build), record[:end], rng)
            found = _boot(stage, machine) if number == len(ends) else _verify_copy(machine)
        assert found[: len(rolls)] == rolls, f"cut at {end}: shown {rolls}, found {found}"
        cached, lost, kept = cached + blocks, lost + forgotten, kept + len(rolls)
    return (
        f"{len(ends)} times, {lost} of {cached} unflushed blocks lost; {kept} shown rolls are kept,"
        f" each journal verifies; the last machine booted and was played on"
    )


def _play(stage: Stage) -> tuple[Record, list[tuple[int, str]]]:
    """Return what the disk was told, and the rolls that were shown, each with its place there."""
    shown: list[tuple[int, str]] = []
    with Machine(stage.build) as machine:
        saved = save_booted(stage.build)
        record = machine.record_disk()
        machine.resume(saved)
        with follow_table(stage.build, machine) as table:
            table.on_roll = lambda roll: shown.append((len(record), roll))
            start_game(table)
            # Each takes an emulated processor half a minute; few cuts need no more than one.
            for film in _FILMS if stage.cuts > _FEW else _FILMS[:1]:
                table.throw(film)
                choose_for_all(table)
            table.expect_no_restart()
    return record, shown


def _draw_ends(stage: Stage, record: Record, shown: Sequence[tuple[int, str]]) -> list[int]:
    """Return where the record ends: by chance, and in one of four just when a roll was shown."""
    return [
        stage.rng.choice(shown)[0] if number % 4 == 1 else stage.rng.randint(1, len(record))
        for number in range(stage.cuts)
    ]


def _boot(stage: Stage, machine: Machine) -> list[str]:
    """Boot and play on; return the rolls that were there at the start."""
    machine.boot()
    with follow_table(stage.build, machine) as table:
        table.verify()
        rolls = table.list_rolls()
        if table.view["phase"] == "lobby":
            start_game(table)
        if table.view["phase"] == "choosing":
            choose_for_all(table)
        table.throw("second" if rolls[-1:] == ["12256"] else "first")
        table.expect_no_restart()
    return rolls


def _verify_copy(machine: Machine) -> list[str]:
    """Verify what is on the disk; return its rolls."""
    with tempfile.TemporaryDirectory(prefix="dicebell-") as folder:
        machine.copy_data(Path(folder))
        verify = [sys.executable, "-m", PROGRAM, "verify", "--json", folder]
        done = subprocess.run(verify, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        assert json.loads(done.stdout)["entries"], done.stdout
        return read_rolls((Path(folder) / "journal.jsonl").read_text(errors="replace"))


SCENARIOS = (
    Scenario("the power is cut while people play", cut_power_while_playing, is_quick=True),
)
