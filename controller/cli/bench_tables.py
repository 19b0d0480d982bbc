# SPDX-License-Identifier: MIT
"""
`dicebell bench` for whole tables: disturb one for hours, kill it, let it play, or time its screens.

Each prints its metrics and the exceeded limits.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import secrets
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from controller.base.errors import InputError
from controller.bench.soak.process import TableGoneError

if TYPE_CHECKING:
    from controller.bench.delay.page import OnDrawn
    from controller.runtime.table import TableRuntime
    from hardware.simulated.hands import SimulatedHands

Measured = tuple[Mapping[str, float], list[str]]
"""Metrics by name, and the failures as sentences."""


def run(args: argparse.Namespace) -> int:
    """
    Run one of these benchmarks; return the exit status, 1 if a limit was exceeded.

    Raises:
        InputError: The table ended by itself, or does not start.
    """
    # A request to end is one like Ctrl-C: tables are ended, and temporary folders removed.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    seed = secrets.randbits(32)
    measure = _BENCHMARKS[args.subject]
    try:
        metrics, failures = measure(args, seed)
    except (TableGoneError, http.client.HTTPException) as error:
        found = str(error) or repr(error)
        raise InputError(expected="a table that keeps running", found=found) from error
    if args.json:
        sys.stdout.write(json.dumps({**metrics, "seed": seed, "complaints": failures}) + "\n")
    else:
        sys.stdout.write("".join(f"{name:40}{value:12,}\n" for name, value in metrics.items()))
        sys.stdout.write("".join(f"failed: {each}\n" for each in failures))
    return int(bool(failures))


def _soak(args: argparse.Namespace, seed: int) -> Measured:
    from controller.bench.soak.run import soak
    from controller.bench.soak.verdict import find_failures, list_metrics

    soaked = soak(args.minutes, seed=seed, report=_print_progress, has_strangers=args.strangers)
    return list_metrics(soaked), find_failures(soaked)


def _kill(args: argparse.Namespace, seed: int) -> Measured:
    from controller.bench.kills.result import find_kill_failures, list_kill_metrics
    from controller.bench.kills.run import kill_tables

    killed = kill_tables(args.count, seed=seed, report=_print_progress)
    return list_kill_metrics(killed), find_kill_failures(killed)


def _play_evening(args: argparse.Namespace, seed: int) -> Measured:
    from controller.bench.soak.evening import find_evening_failures, list_steps, play_evening

    played = play_evening(args.hours, seed=seed, report=_print_progress)
    return list_steps(played), find_evening_failures(played)


def _measure_phones(args: argparse.Namespace, seed: int) -> Measured:
    from controller.bench.soak.phones import (
        find_phone_failures,
        list_phone_metrics,
        measure_phones,
    )

    measured = measure_phones(args.phones, args.changes, seed=seed, report=_print_progress)
    return list_phone_metrics(measured), find_phone_failures(measured)


def _follow_programs(args: argparse.Namespace, seed: int) -> Measured:
    from controller.bench.followers.programs import (
        find_program_failures,
        follow_through_kills,
        list_program_metrics,
    )

    followed = follow_through_kills(args.programs, args.seconds, seed=seed, report=_print_progress)
    return list_program_metrics(followed), find_program_failures(followed)


def _open_pages(args: argparse.Namespace, seed: int) -> Measured:
    from controller.bench.followers.pages import find_page_failures, list_page_metrics, open_pages

    opened = open_pages(args.page_rolls, seed=seed, report=_print_progress)
    return list_page_metrics(opened), find_page_failures(opened)


def _measure_delay(args: argparse.Namespace, seed: int) -> Measured:
    from controller.bench.delay.page import open_browser
    from controller.bench.delay.run import measure_delay
    from controller.bench.delay.stages import list_delay_metrics

    measured = measure_delay(
        args.rolls, serve_probed_kiosk, open_browser, seed=seed, report=_print_progress
    )
    machine = {"load of the machine": round(measured.load, 1), "cores": measured.cores}
    return {**list_delay_metrics(measured.rolls), **machine}, []


@contextlib.contextmanager
def serve_probed_kiosk(
    table: TableRuntime, hands: SimulatedHands, on_drawn: OnDrawn
) -> Iterator[str]:
    """Serve the kiosk of a table with the probe of the delay; give its address."""
    from controller.bench.delay.page import add_probe
    from webui import create_app
    from webui.server import KioskServer

    app = create_app(table.running, hands)
    app.wsgi_app = add_probe(app.wsgi_app, on_drawn)  # type: ignore[method-assign, assignment]
    kiosk = KioskServer(app, "127.0.0.1", 0)
    kiosk.start()
    try:
        yield kiosk.url
    finally:
        table.loop.close()
        kiosk.close()


_BENCHMARKS: Mapping[str, Callable[[argparse.Namespace, int], Measured]] = {
    "soak": _soak,
    "kills": _kill,
    "evening": _play_evening,
    "phones": _measure_phones,
    "api": _follow_programs,
    "pages": _open_pages,
    "delay": _measure_delay,
}


def _print_progress(line: str) -> None:
    # On standard error, so that --json stays JSON.
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
