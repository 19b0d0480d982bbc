# SPDX-License-Identifier: MIT
"""
The list of a folder of photographs: what each shows, and where it comes from.

`manifest.jsonl` has one object a line, and the pictures lie beside it. The folder is never part of
the project: its pictures have licences of their own.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TypeVar

MANIFEST = "manifest.jsonl"

_HEAP = 8
"""So many dice, marked by their upper faces, are a heap: dice lie on others or are not marked."""

_Value = TypeVar("_Value")
_Json = dict[str, object]


class ManifestError(ValueError):
    """The list of photographs is missing, or wrong in a line or as a whole."""

    def __init__(self, path: Path, line: int | None, *, expected: str, found: str) -> None:
        where = path if line is None else f"{path}, line {line}"
        super().__init__(f"{where}: expected {expected}, found {found}")


class BoxKind(Enum):
    """What a box encloses; by how the `kind` of a box begins in the list."""

    WHOLE = "whole die"
    UPPER = "top face"


@dataclass(frozen=True, slots=True)
class Box:
    """One die in a photograph."""

    x: float  # Its first pixel, with `y`.
    y: float
    width: float
    height: float
    number: int  # The number up; 0 for a die without pips.
    kind: BoxKind
    colour: str  # The body's colour in one word, as guessed; "unknown" if it was not.


@dataclass(frozen=True, slots=True)
class Photograph:
    """One picture."""

    path: Path
    source: str  # Who made it: a name, and the repository that it comes from.
    repository: str
    licence: str
    boxes: tuple[Box, ...]  # Its dice; empty if they are not marked.
    is_negative: bool  # Whether it shows no upper face with pips.
    shows: str  # What is there instead of dice; empty for pictures of dice.
    is_crop: bool  # Whether it is cut close around one object.
    is_from_above: bool  # Whether the camera looked straight down.

    @property
    def is_heap(self) -> bool:
        """Whether dice may lie on others, or be there without a box."""
        return sum(box.kind is BoxKind.UPPER for box in self.boxes) >= _HEAP


def load_photographs(folder: Path) -> list[Photograph]:
    """
    Return the photographs of a folder, in the order of its list.

    Raises:
        ManifestError: There is no list, or a line of it is wrong.
    """
    path = folder / MANIFEST
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        found = (error.strerror or str(error)).lower()
        raise ManifestError(path, None, expected="a list of photographs", found=found) from error
    except UnicodeDecodeError as error:
        raise ManifestError(path, None, expected="UTF-8", found=str(error)) from error
    photographs = [
        _Line(path, number).read(line) for number, line in enumerate(lines, 1) if line.strip()
    ]
    if not photographs:
        raise ManifestError(path, None, expected="at least one photograph", found="none")
    return photographs


def leave_out(photographs: Iterable[Photograph], sources: Collection[str]) -> list[Photograph]:
    """
    Return the photographs of all other sources.

    Raises:
        ValueError: There is no such source.
    """
    photographs = list(photographs)
    for source in sources:
        of_source(photographs, source)
    return [one for one in photographs if not {one.source, one.repository} & set(sources)]


def of_source(photographs: Iterable[Photograph], source: str) -> list[Photograph]:
    """
    Return the photographs of one source, given by its name or its repository.

    Raises:
        ValueError: There is no such source.
    """
    photographs = list(photographs)
    found = [one for one in photographs if source in (one.source, one.repository)]
    if not found:
        names = ", ".join(sorted({one.source for one in photographs}))
        raise ValueError(f"expected one of the sources {names}; found {source!r}")
    return found


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of the list, for messages."""

    path: Path
    number: int

    def read(self, text: str) -> Photograph:
        try:
            given = json.loads(text)
        except ValueError as error:
            raise self.error("a JSON object", str(error)) from error
        if not isinstance(given, dict):
            raise self.error("a JSON object", text[:40])
        path = self.path.parent / self.read_value(given, "file", str)
        if not path.is_file():
            raise self.error(f"the picture {path}", "no such file")
        is_negative = self.read_value(given, "is_negative", bool)
        return Photograph(
            path=path,
            source=self.read_value(given, "source", str),
            repository=self.read_value(given, "source_repo", str),
            licence=self.read_value(given, "licence", str),
            boxes=tuple(
                self.read_box(box, is_negative) for box in self.read_value(given, "boxes", list)
            ),
            is_negative=is_negative,
            shows=self.read_value(given, "neg_kind", str) if is_negative else "",
            is_crop=self.read_value(given, "crop", bool, False),
            is_from_above=self.read_value(given, "view", str) == "top",
        )

    def read_box(self, given: object, is_negative: bool) -> Box:
        if not isinstance(given, dict):
            raise self.error("a box as a JSON object", repr(given))
        name = self.read_value(given, "kind", str)
        kind = next((one for one in BoxKind if name.startswith(one.value)), None)
        if kind is None:
            names = " or ".join(repr(one.value) for one in BoxKind)
            raise self.error(f"a kind of box that begins with {names}", repr(name))
        x, y, width, height = (self.read_length(given, name) for name in ("x", "y", "w", "h"))
        if min(width, height) <= 0:
            raise self.error("a box wider and higher than 0", f"{width} x {height}")
        number = 0 if is_negative else self.read_value(given, "value", int)
        if not is_negative and number not in range(1, 7):
            raise self.error("a value from 1 to 6", str(number))
        colour = self.read_value(given, "body_color_guess", str, "unknown")
        return Box(x, y, width, height, number, kind, colour)

    def read_value(
        self, given: _Json, name: str, kind: type[_Value], default: _Value | None = None
    ) -> _Value:
        """Return one property of an object, which must be of this type."""
        value = given.get(name, default)
        # A truth value is no number, although Python takes it for one.
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            found = repr(value) if name in given else "nothing"
            raise self.error(f"{name!r} of type {kind.__name__}", found)
        return value

    def read_length(self, given: _Json, name: str) -> float:
        value = given.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float):
            found = repr(value) if name in given else "nothing"
            raise self.error(f"{name!r} as a number of pixels", found)
        return float(value)

    def error(self, expected: str, found: str) -> ManifestError:
        return ManifestError(self.path, self.number, expected=expected, found=found)
