# SPDX-License-Identifier: MIT
"""
Play evenings in which everything breaks that may: `python -m tests.tournament_harness --runs 200`.

Answers get lost, requests come twice or torn, a third of the tables is away, servers and PostgreSQL
are killed, a replica is promoted. Afterwards every acknowledged line and choice must be there once
and unchanged, and every result must be that of a replay. Exit status: 0 if all is well, 1 if not.
"""

from __future__ import annotations

import argparse
import signal
import sys
import tempfile
import time
from pathlib import Path

from tests.support.postgres_cluster import Cluster
from tests.tournament_harness.evening import Evening, EveningSize
from tests.tournament_harness.servers import Kind


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.tournament_harness", description=__doc__)
    parser.add_argument("--runs", type=int, default=3, help="how many evenings (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="of the first one (%(default)s)")
    kinds = [kind.value for kind in Kind]
    parser.add_argument("--database", choices=kinds, help="of all; one after the other by default")
    parser.add_argument("--tables", type=int, default=EveningSize.tables)
    parser.add_argument("--lines", type=int, default=EveningSize.lines)
    parser.add_argument("--rolls", type=int, default=EveningSize.rolls)
    parser.add_argument("--players", type=int, default=EveningSize.players)
    args = parser.parse_args()
    # Whoever ends it leaves no server and no database behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    size = EveningSize(args.tables, args.lines, args.rolls, args.players)
    failed = 0
    with Cluster() as cluster:
        for seed in range(args.seed, args.seed + args.runs):
            kind = Kind(args.database or kinds[seed % len(kinds)])
            began_s = time.monotonic()
            with tempfile.TemporaryDirectory(prefix="dicebell-evening-") as folder:
                faults = Evening(kind, seed, size).play(Path(folder), cluster)
            failed += bool(faults)
            took_s = time.monotonic() - began_s
            what = f"evening {seed}, {kind.value}: {took_s:.1f} s, {faults or 'all well'}"
            print(what)  # noqa: T201
    print(f"{args.runs} evenings, {failed} with faults")  # noqa: T201
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
