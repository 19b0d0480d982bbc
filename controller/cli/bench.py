# SPDX-License-Identifier: MIT
"""
`dicebell bench`: how fast and how well this machine reads dice, and how fast it replays games.

Times alone say little about another machine. So each is measured beside a baseline in the same
run, and only the ratio can be compared. What measures is imported on demand; otherwise every
command would start later and use more memory.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from controller.base.errors import InputError
from controller.cli.arguments import Subparsers, parse_folder, whole_number_type
from controller.cli.bench_reader import has_scenes
from controller.cli.bench_reader.benchmark import Benchmark, Metric, Subject, option

if TYPE_CHECKING:
    from controller.cli.bench_reader.scene_accuracy import ExamOptions

LEAST_SEED = 1_000_000  # The first seed of a scene that no net is ever trained on.

FOR_DEVELOPERS = (
    *("history", "draw", "duplicate", "wire", "archive", "fairness", "field", "thrown", "coach"),
    *("soak", "kills", "evening", "phones", "api", "pages", "delay"),
)
"""What this command measured once: whole tables and desks, which a checkout measures now."""


@dataclass(frozen=True, kw_only=True)
class Reading(Benchmark):
    """Read frames of 1280x720 with five dice on one thread, and the same frames by blobs
    and clustering in between; medians in milliseconds, and a reading process's memory."""

    name: ClassVar[str] = "reading"
    frames: int = option(40, "frames of each of three scenes (%(default)s)", whole_number_type(1))

    def measure(self) -> Iterable[Metric]:
        from controller.cli.bench_reader.reading import measure_reading

        return starmap(Metric, measure_reading(self.frames).items())


@dataclass(frozen=True, kw_only=True)
class Accuracy(Subject):
    """Read rendered scenes from seeds that no net was trained on, and compare every
    reading with the truth; with --sessions, throws of calibrated tables with planted faults."""

    name: ClassVar[str] = "accuracy"
    scenes: int | None = option(None, "how many scenes (400)", whole_number_type(1))
    sessions: int | None = option(None, "instead, throws at this many tables", whole_number_type(1))
    confirmed: int | None = option(
        None, "throws of a session that teach the table first (5)", whole_number_type(1)
    )
    dome: bool = option(False, "sessions under a dome")
    first_seed: int = option(
        LEAST_SEED,
        "the seed of the first scene or table (%(default)s; lower ones are for training)",
        whole_number_type(LEAST_SEED),
        alias="--seed",
        metavar="S",
    )
    jobs: int = option(
        os.cpu_count() or 1,
        "how many processes draw and read (one for each core)",
        whole_number_type(1),
        metavar="J",
    )
    no_expect: bool = option(False, "do not give the reader the number of dice")
    clean: bool = option(False, "only scenes with clean trays, as a good table has")
    keep: Path | None = option(
        None,
        "a folder for pictures, truths and traces of wrong or needlessly doubted scenes",
        parse_folder,
        metavar="DIR",
    )

    def run(self, *, as_json: bool) -> int:
        """
        Read, print the results, also if stopped, and return 1 for a wrong certain reading.

        InputError if there are no scenes or options exclude each other; OSError if a picture cannot
        be kept.
        """
        if not has_scenes():
            raise InputError(
                expected="a checkout of the project, which has the scenes",
                found="an installed version without them",
                where="bench accuracy",
            )
        if self.sessions and (self.scenes or self.no_expect or self.clean):
            expected = "none of --scenes, --no-expect and --clean beside it"
            raise InputError(expected=expected, found="one of them", where="--sessions")
        if not self.sessions and (self.dome or self.confirmed):
            where = "--dome" if self.dome else "--confirmed"
            raise InputError(expected="--sessions N beside it", found="none", where=where)
        if self.keep:
            _require_writable(self.keep)
        from controller.cli.bench_reader.scene_accuracy import ExamOptions

        exam = ExamOptions(tells_count=not self.no_expect, is_clean=self.clean, keep=self.keep)
        if self.sessions:
            return self._examine_tables(self.sessions, exam, as_json)
        return self._examine_scenes(exam, as_json)

    def _examine_scenes(self, exam: ExamOptions, as_json: bool) -> int:
        from controller.cli.bench_reader import summary
        from controller.cli.bench_reader.accuracy import examine_seeds

        scenes = self.scenes or 400
        results = examine_seeds(self.first_seed, scenes, exam, jobs=self.jobs)
        as_text = json.dumps(summary.to_json(results)) + "\n"
        sys.stdout.write(as_text if as_json else summary.to_text(results))
        if len(results) < scenes:
            raise KeyboardInterrupt
        return int(any(result.outcome.is_silently_wrong for result in results))

    def _examine_tables(self, sessions: int, exam: ExamOptions, as_json: bool) -> int:
        from controller.cli.bench_reader.accuracy import examine_tables
        from controller.cli.bench_reader.sessions import summary
        from controller.cli.bench_reader.sessions.examine import CONFIRMED, examine_table

        confirmed = self.confirmed or CONFIRMED
        examine_one = partial(examine_table, exam=exam, confirmed=confirmed, under_dome=self.dome)
        results = examine_tables(self.first_seed, sessions, examine_one, jobs=self.jobs)
        as_text = json.dumps(summary.to_json(results)) + "\n"
        sys.stdout.write(as_text if as_json else summary.to_text(results))
        if len(results) < sessions:
            raise KeyboardInterrupt
        return int(summary.is_any_wrong(results))


@dataclass(frozen=True, kw_only=True)
class Rules(Benchmark):
    """Replay records of random games on one core, and parse the same lines as JSON alone;
    events a second."""

    name: ClassVar[str] = "rules"
    games: int = option(50, "how many of a kind (%(default)s)", whole_number_type(1))

    def measure(self) -> Iterable[Metric]:
        from controller.cli.bench_reader.rules import measure_rules

        return starmap(Metric, measure_rules(self.games).items())


class Verify(Benchmark):
    """Check a journal that a table wrote at the simulated tray, with its pictures read again and
    without, and read and parse the same alone; entries a minute."""

    name: ClassVar[str] = "verify"

    def measure(self) -> Iterable[Metric]:
        from controller.cli.bench_reader.verify import measure_verify

        return starmap(Metric, measure_verify().items())


SUBJECTS: tuple[type[Subject], ...] = (Reading, Accuracy, Rules, Verify)


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "bench",
        help="measure how fast and how well this machine reads, and how fast it replays games",
        description="".join(map(_describe, SUBJECTS)),
        epilog="Exit status: 0; 1 if accuracy found a certain reading that is wrong.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "subject",
        nargs="?",
        type=_parse_subject,
        metavar=f"{{{','.join(each.name for each in SUBJECTS)}}}",
        default="reading",
        help="what is measured (%(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    for each in SUBJECTS:
        each.add_options(parser.add_argument_group(each.name))


def _describe(subject: type[Subject]) -> str:
    first, *others = subject.help().splitlines()
    return "".join([f"{subject.name:10}{first}\n", *(f"{'':10}{line}\n" for line in others)])


def _parse_subject(name: str) -> type[Subject]:
    found = next((each for each in SUBJECTS if each.name == name), None)
    if found is None:
        *names, last = (each.name for each in SUBJECTS)
        where = f"; in a checkout: make bench-table ARGS={name}" if name in FOR_DEVELOPERS else ""
        raise argparse.ArgumentTypeError(
            f"expected {', '.join(names)} or {last}, found {name!r}{where}"
        )
    return found


def _require_writable(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        is_writable = os.access(folder, os.W_OK)
    except OSError:
        is_writable = False
    if not is_writable:
        raise InputError(expected="a folder to write to", found=str(folder), where="--keep")


def run(args: argparse.Namespace) -> int:
    subject: type[Subject] = args.subject
    for other in SUBJECTS:
        for each in () if other is subject else other.find_given(args):
            raise InputError(
                expected=f"options of {subject.name}", found=f"one of {other.name}", where=each
            )
    return subject.from_arguments(args).run(as_json=args.json)
