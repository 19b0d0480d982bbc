# SPDX-License-Identifier: MIT
"""
Try some mutants of rooms: `python -m tests.mutation journal verify --mutants 60 --seed 1`.

Prints each mutant and the test that caught it, then the survivors and a table of the rooms. The
same seed draws the same mutants before and after a change of the tests.
"""

from __future__ import annotations

import argparse
import os
import sys

# The libraries that tests import: a process for one mutant has them already.
import cv2  # noqa: F401

from tests.mutation.mutants import ROOT, draw_mutants, find_mutant
from tests.mutation.trials import try_mutants

ROOMS = ("games", "table", "journal", "history", "verify", "tournament")


def main() -> int:
    parser = argparse.ArgumentParser(prog="make mutate", description=__doc__)
    parser.add_argument(
        "rooms",
        nargs="*",
        default=ROOMS,
        help=f"folders of controller (default {', '.join(ROOMS)})",
    )
    parser.add_argument("--mutants", type=int, default=60, help="of each room (default 60)")
    parser.add_argument("--seed", type=int, default=1, help="decides which mutants (default 1)")
    parser.add_argument(
        "--again", nargs="+", default=[], metavar="PATH#NUMBER", help="only these mutants"
    )
    parser.add_argument(
        "--tests", nargs="+", metavar="PATH", help="which tests are to notice (default the room's)"
    )
    args = parser.parse_args()
    for room in args.rooms:
        if not (ROOT / "tests" / "controller" / room).is_dir():
            parser.error(f"expected a room with tests, such as {', '.join(ROOMS)}, found {room}")
    # What tests print is lost, and with it the usual output of the processes that run them.
    output = os.fdopen(os.dup(sys.stdout.fileno()), "w", buffering=1)
    survivors, table = [], ["room\tmutants\tcaught\tsurvived\n"]
    for room in args.rooms:
        again = [find_mutant(name) for name in args.again if name.startswith(f"controller/{room}/")]
        mutants = again or draw_mutants(f"controller/{room}", args.mutants, args.seed)
        tests = args.tests or [f"tests/controller/{room}"]
        outcomes = try_mutants(mutants, tests, lambda outcome: print(outcome, file=output))
        survived = [outcome.mutant for outcome in outcomes if not outcome.caught_by]
        caught = len(mutants) - len(survived)
        table.append(f"{room}\t{len(mutants)}\t{caught}\t{len(survived)}\n")
        survivors += survived
    output.writelines(["\n", *(f"{mutant}\n" for mutant in survivors), "\n", *table])
    return 0


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.exit(main())
