# SPDX-License-Identifier: MIT
"""The rows of the index about the thrown dice of one game."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from controller.history.fairness.hand_test import count_pairs
from controller.history.fairness.repeat_test import count_repeats
from controller.history.index.thrown_dice import ThrownDice

DICE_TABLES = ("faces", "sums", "hands", "repeats", "unsure")

_Rows = list[tuple[int | str, ...]]


def list_dice_rows(thrown: Sequence[ThrownDice]) -> Mapping[str, _Rows]:
    """Return by table the rows of a game's throws, without the number of the game."""
    sure = [one for one in thrown if one.is_sure and one.dice]
    return {
        "faces": _list_faces(sure),
        "sums": _list_sums(thrown),
        "hands": _list_hands(sure),
        "repeats": _list_repeats(sure),
        "unsure": _list_unsure(thrown),
    }


def _list_faces(sure: Sequence[ThrownDice]) -> _Rows:
    """Return by seat, set and colour how often each face fell, and how often one die had it."""
    counts: Counter[tuple[int, str, str, int]] = Counter()
    for one in sure:
        counts.update((one.seat, one.dice_set, colour, face) for colour, face in one.dice)
        counts.update((one.seat, one.dice_set, colour, 0) for colour in one.lone)
    groups = sorted({key[:3] for key in counts})
    return [
        (*group, *(counts[*group, face] for face in range(1, 7)), counts[*group, 0])
        for group in groups
    ]


def _list_sums(thrown: Sequence[ThrownDice]) -> _Rows:
    sums = Counter(
        (one.seat, len(one.dice), sum(face for _, face in one.dice))
        for one in thrown
        if one.is_full and one.dice
    )
    return [(*key, times) for key, times in sorted(sums.items())]


def _list_hands(sure: Sequence[ThrownDice]) -> _Rows:
    """Return by seat, set and number of dice thrown at once: throws, and pairs of equal dice."""
    found: dict[tuple[int, str, int], list[int]] = defaultdict(lambda: [0, 0])
    for one in sure:
        row = found[one.seat, one.dice_set, len(one.dice)]
        row[0] += 1
        row[1] += count_pairs(tuple(face for _, face in one.dice))
    return [(*key, *row) for key, row in sorted(found.items())]


def _list_repeats(sure: Sequence[ThrownDice]) -> _Rows:
    """Return by seat, set and faces before the throw what `count_repeats` counts."""
    found: dict[tuple[int, str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for one in sure:
        if one.before:
            counted = count_repeats(one.before, tuple(face for _, face in one.dice))
            row = found[one.seat, one.dice_set, "".join(map(str, one.before))]
            row[0] += counted.dice
            row[1] += counted.equal
            row[2] += counted.opposite
    return [(*key, *row) for key, row in sorted(found.items())]


def _list_unsure(thrown: Sequence[ThrownDice]) -> _Rows:
    """Return by seat and set the dice thrown in unsure throws, and those perhaps thrown."""
    found: dict[tuple[int, str], list[int]] = defaultdict(lambda: [0, 0])
    for one in thrown:
        unsure = 0 if one.is_sure else one.thrown
        if unsure or one.untold:
            row = found[one.seat, one.dice_set]
            row[0] += unsure
            row[1] += one.untold
    return [(*key, *row) for key, row in sorted(found.items())]
