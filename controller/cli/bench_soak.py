# SPDX-License-Identifier: MIT
"""`dicebell bench soak`: disturb a table for a long time; print metrics and failures."""

from __future__ import annotations

import argparse
import json
import secrets
import sys

from controller.bench.soak.process import TableGoneError
from controller.bench.soak.run import soak
from controller.bench.soak.verdict import find_failures, list_metrics
from controller.errors import InputError


def run(args: argparse.Namespace) -> int:
    """
    Soak a table; return the exit status, 1 where a limit was passed.

    Raises:
        InputError: The table ended by itself.
    """
    seed = secrets.randbits(32)
    try:
        soaked = soak(args.minutes, seed=seed, tell=_print_progress, has_strangers=args.strangers)
    except TableGoneError as error:
        raise InputError(expected="a table that keeps running", found=str(error)) from error
    told, wrong = list_metrics(soaked), find_failures(soaked)
    if args.json:
        sys.stdout.write(json.dumps({**told, "seed": seed, "complaints": wrong}) + "\n")
    else:
        sys.stdout.write("".join(f"{name:40}{value:12,}\n" for name, value in told.items()))
        sys.stdout.write("".join(f"failed: {each}\n" for each in wrong))
    return int(bool(wrong))


def _print_progress(line: str) -> None:
    # Beside the figures, so that --json stays JSON.
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
