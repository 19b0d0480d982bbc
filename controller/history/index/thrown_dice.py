# SPDX-License-Identifier: MIT
"""
Find the thrown dice of a roll, without those that stayed or that a hand set, and list their rows.

Of a roll that the camera read, every die has an origin. Of one that was entered by hand only their
number is known, from the rules or from what the camera had seen, and sometimes not even that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from operator import add
from typing import Any

from controller.games.contract import FreeThrows, GameState
from controller.history.fairness.hand_test import count_pairs
from controller.history.fairness.repeat_test import count_repeats
from controller.table.events import KEPT, PLACED, TURNED
from controller.table.state import LastRoll, TableState

_BY_A_HAND = (PLACED, TURNED)


@dataclass(frozen=True, slots=True)
class ThrownDice:
    """The dice of one roll that were thrown."""

    seat: int
    dice_set: str  # The name of the set of dice that was on the table.
    # Colour and face of each, as far as single dice are known.
    dice: tuple[tuple[str, int], ...] = ()
    is_full: bool = False  # Whether none stayed.
    is_sure: bool = False  # Whether the reader read them, without a doubt.
    thrown: int = 0  # How many dice were thrown for certain.
    # How many others may have been thrown; a hand may have straightened them after it.
    untold: int = 0
    lone: frozenset[str] = frozenset()  # The colours that exactly one die in the tray had.
    # The faces that the same dice showed before they were thrown; empty if not known.
    before: tuple[int, ...] = ()

    @property
    def faces(self) -> tuple[int, ...]:
        return tuple(face for _, face in self.dice)


def find_thrown(
    state: TableState, dice: tuple[str, ...], about: ThrownDice, lay: tuple[int, ...]
) -> ThrownDice:
    """Return the thrown dice of the last roll; `lay` are the faces before, empty if unknown."""
    last = state.play.last_roll
    assert last is not None, "a roll was just applied"
    if last.before.required_dice(last.by):
        return about
    if state.play.by_hand:
        return _count_entered(state, last, dice, about)
    is_free = isinstance(last.before, FreeThrows)
    stayed = Counter(last.before.dice_to_leave(last.by))
    thrown, left = [], []
    read = _pair_read(state, last, dice)
    for die, (colour, origin) in zip(dice, read, strict=True):
        if stayed[die]:
            stayed[die] -= 1
            left.append(int(die[-1]))
        elif is_free and origin == KEPT:
            left.append(int(die[-1]))
        elif origin not in _BY_A_HAND:
            thrown.append((colour, int(die[-1])))
    before = Counter(lay)
    before.subtract(left)
    is_known = len(thrown) + len(left) == len(dice) == len(lay) and min(before.values()) >= 0
    colours = Counter(colour for colour, _ in read)
    return replace(
        about,
        dice=tuple(thrown),
        is_full=len(thrown) == len(dice),
        thrown=len(thrown),
        untold=len(dice) - len(thrown) - len(left),
        lone=frozenset(colour for colour, count in colours.items() if count == 1),
        before=tuple(sorted(before.elements())) if is_known else (),
    )


def correct_thrown(old: ThrownDice, dice: tuple[str, ...]) -> ThrownDice:
    """Return the thrown dice of a roll that was corrected to these faces."""
    faces = tuple(("", int(die[-1])) for die in dice) if old.is_full else ()
    return replace(old, dice=faces, is_sure=False, before=())


def _count_entered(
    state: TableState, last: LastRoll, dice: tuple[str, ...], about: ThrownDice
) -> ThrownDice:
    """Return how many dice of a roll were thrown that was entered by hand."""
    stayed = len(last.before.dice_to_leave(last.by))
    seen = state.dice_on_felt
    if len(seen) == len(dice):
        untold = sum(die.origin in _BY_A_HAND for die in seen)
        stayed = max(stayed, sum(die.origin == KEPT for die in seen))
        thrown = max(0, len(dice) - stayed - untold)
    elif _leaves_any_dice(last.before):
        thrown, untold = 0, len(dice)
    else:
        thrown, untold = len(dice) - stayed, 0
    is_full = thrown == len(dice)
    faces = tuple(("", int(die[-1])) for die in dice) if is_full else ()
    return replace(about, dice=faces, is_full=is_full, thrown=thrown, untold=untold)


def _leaves_any_dice(before: GameState) -> bool:
    """Return whether some dice stayed, and only the players know which."""
    return isinstance(before, FreeThrows) and not any(map(before.change_count, (-1, 1)))


def _pair_read(
    state: TableState, last: LastRoll, dice: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    """Return colour and origin of each die, as it was read."""
    rules = state.play.rules
    read: dict[str, list[tuple[str, str]]] = {}
    for die in last.dice:
        about = (die.colour, die.origin) if die.edge_px else ("", "")
        read.setdefault(rules.die_text(die.face, die.polarity), []).append(about)
    return tuple(read[die].pop() if read.get(die) else ("", "") for die in dice)


DICE_TABLES = ("faces", "sums", "hands", "repeats", "unsure")
_Rows = list[tuple[int | str, ...]]


def list_dice_rows(thrown: Sequence[ThrownDice]) -> Mapping[str, _Rows]:
    """Return by table the rows of a game's throws, without the number of the game."""
    sure = [one for one in thrown if one.is_sure and one.dice]
    return {
        "faces": _list_faces(sure),
        # By seat and number of dice: how often they gave a sum.
        "sums": _add_up(
            ((one.seat, len(one.dice), sum(one.faces)), (1,))
            for one in thrown
            if one.is_full and one.dice
        ),
        # By seat, set and number of dice thrown at once: throws, and pairs of equal dice.
        "hands": _add_up(
            ((one.seat, one.dice_set, len(one.dice)), (1, count_pairs(one.faces))) for one in sure
        ),
        # By seat, set and faces before the throw: what `count_repeats` counts.
        "repeats": _add_up(
            (
                (one.seat, one.dice_set, "".join(map(str, one.before))),
                astuple(count_repeats(one.before, one.faces)),
            )
            for one in sure
            if one.before
        ),
        # By seat and set: the dice thrown in unsure throws, and those perhaps thrown.
        "unsure": _add_up(
            ((one.seat, one.dice_set), (0 if one.is_sure else one.thrown, one.untold))
            for one in thrown
            if one.untold or (one.thrown and not one.is_sure)
        ),
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


def _add_up(throws: Iterable[tuple[tuple[Any, ...], tuple[int, ...]]]) -> _Rows:
    """Return a row for each key: the key, and the sums of what its throws count."""
    found: dict[tuple[Any, ...], tuple[int, ...]] = {}
    for key, counted in throws:
        before = found.get(key, (0,) * len(counted))
        found[key] = tuple(map(add, before, counted))
    return [(*key, *sums) for key, sums in sorted(found.items())]
