# SPDX-License-Identifier: MIT
"""
Hours of play as fast as a machine can, and the table's memory meanwhile.

A soak in real time sees few rolls. Here the table plays by itself, with its camera, its readings
and its journal, while a page and phones follow it; so what grows with each roll or each view is
seen. People take about 20 seconds for a roll, so an hour of play is 180 rolls.
"""

from __future__ import annotations

import http.client
import re
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from controller.bench.soak.memory import MemorySample, measure_late_growth
from controller.bench.soak.process import TableGoneError, TableProcess
from controller.bench.soak.screen import StreamClient

ROLLS_A_MINUTE = 3.0
FOLLOWERS = 6
PAGES = ("/", "/tray.jpg", "/healthz")
SAMPLE_S = 1.0
TELL_S = 30.0
LATE_SHARE = 0.75
EIGHTHS, NEWEST = 8, 10
MOST_GROWTH_MB = 8.0
"""Over the last three quarters; before them everything is used for the first time."""
STALLED_S = 120.0


@dataclass(frozen=True, slots=True)
class EveningResult:
    """
    What was measured.

    Attributes:
        hours: Of play, by the rolls.
        seconds: How long it took.
        rolls: How many rolls were taken.
        memory: The memory, over the minutes of play.
    """

    hours: float
    seconds: float
    rolls: int
    memory: tuple[MemorySample, ...]


def play_evening(hours: float, *, seed: int, report: Callable[[str], None]) -> EveningResult:
    """
    Let a table play and return its memory meanwhile.

    Args:
        hours: Of play.
        seed: Decides the dice and the choices.
        report: Called with lines about the progress.

    Raises:
        TableGoneError: The table ended by itself, or takes no more rolls.
    """
    began_s = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="evening-") as name, ExitStack() as closing:
        table = TableProcess(
            Path(name), seed=seed, options=("--autoplay", "1000000"), has_camera_thread=False
        )
        closing.enter_context(table)
        for _ in range(FOLLOWERS):
            closing.callback(StreamClient(table.port).close)
        memory = _sample_memory(table, hours * 60.0, report)
        # The streams end with their table, not with a person's patience.
        table.kill()
    return EveningResult(
        hours=memory[-1].minute / 60.0,
        seconds=time.monotonic() - began_s,
        rolls=round(memory[-1].minute * ROLLS_A_MINUTE),
        memory=tuple(memory),
    )


def list_steps(result: EveningResult) -> dict[str, float]:
    """Return the metrics by name: the memory at every eighth of the time."""
    last = result.memory[-1].minute
    steps = {}
    for part in range(1, EIGHTHS + 1):
        so_far = [each.memory_mb for each in result.memory if each.minute <= last * part / EIGHTHS]
        # The newest samples before that moment; a start may take longer than the first part.
        found = round(median(so_far[-NEWEST:]), 1) if so_far else 0.0
        steps[f"memory after {last * part / EIGHTHS / 60:.2f} h, MB"] = found
    return {
        "hours of play": round(result.hours, 2),
        "seconds": round(result.seconds, 1),
        "rolls": result.rolls,
        **steps,
        "memory at its highest, MB": round(max(each.memory_mb for each in result.memory), 1),
        "memory grown in the last three quarters, MB": round(_measure_growth(result), 1),
    }


def find_evening_failures(result: EveningResult) -> list[str]:
    """Return the passed limits as sentences; empty if there are none."""
    growth_mb = _measure_growth(result)
    if growth_mb <= MOST_GROWTH_MB:
        return []
    return [f"memory grew by {growth_mb:.1f} MB in the last three quarters"]


def _measure_growth(result: EveningResult) -> float:
    span = result.memory[-1].minute - result.memory[0].minute
    return measure_late_growth(result.memory, LATE_SHARE * span) or 0.0


def _sample_memory(
    table: TableProcess, minutes: float, report: Callable[[str], None]
) -> list[MemorySample]:
    samples: list[MemorySample] = []
    told_s = moved_s = time.monotonic()
    while not samples or samples[-1].minute < minutes:
        time.sleep(SAMPLE_S)
        memory_mb = table.usage().memory_mb
        minute = _count_rolls(table) / ROLLS_A_MINUTE
        now_s = time.monotonic()
        if not samples or minute > samples[-1].minute:
            moved_s = now_s
        if now_s - moved_s > STALLED_S:
            raise TableGoneError(f"no roll for {STALLED_S:g} s")
        samples.append(MemorySample(max(minute, samples[-1].minute if samples else 0.0), memory_mb))
        if now_s - told_s > TELL_S:
            told_s = now_s
            report(f"{minute / 60:.2f} h of play: {memory_mb:.1f} MB")
    return samples


def _count_rolls(table: TableProcess) -> float:
    """Return how many rolls the table took; 0 if it is too busy to answer. Load pages, too."""
    try:
        for page in PAGES:
            table.get(page)
        text = table.get("/metrics").body.decode()
    except (OSError, http.client.HTTPException):
        return 0.0
    found = re.search(r"^dicebell_rolls_total ([\d.]+)", text, re.MULTILINE)
    return float(found[1]) if found else 0.0
