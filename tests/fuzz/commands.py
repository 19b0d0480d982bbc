# SPDX-License-Identifier: MIT
"""Run commands of the product in this process, and judge how they end."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

from controller.cli.main import main

MOST_ERROR_LINES = 3
"""A refusal is one line; `read` and `replay` print one for each file, and argparse the usage."""


class DiedError(AssertionError):
    """A command ended otherwise than a command may."""


def run_command(*arguments: str | Path) -> str:
    """Run a command; return its exit status and what it printed on standard error."""
    with _captured() as errors:
        try:
            status: object = main([*map(str, arguments)])
        except SystemExit as ended:
            status = ended.code
    text = errors[0]
    if status not in (0, 1, 2):
        raise DiedError(f"{arguments[0]} ended with {status!r}")
    if "Traceback" in text or (_count_lines(text) > MOST_ERROR_LINES):
        raise DiedError(f"{arguments[0]} ended with {status!r} and printed {text[:2000]!r}")
    return f"{arguments[0]} {status} {text}"


def _count_lines(text: str) -> int:
    return len([line for line in text.splitlines() if not line.startswith((" ", "usage:"))])


@contextlib.contextmanager
def _captured() -> Iterator[list[str]]:
    """Give standard output to a file, and yield a list that gets standard error at the end."""
    errors: list[str] = []
    with (
        tempfile.TemporaryFile("w+", encoding="utf-8") as out,
        tempfile.TemporaryFile("w+", encoding="utf-8") as error,
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(error),
    ):
        try:
            yield errors
        finally:
            error.seek(0)
            errors.append(error.read())
