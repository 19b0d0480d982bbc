# SPDX-License-Identifier: MIT
"""Lines of the log, for people at a terminal and for the journal of the system."""

from __future__ import annotations

import ast
import io
import logging
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.base.logs import LineFormatter, Log, RecentLines, field_text, set_up_logs
from tests.support.own_logs import logs_as_before

ROOT = Path(__file__).parents[3]
JOURNAL = {"JOURNAL_STREAM": "8:123"}


@pytest.fixture(autouse=True)
def _logging_as_before() -> Iterator[None]:
    with logs_as_before():
        yield


def test_the_journal_gets_the_level_and_the_fields() -> None:
    stream = io.StringIO()
    set_up_logs(stream=stream, environment=JOURNAL)
    Log("journal").warning("journal slow", ms=123.456, kind="roll", seq=7)
    Log("table").info("roll taken", roll="1 3 4", by_hand=False)
    assert stream.getvalue().splitlines() == [
        "<4>journal: journal slow ms=123.5 kind=roll seq=7",
        '<6>table: roll taken roll="1 3 4" by_hand=false',
    ]


def test_a_terminal_gets_the_time_and_names_only_what_is_grave() -> None:
    stream = io.StringIO()
    set_up_logs(stream=stream, environment={})
    Log("camera").info("camera opened", camera="pi 0")
    Log("table").warning("fault began", device="camera", what="the device is gone")
    first, second = stream.getvalue().splitlines()
    assert re.fullmatch(r'\d\d:\d\d:\d\d camera: camera opened camera="pi 0"', first)
    assert second.endswith('table: warning fault began device=camera what="the device is gone"')


def test_every_line_of_an_error_says_how_grave_it_is() -> None:
    stream = io.StringIO()
    set_up_logs(stream=stream, environment=JOURNAL)
    try:
        raise RuntimeError("the lens fell off")
    except RuntimeError as error:
        Log("app").critical("the thread died", error)
    lines = stream.getvalue().splitlines()
    assert len(lines) > 3
    assert all(line.startswith("<2>app: ") for line in lines)
    assert lines[-1].endswith("RuntimeError: the lens fell off")


def test_set_up_twice_tells_everything_once() -> None:
    stream = io.StringIO()
    set_up_logs(stream=io.StringIO(), environment=JOURNAL)
    set_up_logs(stream=stream, environment=JOURNAL)
    Log("app").info("start")
    assert stream.getvalue() == "<6>app: start\n"


def test_libraries_are_heard_only_when_they_warn() -> None:
    stream = io.StringIO()
    set_up_logs(stream=stream, environment=JOURNAL)
    logging.getLogger("waitress").info("Serving on everything")
    logging.getLogger("waitress.queue").warning("Task queue depth is 1")
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.warn("old-fashioned", DeprecationWarning, stacklevel=1)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "<4>waitress.queue: Task queue depth is 1"
    assert "old-fashioned" in lines[1]
    assert "Serving" not in stream.getvalue()


def test_what_is_below_the_level_is_not_told() -> None:
    stream = io.StringIO()
    set_up_logs(level=logging.CRITICAL, stream=stream, environment=JOURNAL)
    Log("table").warning("fault began")
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (12, "12"),
        (0.26, "0.3"),
        ("cocked,glare", "cocked,glare"),
        ("", '""'),
        ("two words", '"two words"'),
        ('a "quoted" word', '"a \\"quoted\\" word"'),
        ("line\n<0>forged", '"line\\n<0>forged"'),
        ("a=b", '"a=b"'),
    ],
)
def test_a_value_is_one_word_or_in_quotes(value: str | int | float | bool, text: str) -> None:
    assert field_text(value) == text


def test_the_last_lines_are_kept_and_the_oldest_go() -> None:
    recent = RecentLines(most=2)
    recent.setFormatter(LineFormatter(for_journal=True))
    for number in range(3):
        record = logging.LogRecord("dicebell.app", logging.INFO, "", 0, f"{number}", (), None)
        recent.handle(record)
    assert tuple(line.text for line in recent.lines()) == ("<6>app: 1", "<6>app: 2")


def is_log(receiver: ast.expr) -> bool:
    """Return whether it is a module's log, one of an object, or one made for a single line."""
    names = ("self._log", "Log('sound')")
    is_constant = isinstance(receiver, ast.Name) and receiver.id.isupper()
    return is_constant or ast.unparse(receiver) in names


def occasions() -> set[str]:
    """Return what is told anywhere in the product, the words that are always the same."""
    found = set()
    for path in (ROOT / "controller").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=receiver, attr="info" | "warning" | "error" | "write"),
                    args=[*_, ast.Constant(value=str(what))],
                ) if is_log(receiver):
                    found.add(what)
    return found


def test_every_line_is_documented() -> None:
    document = (ROOT / "docs" / "operations.md").read_text()
    documented = set(re.findall(r"^\| `\w+: ([^'`]+)` \|", document, re.MULTILINE))
    assert documented == occasions()
