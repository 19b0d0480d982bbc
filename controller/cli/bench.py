# SPDX-License-Identifier: MIT
"""
`dicebell bench`: how fast and how well this machine reads dice, and how fast it replays games.

Times alone say little about another machine. So each is measured beside a baseline in the same
run, and only the ratio can be compared. The benchmarks are imported on demand; otherwise every
command would start later and use more memory.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import TYPE_CHECKING

from controller.base.errors import InputError
from controller.cli.arguments import parse_folder, parse_positive, whole_number_type
from controller.cli.bench_reader import has_scenes

if TYPE_CHECKING:
    from controller.cli.bench_reader.scene_accuracy import ExamOptions

    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

LONG = ("soak", "kills", "evening", "phones", "api", "pages", "delay")
"""The benchmarks that run whole tables."""

SUBJECTS = (
    *("reading", "accuracy", "rules", "verify", "history", "draw", "duplicate", "wire", "archive"),
    "fairness",
    "field",
    "thrown",
    "coach",
    *LONG,
)

LEAST_SEED = 1_000_000
"""The first seed of a scene that no net is ever trained on."""

_SUBJECTS = """\
reading   read frames of 1280x720 with five dice on one thread, and the same frames by blobs
          and clustering in between; medians in milliseconds, and a reading process's memory
accuracy  read rendered scenes from seeds that no net was trained on, and compare every
          reading with the truth; with --sessions, throws of calibrated tables with planted faults
rules     replay records of random games on one core, and parse the same lines as JSON alone;
          events a second
verify    check a journal that a table wrote at the simulated tray, with its pictures read again and
          without, and read and parse the same alone; entries a minute
history   write a journal of random games, index it, and read its pages; seconds, entries a second,
          and the same beside parsing and hashing alone; pages in milliseconds
draw      draw tables of four for a large field, five rounds at random and five by standings;
          seconds of the last draw, and second meetings
fairness  look at fair dice after every throw, and at bad ones; false alarms, and throws until an
          alarm
wire      let many tables send entries to `dicebell desk`; milliseconds until they are durable, and
          seconds until what waited at tables that were away has arrived
archive   play an event at many tables without pictures, write its archive, and check it; seconds
duplicate play eight games of a duplicate event with a large field; milliseconds a roll, and memory
field     let many phones play rolls of `dicebell desk`; milliseconds from the table to the last
          phone and from a choice to its durable answer, and memory
thrown    throw dice in a simulated tray while frames are dropped, and let a hand set some; how
          many are called placed, or unseen
coach     play games by what the coaches know, by opponents and at random: points without luck and
          their standard errors, milliseconds of processor time for a choice; solve what is known
soak      play at a demo for a long time, with camera faults, phones that come and go and a
          slow reader; memory, threads and files at start and end, rolls thrown and journalled
kills     kill a playing table with a page and five phones many times; after each restart
          compare the screens with what the journal replays to; count what was lost or invented
evening   play hours of play as fast as the machine can; memory at each step
phones    let many phones follow a game of six, each player with a phone; the time from a command
          to the last phone that has the change
api       let programs follow the events of a table that plays and is killed; events lost and
          doubled, delays, and requests for its state a second
pages     open ten pages of a table that plays: kiosk, big screen, overlay, history and six phones;
          its memory before, meanwhile and after
delay     throw dice at a table with a page in a browser; the time from the first frame of dice at
          rest to their roll on the drawn page, by stage
"""
_EXIT = (
    "Exit status: 0; 1 if accuracy found a certain reading that is wrong, a soak or an evening"
    " or phones or pages exceeded a limit, or kills or api lost or invented something."
)


def add_parser(subparsers: Subparsers) -> None:
    parser = subparsers.add_parser(
        "bench",
        help="measure how fast and how well this machine reads, and how fast it replays games",
        description=_SUBJECTS,
        epilog=_EXIT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "subject",
        nargs="?",
        choices=SUBJECTS,
        default="reading",
        help="what is measured (%(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    of_reading = parser.add_argument_group("reading")
    of_reading.add_argument(
        "--frames",
        type=whole_number_type(1),
        default=40,
        help="frames of each of two scenes (%(default)s)",
    )
    _add_accuracy(parser.add_argument_group("accuracy"))
    of_rules = parser.add_argument_group("rules and coach")
    of_rules.add_argument(
        "--games", type=whole_number_type(1), default=50, help="how many of a kind (%(default)s)"
    )
    of_history = parser.add_argument_group("history")
    of_history.add_argument(
        "--journal-games",
        type=whole_number_type(1),
        default=1000,
        help="games in the journal (%(default)s)",
    )
    of_thrown = parser.add_argument_group("thrown")
    of_thrown.add_argument(
        "--throws", type=whole_number_type(1), default=200, help="how many throws (%(default)s)"
    )
    _add_fairness(parser)
    _add_events(parser)
    _add_tables(parser)
    _add_followers(parser)
    parser.set_defaults(run=run)


def _add_fairness(parser: argparse.ArgumentParser) -> None:
    of_fairness = parser.add_argument_group("fairness")
    of_fairness.add_argument(
        "--sets", type=whole_number_type(1), default=1000, help="sets of fair dice (%(default)s)"
    )
    of_fairness.add_argument(
        "--throws-of-set",
        type=whole_number_type(1),
        default=100_000,
        help="throws of each (%(default)s)",
    )


def _add_events(parser: argparse.ArgumentParser) -> None:
    of_field = parser.add_argument_group("draw, duplicate and field")
    of_field.add_argument(
        "--players",
        type=whole_number_type(2),
        help="players of the event (10000 for draw, 500 for duplicate and field)",
    )
    of_field.add_argument(
        "--field-rolls", type=whole_number_type(1), default=10, help="of field (%(default)s)"
    )
    of_archive = parser.add_argument_group("archive")
    of_archive.add_argument(
        "--tables",
        type=whole_number_type(1, 1000),
        default=100,
        help="tables of the event, with four players each (%(default)s)",
    )
    of_archive.add_argument(
        "--rounds", type=whole_number_type(1, 40), default=4, help="games of each (%(default)s)"
    )
    of_wire = parser.add_argument_group("wire")
    of_wire.add_argument(
        "--boxes", type=whole_number_type(1), default=1000, help="tables (%(default)s)"
    )
    of_wire.add_argument(
        "--for-s", type=parse_positive, default=30.0, help="seconds to send (%(default)g)"
    )
    of_wire.add_argument(
        "--away",
        type=whole_number_type(0),
        default=0,
        help="further tables, which were away (%(default)s)",
    )
    of_wire.add_argument(
        "--waiting",
        type=whole_number_type(0),
        default=30_000,
        help="entries that wait at these together (%(default)s)",
    )
    of_wire.add_argument(
        "--database",
        default="",
        metavar="URL",
        help="an empty database in PostgreSQL, as for `dicebell desk`; SQLite by default",
    )


def _add_tables(parser: argparse.ArgumentParser) -> None:
    of_soak = parser.add_argument_group("soak")
    of_soak.add_argument(
        "--minutes", type=parse_positive, default=30.0, help="how long (%(default)g)"
    )
    of_soak.add_argument(
        "--strangers",
        action="store_true",
        help="attack the public port too, while 50 phones follow the table",
    )
    of_kills = parser.add_argument_group("kills")
    of_kills.add_argument(
        "--count", type=whole_number_type(1), default=1000, help="how many kills (%(default)s)"
    )
    of_evening = parser.add_argument_group("evening")
    of_evening.add_argument(
        "--hours", type=parse_positive, default=8.0, help="of play (%(default)g)"
    )
    of_phones = parser.add_argument_group("phones")
    of_phones.add_argument(
        "--phones", type=whole_number_type(1), default=50, help="how many follow (%(default)s)"
    )
    of_phones.add_argument(
        "--changes", type=whole_number_type(10), default=400, help="how many (%(default)s)"
    )

    of_delay = parser.add_argument_group("delay")
    of_delay.add_argument(
        "--rolls", type=whole_number_type(1), default=40, help="how many (%(default)s)"
    )


def _add_followers(parser: argparse.ArgumentParser) -> None:
    of_api = parser.add_argument_group("api")
    of_api.add_argument(
        "--programs", type=whole_number_type(1, 24), default=20, help="how many (%(default)s)"
    )
    of_api.add_argument(
        "--seconds",
        type=parse_positive,
        default=20.0,
        help="of play before each of three kills (%(default)g)",
    )
    of_pages = parser.add_argument_group("pages")
    of_pages.add_argument(
        "--page-rolls",
        type=whole_number_type(1),
        default=12,
        help="rolls with all pages open (%(default)s)",
    )


def _add_accuracy(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--scenes", type=whole_number_type(1), default=400, help="how many scenes (%(default)s)"
    )
    group.add_argument(
        "--sessions", type=whole_number_type(1), help="instead, throws at this many tables"
    )
    group.add_argument(
        "--first-seed",
        "--seed",
        type=whole_number_type(LEAST_SEED),
        default=LEAST_SEED,
        metavar="S",
        help="the seed of the first scene or table (%(default)s; lower ones are for training)",
    )
    group.add_argument(
        "--jobs",
        type=whole_number_type(1),
        default=os.cpu_count() or 1,
        metavar="J",
        help="how many processes draw and read, or check an archive (one for each core)",
    )
    group.add_argument(
        "--no-expect",
        action="store_true",
        help="do not give the reader the number of dice",
    )
    group.add_argument(
        "--clean", action="store_true", help="only scenes with clean trays, as a good table has"
    )
    group.add_argument(
        "--keep",
        type=parse_folder,
        metavar="DIR",
        help="a folder for pictures, truths and traces of wrong or needlessly doubted scenes",
    )


def run(args: argparse.Namespace) -> int:
    """
    Run a benchmark and print its result; return the exit status.

    Raises:
        InputError: A table ended by itself or does not start, or there are no scenes to read.
        OSError: A picture of a scene cannot be written.
        KeyboardInterrupt: It was stopped; the results so far are printed.
    """
    if args.subject == "accuracy":
        return _run_accuracy(args)
    if args.subject in LONG:
        from controller.cli import bench_tables

        return bench_tables.run(args)
    figures = _measure(args)
    if args.json:
        sys.stdout.write(json.dumps(figures) + "\n")
    else:
        sys.stdout.write("".join(_line(name, value) for name, value in figures.items()))
    return 0


def _measure(args: argparse.Namespace) -> dict[str, float]:
    if args.subject == "rules":
        from controller.cli.bench_reader import rules

        return rules.measure_rules(args.games)
    if args.subject == "verify":
        from controller.cli.bench_reader import verify

        return verify.measure_verify()
    if args.subject == "history":
        from controller.bench import history

        return history.measure_history(args.journal_games)
    if args.subject == "draw":
        from controller.bench.tournament import draw

        return draw.measure_draw(args.players or 10_000)
    if args.subject == "fairness":
        from controller.bench.insight import fairness

        return fairness.measure_fairness(args.sets, args.throws_of_set)
    if args.subject == "wire":
        from controller.bench.tournament.wire import WireLoad, measure_wire

        load = WireLoad(args.boxes, args.for_s, args.away, args.waiting)
        return measure_wire(load, args.database)
    if args.subject == "archive":
        from controller.bench.tournament import archive

        return archive.measure_archive(args.tables, args.rounds, args.jobs)
    if args.subject == "duplicate":
        from controller.bench.tournament import duplicate

        return duplicate.measure_duplicate(args.players or 500)
    if args.subject == "field":
        from controller.bench.tournament import field

        return field.measure_field(args.players or 500, args.field_rolls)
    if args.subject == "coach":
        from controller.bench.coach import measures

        return measures.measure_coaches(args.games)
    if args.subject == "thrown":
        from controller.bench import throws

        return throws.measure_throws(args.throws)
    from controller.cli.bench_reader import reading

    return reading.measure_reading(args.frames)


def _run_accuracy(args: argparse.Namespace) -> int:
    if not has_scenes():
        raise InputError(
            expected="a checkout of the project, which has the scenes",
            found="an installed version without them",
            where="bench accuracy",
        )
    from controller.cli.bench_reader.scene_accuracy import ExamOptions

    exam = ExamOptions(tells_count=not args.no_expect, is_clean=args.clean, keep=args.keep)
    return _run_sessions(args, exam) if args.sessions else _run_scenes(args, exam)


def _run_scenes(args: argparse.Namespace, exam: ExamOptions) -> int:
    from controller.cli.bench_reader import summary
    from controller.cli.bench_reader.accuracy import examine_seeds

    results = examine_seeds(args.first_seed, args.scenes, exam, jobs=args.jobs)
    as_json = json.dumps(summary.to_json(results)) + "\n"
    sys.stdout.write(as_json if args.json else summary.to_text(results))
    if len(results) < args.scenes:
        raise KeyboardInterrupt
    return int(any(result.outcome.is_silently_wrong for result in results))


def _run_sessions(args: argparse.Namespace, exam: ExamOptions) -> int:
    from controller.cli.bench_reader.accuracy import examine_tables
    from controller.cli.bench_reader.sessions import summary

    if args.no_expect or args.clean:
        raise InputError(
            expected="neither --no-expect nor --clean", found="one of them", where="--sessions"
        )
    results = examine_tables(args.first_seed, args.sessions, exam, jobs=args.jobs)
    as_json = json.dumps(summary.to_json(results)) + "\n"
    sys.stdout.write(as_json if args.json else summary.to_text(results))
    if len(results) < args.sessions:
        raise KeyboardInterrupt
    return int(summary.is_any_wrong(results))


def _line(name: str, value: float) -> str:
    """Format a figure for people; counts and rates have no decimals."""
    return f"{name:50}{value:12.3f}\n" if isinstance(value, float) else f"{name:50}{value:12,}\n"
