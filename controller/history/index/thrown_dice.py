# SPDX-License-Identifier: MIT
"""
Find the thrown dice of a roll, without those that stayed or that a hand set, and list their rows.

Of a roll that the camera read, every die has an origin. Of one that was entered by hand only their
number is known, from the rules or from what the camera had seen, and sometimes not even that.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

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
