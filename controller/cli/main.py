# SPDX-License-Identifier: MIT
"""
The entry point: `dicebell COMMAND ...`.

Every command is a module of `controller.cli`: `add_parser` adds its parser, whose help says what it
does and with which exit status it ends, and `run` does that and returns the status. What it refuses
ends here: one line on standard error, exit status 2.
"""

from __future__ import annotations

import argparse
import errno
import io
import logging
import os
import select
import sys
import threading
import traceback
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path

from controller.base.errors import RefusedError, format_one_line
from controller.base.logs import Log
from controller.base.version import program_version
from controller.cli.stopping import end_process
from vision.nets.onnx_net import WeightsError

COMMANDS = (
    *("demo", "run", "desk", "events", "lists", "archive", "season", "calibrate", "read", "replay"),
    *("analyse", "verify", "prove", "export", "report", "history", "fairness", "doctor", "pin"),
    *("bench", "backup", "restore", "update"),
)
"""The help lists them in this order."""

MODULES = {"desk": "tournament"}
"""Each command is a module beside this one, of the same name unless it is here."""

WRONG_INPUT_STATUS = 2
INTERRUPTED_STATUS = 130
DEAD_THREAD_STATUS = 70

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
MESSAGE_CHARACTERS = 1500
"""Longer than every message of the program; a text from a file may have any length."""


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run one command; return its exit status: 0 done, 1 done and the answer is no, 2 wrong.

    Without `arguments` it is the program itself, and threads that hang in a driver end with it.
    """
    status = _run_command(sys.argv[1:] if arguments is None else arguments)
    if arguments is None:
        end_process(status)
    return status


def _run_command(given: Sequence[str]) -> int:
    threading.excepthook = end_with_thread
    for stream in (sys.stdout, sys.stderr):
        # The name of a file may be in any bytes, and a name in letters that a terminal has not.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # All commands together take as much memory as reading does, so only one is loaded.
    commands = given[:1] if given and given[0] in COMMANDS else COMMANDS
    args = build_parser(commands).parse_args(given)
    try:
        status: int = args.run(args)
        sys.stdout.flush()
    except (RefusedError, WeightsError) as error:
        return _refuse(args.command, format_one_line(str(error), MESSAGE_CHARACTERS))
    except MemoryError:
        return _refuse(args.command, "expected enough memory, found too little")
    except KeyboardInterrupt:
        return INTERRUPTED_STATUS
    except OSError as error:
        if isinstance(error, BrokenPipeError) and _is_reader_gone():
            # The reader of the output has ended, as `head` does; nothing more can be printed.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 0
        # Files and devices that commands open have errors of their own; what is left is mostly
        # that the answer cannot be written, such as to a full disk.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _refuse(args.command, describe_system_error(error))
    return status


def _refuse(command: str, why: str) -> int:
    sys.stderr.write(f"dicebell {command}: {why}\n")
    return WRONG_INPUT_STATUS


def _is_reader_gone() -> bool:
    """Return whether standard output has no reader; other pipes and connections break too."""
    poller = select.poll()
    poller.register(sys.stdout.fileno(), select.POLLOUT)
    return any(events & (select.POLLERR | select.POLLHUP) for _, events in poller.poll(0))


def describe_system_error(error: OSError) -> str:
    """Return a line about an unexpected error with its source line; a full disk needs none."""
    found = error.strerror or str(error)
    if error.errno in NO_ROOM:
        return f"expected room for the answer, found {found}"
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{place.name} ({Path(place.filename).name}, line {place.lineno})"
    return f"expected no system error in {where}, found {found}"


def end_with_thread(died: threading.ExceptHookArgs) -> None:
    """
    End the process because one of its threads died.

    A table that works in part would show an outdated state. The next start restores the state from
    the journal.
    """
    name = died.thread.name if died.thread else "unknown"
    error = (died.exc_value or died.exc_type()).with_traceback(died.exc_traceback)
    try:
        Log("app").critical(f"the thread {name!r} died, so the process ends", error)
        logging.shutdown()
    finally:
        # Whatever ended the thread may end the log too, and a process that stays would hang.
        os._exit(DEAD_THREAD_STATUS)


def build_parser(commands: Iterable[str] = COMMANDS) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="dicebell",
        description="A table that reads real dice: camera, pips, rules, scoring on a kiosk.",
    )
    parser.add_argument("--version", action="version", version=program_version())
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in commands:
        command = import_module(f"controller.cli.{MODULES.get(name, name)}")
        command.add_parser(subparsers)
        subparsers.choices[name].set_defaults(run=command.run)
    return parser


if __name__ == "__main__":
    sys.exit(main())
