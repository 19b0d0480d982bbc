# SPDX-License-Identifier: MIT
"""
Measure whole tables, tournaments and coaches: `make bench-table ARGS="soak --minutes 5"`.

Exit status: 0 if every metric is within its limits, 1 if not, 2 for wrong input.
"""

from __future__ import annotations

import argparse
import http.client
import signal
import sys
from collections.abc import Sequence

from controller.base.errors import RefusedError
from controller.cli.bench_reader.benchmark import Benchmark
from tests.bench.absence import Absences
from tests.bench.archive import Archive
from tests.bench.coach import Coaches
from tests.bench.delay import Delay
from tests.bench.draw import Draw
from tests.bench.duplicate import Duplicate
from tests.bench.evening import Evening
from tests.bench.fairness import Fairness
from tests.bench.field import Field
from tests.bench.history import History
from tests.bench.kills import Kills
from tests.bench.pages import Pages
from tests.bench.phones import Phones
from tests.bench.programs import Programs
from tests.bench.soak import Soak
from tests.bench.thrown import Thrown
from tests.bench.wire import Wire
from tests.support.server_process import ProcessGoneError

BENCHMARKS: tuple[type[Benchmark], ...] = (
    *(Soak, Evening, Kills, Phones, Programs, Pages, Delay, History),
    *(Draw, Duplicate, Field, Absences, Wire, Archive, Fairness, Thrown, Coaches),
)
WRONG_INPUT_STATUS = 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one benchmark; return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    subparsers = parser.add_subparsers(metavar="BENCHMARK", required=True)
    for each in BENCHMARKS:
        summary = " ".join(each.help().split())
        subparser = subparsers.add_parser(each.name, help=summary, description=summary)
        subparser.add_argument("--json", action="store_true", help="print one JSON object")
        each.add_options(subparser)
        subparser.set_defaults(benchmark=each)
    args = parser.parse_args(arguments)
    benchmark: type[Benchmark] = args.benchmark
    try:
        return benchmark.from_arguments(args).run(as_json=args.json)
    except RefusedError as error:
        sys.stderr.write(f"{benchmark.name}: {error}\n")
    except (ProcessGoneError, http.client.HTTPException) as error:
        found = str(error) or repr(error)
        sys.stderr.write(f"{benchmark.name}: expected a server that keeps running, found {found}\n")
    return WRONG_INPUT_STATUS


if __name__ == "__main__":
    # A request to end is one like Ctrl-C: tables are ended, and temporary folders removed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
