# SPDX-License-Identifier: MIT
"""
Learn every model of a table again from the pictures that its entry names, and compare.

The same bytes and the same nets give the same model, but for last digits. With other nets, or if
a picture is gone, nothing can be compared; then there is one note for the whole journal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.store import Calibration
from controller.runtime.calibration.teaching import ReadPicture, Teacher
from controller.verify.findings import Finding, FindingKind
from vision.face import Floats
from vision.table_model.background import Background
from vision.table_model.model import LIT_VERSION, TableModel
from vision.table_model.model_text import StoredModel
from vision.tray_map import TrayMap

_LEVELS, _SHARE = 16, 0.01
"""Levels by which a pixel of the ground may differ, and the share that may differ by more."""

_LOGARITHM, _LIMIT_SHARE = 0.1, 0.1
"""How far logarithms of colours may differ, and the share by which numbers and limits may."""

_LEGIBLE = 0.3
"""How far the share of dice that were read may differ: one of four may be at the limit."""

_NUMBERS = (
    *("aspect", "focal", "size", "least_changed", "least_odds"),
    *("most_contrast", "most_hue", "most_light", "most_new", "most_size"),
)


class TableModelCheck:
    """The check of what a table learnt from the pictures that this reads."""

    def __init__(self, read_picture: ReadPicture) -> None:
        self._read_picture = read_picture
        self._tray: TrayMap | None = None
        self._teacher: Teacher | None = None
        self._unchecked = 0

    def check(self, stored: StoredModel, tray: TrayMap) -> Iterator[Finding]:
        """Learn the model again with a map, and yield a finding if it is another one."""
        model = stored.decode()
        if stored.is_inline:
            return
        if self._teacher is None or tray != self._tray:
            live = ActiveCalibration(Calibration(tray, None, 0.0, ""))
            self._tray, self._teacher = tray, Teacher(live, self._read_picture)
        again = None
        if stored.is_by_these_nets:
            again = self._teacher.learn(stored.lessons, version=stored.version)
        is_there = bool(stored.picture) or not stored.background
        if again is None or again.lessons != stored.lessons or not is_there:
            self._unchecked += 1
        elif difference := find_difference(model, again.decode(), version=stored.version):
            what = "the confirmed pictures do not teach what this entry says"
            yield Finding(FindingKind.TABLE_MODEL, what, found=difference)

    def finish(self) -> Iterator[Finding]:
        """Yield the note about models that could not be compared."""
        if self._unchecked:
            what = (
                f"what the table had learnt is not checked in {self._unchecked} of its entries:"
                " pictures are missing, or this program has other nets"
            )
            yield Finding(FindingKind.TABLE_UNCHECKED, what)


def find_difference(one: TableModel, other: TableModel, *, version: int) -> str:
    """
    Return what two models clearly differ in; empty if nothing.

    Of a text from before `LIT_VERSION`, `legible` and `least_odds` are not compared: they depend on
    the look that its reader took at a picture.
    """
    channels = 3 if one.most_contrast is None else 4
    is_older = version < LIT_VERSION
    checks: tuple[tuple[str, Callable[[], bool]], ...] = (
        ("its ground", lambda: _is_same_ground(one.background, other.background)),
        ("its colours", lambda: _are_near(one.colors, other.colors, channels)),
        ("its legible", lambda: is_older or _is_as_legible(one.legible, other.legible)),
        *(
            (f"its {name}", lambda name=name: _is_same_number(one, other, name))
            for name in _NUMBERS
            if getattr(one, name) is not None  # Older texts lack one.
            and not (name == "least_odds" and is_older)
        ),
    )
    return ", ".join(name for name, is_same in checks if not is_same())


def _is_same_ground(one: Background | None, other: Background | None) -> bool:
    if one is None or other is None:
        return one is other
    if one.image.shape != other.image.shape:
        return False
    off = np.abs(one.image.astype(int) - other.image).max(axis=2) > _LEVELS
    is_other = np.where(one.is_known & other.is_known, off, one.is_known != other.is_known)
    is_same_shade = float(np.abs(one.shade - other.shade).max()) <= _LOGARITHM
    return is_same_shade and float(is_other.mean()) <= _SHARE


def _are_near(one: Floats, other: Floats, channels: int) -> bool:
    if one.shape != other.shape:
        return False
    return float(np.abs(one - other)[:, :channels].max()) <= _LOGARITHM


def _is_as_legible(one: float | None, other: float | None) -> bool:
    if one is None or other is None:
        return True
    return abs(one - other) <= _LEGIBLE


def _is_same_number(one: TableModel, other: TableModel, name: str) -> bool:
    first, second = float(getattr(one, name)), float(getattr(other, name))
    return abs(first - second) <= _LIMIT_SHARE * max(first, second)
