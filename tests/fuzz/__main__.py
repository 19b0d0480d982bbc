# SPDX-License-Identifier: MIT
"""
Search one target for some minutes: `python -m tests.fuzz journal --minutes 10`.

Finds are written into `build/fuzz`; move one into `tests/fuzz/corpus` with its fix. Exit status:
0 if nothing was found, 1 if something was.
"""

from __future__ import annotations

import argparse
import hashlib
import resource
import sys
import time
from pathlib import Path

from tests.fuzz.search import SearchResult, search
from tests.fuzz.targets import FILE_TARGETS
from tests.fuzz.urls import UrlTarget

BUILD = Path(__file__).parents[2] / "build" / "fuzz"
SPARE_BYTES = 3 << 30
"""Address space beyond what the process has at the start."""
REPORTS_S = 30.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("input", choices=[*FILE_TARGETS, "url"])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=time.time_ns())
    args = parser.parse_args()
    folder = BUILD / args.input
    folder.mkdir(parents=True, exist_ok=True)
    end_s: float = time.monotonic() + 60 * args.minutes
    report_s = [time.monotonic()]

    def goes_on(result: SearchResult) -> bool:
        now_s = time.monotonic()
        if now_s - report_s[0] > REPORTS_S:
            report_s[0] = now_s
            sys.stderr.write(f"{_summarize(args.input, result)}\n")
        return now_s < end_s

    trying = folder / "trying"
    if args.input == "url":
        with UrlTarget() as target:
            found = search(target, seed=args.seed, goes_on=goes_on, trying=trying)
    else:
        files = FILE_TARGETS[args.input]
        files.run(files.seeds()[0])
        _limit_memory()
        found = search(files, seed=args.seed, goes_on=goes_on, trying=trying)
    for where, (data, trace) in found.found.items():
        path = folder / hashlib.sha256(data).hexdigest()[:16]
        path.write_bytes(data)
        sys.stderr.write(f"{path}: {where}\n{trace}\n")
    sys.stdout.write(f"{_summarize(args.input, found)} (seed {args.seed})\n")
    return 1 if found.found else 0


def _summarize(name: str, result: SearchResult) -> str:
    return f"{name}: {result.tried} tried, {result.ends} ends, {len(result.found)} died"


def _limit_memory() -> None:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + SPARE_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    sys.exit(main())
