# SPDX-License-Identifier: MIT
"""
Search a target for what it dies of.

Bytes whose end says something new are changed further, so the search gets past the first checks
without knowing the code. What is being tried lies in a file, so a crash of the process leaves it.
"""

from __future__ import annotations

import random
import re
import signal
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from tests.fuzz.targets import FuzzTarget

LONGEST_S = 60
"""After this an input hangs; even a slow machine needs a second at most."""
MOST_KEPT = 2000

_NUMBERS = re.compile(r"\d+|0x[0-9a-f]+|'[^']*'|\"[^\"]*\"|/\S+")


class HangError(BaseException):
    """An input took too long; no `except Exception` of the product may hide it."""


@dataclass
class SearchResult:
    """The result of a search."""

    tried: int = 0
    ends: int = 0
    found: dict[str, tuple[bytes, str]] = field(default_factory=dict)


def search(
    target: FuzzTarget,
    *,
    seed: int,
    goes_on: Callable[[SearchResult], bool],
    trying: Path | None = None,
) -> SearchResult:
    """
    Try the seeds, then changed inputs while `goes_on`.

    Args:
        target: What gets them.
        seed: Decides every change.
        goes_on: Is asked after each input.
        trying: A file that holds the input while it is tried; `None` without hangs and crashes.
    """
    chance, result, known = random.Random(seed), SearchResult(), set[str]()
    kept = list(target.seeds())
    inputs: Iterator[bytes] = iter([*kept])
    while True:
        data = next(inputs, None)
        if data is None:
            data = target.mutate(chance.choice(kept), kept, chance)
        end = _try(target, data, result, trying)
        if end is not None and (shape := _NUMBERS.sub("", end)) not in known:
            known.add(shape)
            if len(kept) < MOST_KEPT:
                kept.append(data)
        result.ends = len(known)
        if not goes_on(result):
            return result


def _try(target: FuzzTarget, data: bytes, result: SearchResult, trying: Path | None) -> str | None:
    result.tried += 1
    if trying is not None:
        trying.write_bytes(data)
    try:
        with _limited(LONGEST_S if trying else 0):
            return target.run(data)
    except (Exception, HangError) as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{type(error).__name__} in {last.filename}, line {last.lineno}"
        result.found.setdefault(where, (data, traceback.format_exc()))
        return None


@contextmanager
def _limited(longest_s: int) -> Iterator[None]:
    """Raise `HangError` in the block after some seconds; 0 is no limit."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, stop) if longest_s else None
    signal.alarm(longest_s)
    try:
        yield
    finally:
        signal.alarm(0)
        if before is not None:
            signal.signal(signal.SIGALRM, before)
