# SPDX-License-Identifier: MIT
"""
The stages between the first frame of a rest and the drawn page.

Each stage ends with a mark: a time on the monotonic clock of this machine. The stages follow each
other without gaps, so they add up to the whole delay of a roll.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median, quantiles

FIRST_STILL = "first still frame"
"""The mark that the delay counts from: the camera's time of that frame."""

STAGES = {
    "still": "nothing moves, until the first frame that is read",
    "camera": "that frame comes from the camera",
    "reading": "the first reading",
    "agreement": "further frames and readings, until enough agree",
    "picture": "the picture is compressed",
    "journal": "queue, rules, and picture and entry on the disk",
    "view": "the views of the screens",
    "stream": "the page receives the view",
    "page": "the page shows it",
    "drawing": "the browser draws it",
}
"""Every stage in its order, with what happens in it."""

Marks = Mapping[str, float]
"""When a roll was first still, and when each stage ended, in seconds."""


def is_complete(marks: Marks) -> bool:
    """Return whether all marks of a roll are there."""
    return {FIRST_STILL, *STAGES} <= marks.keys()


def split_delay(marks: Marks) -> dict[str, float]:
    """Return the duration of each stage in milliseconds, from complete marks."""
    ends = [marks[name] for name in (FIRST_STILL, *STAGES)]
    pairs = zip(STAGES, ends, ends[1:], strict=False)
    return {name: (end - begin) * 1000.0 for name, begin, end in pairs}


def list_delay_metrics(rolls: Sequence[Marks]) -> dict[str, float]:
    """Return median and 90th percentile of the whole delay and of each stage, by name."""
    split = [split_delay(marks) for marks in rolls]
    total = [sum(stages.values()) for stages in split]
    metrics = {"rolls": float(len(rolls)), **_summarize("rest to screen", total)}
    for name in STAGES:
        metrics |= _summarize(name, [stages[name] for stages in split])
    return metrics


def _summarize(name: str, times_ms: Sequence[float]) -> dict[str, float]:
    tenths = quantiles(times_ms, n=10, method="inclusive") if len(times_ms) > 1 else times_ms
    return {
        f"{name}, median, ms": round(median(times_ms), 1),
        f"{name}, 90th of 100, ms": round(tenths[-1], 1),
    }
