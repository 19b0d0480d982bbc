# SPDX-License-Identifier: MIT
"""
Rules for single values in the entries of an event.

A rule checks a value as it stands in JSON and returns it as Python holds it. Every error
names the key, what was expected there and what was found. Nothing is corrected silently:
one entry has one spelling. These rules are part of the format and never become narrower, because
journals are read with them; what people enter has to follow `controller.games.player_names` too.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from controller.base.errors import InputError, format_one_line
from controller.base.languages.message import message
from controller.games.player_names import compute_written_look, normalize_name
from controller.journal.picture_refs import is_digest
from controller.journal.records.record import format_value

Rule: TypeAlias = Callable[[object, str], Any]
"""Takes a value and where it stands; returns it, or raises InputError."""

LONGEST_NAME = 40
LONGEST_REASON = 300
MOST_TIME_MS = 1 << 53  # The largest whole number that every JSON reader keeps exactly.

_DICE = re.compile(r"[1-6]{5}")
_FACES = re.compile(r"[1-6]{1,100}")
_PERSON_KEY = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,30}[A-Za-z0-9])?")
RULE = "rule"  # The key of the rule in the metadata of a field.


@dataclass(frozen=True, slots=True)
class Source:
    """The line of a table's journal that an entry is about."""

    box: str  # The public key of the table, in hexadecimal.
    seq: int
    link: str


def with_rule(rule: Rule, **default: Any) -> Any:
    """Return a field of a dataclass with a rule; one with a default may be absent."""
    return field(metadata={RULE: rule}, **default)


def refuse(expected: str, value: object, where: str) -> InputError:
    """Return the error of a value that is not what stands in `expected`."""
    if isinstance(value, str):
        value = format_one_line(value, LONGEST_NAME)
    return InputError(expected=expected, found=format_value(value), where=where)


def whole(least: int, most: int) -> Rule:
    """Return the rule of a whole number within limits."""

    def check(value: object, where: str) -> int:
        if type(value) is not int or not least <= value <= most:
            expected = message(
                "a whole number from {least} to {most}", least=str(least), most=str(most)
            )
            raise refuse(expected, value, where)
        return value

    return check


def flag(value: object, where: str) -> bool:
    """Check a value that is true or false."""
    if type(value) is not bool:
        raise refuse(message("true or false"), value, where)
    return value


def one_of(*names: str) -> Rule:
    """Return the rule of a text from a list."""

    def check(value: object, where: str) -> str:
        if not isinstance(value, str) or value not in names:
            raise refuse(message("one of {names}", names=", ".join(names)), value, where)
        return value

    return check


def line(most: int, *, may_be_empty: bool = False) -> Rule:
    """Return the rule of a text for people: one line that shows something."""

    def check(value: object, where: str) -> str:
        if isinstance(value, str) and may_be_empty and not value:
            return value
        if not isinstance(value, str) or not _is_line(value, most):
            expected = message("a text of one line, 1 to {most} characters", most=str(most))
            raise refuse(expected, value, where)
        return value

    return check


def person(value: object, where: str) -> str:
    """Check the name of a player or an official: visible, and in its normal form."""
    name: str = line(LONGEST_NAME)(value, where)
    if name != normalize_name(name):
        expected = message("a name in its normal form, without spaces around it")
        raise refuse(expected, value, where)
    return name


def person_key_or_empty(value: object, where: str) -> str:
    """Check the key by which a club or a federation knows a person, such as `DE-1234`."""
    if value != "" and not (isinstance(value, str) and _PERSON_KEY.fullmatch(value)):
        expected = message("up to 32 letters and digits, with . _ / - between them")
        raise refuse(expected, value, where)
    return str(value)


def digest(value: object, where: str) -> str:
    """Check 64 hexadecimal digits in lower case: a key, a link or a SHA-256."""
    if not is_digest(value):
        raise refuse(message("64 hexadecimal digits in lower case"), value, where)
    return value


def dice(value: object, where: str) -> str:
    """Check five faces in ascending order, such as `13446`."""
    if not isinstance(value, str) or not _DICE.fullmatch(value) or "".join(sorted(value)) != value:
        raise refuse(message("five digits from 1 to 6, the smallest first"), value, where)
    return value


def faces(value: object, where: str) -> str:
    """Check the faces of a roll of any number of dice, in the order of the table's line."""
    if not isinstance(value, str) or not _FACES.fullmatch(value):
        raise refuse(message("1 to 100 digits from 1 to 6"), value, where)
    return value


def list_of(rule: Rule, least: int, most: int) -> Rule:
    """Return the rule of a list; it is held as a tuple."""

    def check(value: object, where: str) -> tuple[Any, ...]:
        if not isinstance(value, list | tuple) or not least <= len(value) <= most:
            expected = message("a list of {least} to {most}", least=str(least), most=str(most))
            raise refuse(expected, value, where)
        return tuple(rule(each, f"{where}[{number}]") for number, each in enumerate(value))

    return check


def different(value_rule: Rule) -> Rule:
    """Return the rule of a list in which no value stands twice."""

    def check(value: object, where: str) -> tuple[Any, ...]:
        values: tuple[Any, ...] = value_rule(value, where)
        if len(set(values)) < len(values):
            again = next(each for each in values if values.count(each) > 1)
            raise refuse(message("every value once"), again, where)
        return values

    return check


def optional(rule: Rule) -> Rule:
    """Return the rule of a value that may be null."""

    def check(value: object, where: str) -> Any:
        return None if value is None else rule(value, where)

    return check


def or_empty(rule: Rule) -> Rule:
    """Return the rule of a text that may be empty."""

    def check(value: object, where: str) -> Any:
        return "" if value == "" else rule(value, where)

    return check


def options(value: object, where: str) -> Mapping[str, bool | int]:
    """Check the options of a game; the game itself checks their names."""
    if not isinstance(value, Mapping):
        raise refuse(message("an object"), value, where)
    for name, setting in value.items():
        if not isinstance(setting, bool | int):
            expected = message("true, false or a whole number")
            raise refuse(expected, setting, f"{where}.{name}")
    return dict(value)


def source(value: object, where: str) -> Source:
    """Check the line of a table's journal; a `Source` is taken as it is."""
    if isinstance(value, Source):
        value = {"box": value.box, "seq": value.seq, "link": value.link}
    if not isinstance(value, Mapping) or set(value) != {"box", "seq", "link"}:
        raise refuse(message("the keys {names}", names="box, seq, link"), value, where)
    return Source(
        digest(value["box"], f"{where}.box"),
        whole(0, MOST_TIME_MS)(value["seq"], f"{where}.seq"),
        digest(value["link"], f"{where}.link"),
    )


@lru_cache(maxsize=1024)
def _is_line(text: str, most: int) -> bool:
    is_one_line = all(unicodedata.category(sign) not in ("Cc", "Cs", "Zl", "Zp") for sign in text)
    return 0 < len(text) <= most and is_one_line and compute_written_look(text) != ""
