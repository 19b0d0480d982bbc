# SPDX-License-Identifier: MIT
"""What can be said of dice in a sentence: nothing against them, or which face comes too often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from controller.base.languages.message import Message, Number, message, plural_message
from controller.history.fairness.face_test import (
    FACES,
    Bounds,
    bound_share,
    find_chance,
    find_evidence,
)
from controller.history.fairness.hand_test import find_bond_evidence
from controller.history.fairness.repeat_test import Repeats, find_repeat_evidence

SLACK = 0.005
"""
By how much a face of a fair set may differ from 1/6. It leaves room for moulded dice, and for a
reader that doubts one face more often than another. No such shift was measured that differs from 0
(`bench accuracy --clean`), so it is the same for all faces; `docs/fairness.md` has the figures.
"""
TOLERANT: Bounds = ((1 / FACES - SLACK, 1 / FACES + SLACK),) * FACES
ALARM = 20.0
"""Evidence from which dice are spoken against; fair ones ever reach it in 1 of 20 sets at most."""
_LEVELS = (1_000_000, 1000, 100, 20)


@dataclass(frozen=True, slots=True)
class DiceCounts:
    """The throws of a set of dice."""

    faces: Sequence[int]  # How often each of the six faces was thrown, where the reader was sure.
    # Dice of throws that were doubted, corrected or entered by hand. Doubts may depend on the face,
    # so these dice may have shown anything.
    unsure: int = 0
    # Dice that may have been thrown. Some may have stayed; a hand set others, perhaps to straighten
    # them.
    untold: int = 0
    pairs: Mapping[int, tuple[int, int]] | None = None  # As `find_bond_evidence` takes them.
    # As `find_repeat_evidence` takes them.
    repeats: Mapping[tuple[int, ...], Repeats] | None = None


@dataclass(frozen=True, slots=True)
class DiceVerdict:
    """What the throws of a set of dice say of it."""

    chance: float  # How likely exactly fair dice ever differ so much, at most; from 0 to 1.
    is_suspect: bool  # Whether there is evidence against dice that are fair within `TOLERANT`.
    face: int  # The face that differs most, 1 to 6; 0 without throws.
    share: tuple[float, float, float]  # Its share, with its lower and its upper bound.
    # Whether dice that the reader doubted, or that were entered by hand, could explain the
    # difference.
    is_explained: bool
    bond_chance: float  # How likely independent dice ever give this evidence, by their equal faces.
    # How likely throws that do not depend on how the dice lay before ever give this evidence, by
    # faces that return and by opposite ones.
    repeat_chance: float


def judge_dice(counted: DiceCounts) -> DiceVerdict:
    counts, total = counted.faces, sum(counted.faces)
    differences = [count - total / FACES for count in counts]
    place = max(range(FACES), key=lambda n: abs(differences[n]))
    is_suspect = find_evidence(counts, TOLERANT) >= log(ALARM)
    filled = _fill_up(counts, counted.unsure + counted.untold)
    share = (
        (counts[place] / total, *bound_share(counts[place], total)) if total else (0.0, 0.0, 1.0)
    )
    return DiceVerdict(
        chance=find_chance(find_evidence(counts)),
        is_suspect=is_suspect,
        face=place + 1 if total else 0,
        share=share,
        is_explained=is_suspect and find_evidence(filled, TOLERANT) < log(ALARM),
        bond_chance=find_chance(find_bond_evidence(counted.pairs or {})),
        repeat_chance=find_chance(find_repeat_evidence(counted.repeats or {}, TOLERANT)),
    )


def describe_verdict(
    verdict: DiceVerdict, counted: DiceCounts, *, is_one_die: bool = False
) -> tuple[Message, ...]:
    """Return what a page says of dice, or of one die, in a sentence or some."""
    total = sum(counted.faces)
    if not total:
        return ()
    if verdict.is_suspect:
        # Uneven faces alone make equal ones more frequent, so throws are not judged here.
        return tuple(_describe_suspect(verdict, counted))
    number = Number(total, ",")
    said = [message("Nothing against these dice in {count} faces.", count=number)]
    if is_one_die:
        said = [
            plural_message(
                "Nothing against this die in {throws} throw.",
                "Nothing against this die in {throws} throws.",
                total,
                throws=number,
            )
        ]
    if verdict.bond_chance < 1 / ALARM:
        said.append(message("Dice thrown together show equal faces too often or too seldom."))
    if verdict.repeat_chance < 1 / ALARM:
        said.append(
            message(
                "Too often dice show the same faces as before the throw, or the opposite ones."
                " Shake them longer."
            )
        )
    return tuple(said)


def _describe_suspect(verdict: DiceVerdict, counted: DiceCounts) -> list[Message]:
    often, low, high = verdict.share
    values = {
        "face": str(verdict.face),
        "share": Number(1 / often, ".1f") if often else "\N{INFINITY}",
        "least": Number(1 / low, ".1f") if low > 0 else "\N{INFINITY}",
        "most": Number(1 / high, ".1f"),
    }
    if often > 1 / FACES:
        said = [message("The {face} comes too often: 1 in {share} ({least} to {most}).", **values)]
    else:
        said = [message("The {face} comes too seldom: 1 in {share} ({least} to {most}).", **values)]
    evidence = exp(min(find_evidence(counted.faces, TOLERANT), 700.0))
    level = next(each for each in _LEVELS if evidence >= each)
    said.append(message("By chance less than 1 in {level}.", level=Number(level, ",")))
    if verdict.is_explained:
        said.append(
            message(
                "The {count} dice that were doubted, set or entered by hand could explain it.",
                count=Number(counted.unsure + counted.untold, ","),
            )
        )
    return said


def _fill_up(counts: Sequence[int], unsure: int) -> list[int]:
    """Return the counts with the unsure dice where they make the faces most equal."""
    order = sorted(range(FACES), key=lambda face: counts[face])
    filled = list(counts)
    for place in range(1, FACES + 1):
        ceiling = filled[order[place]] if place < FACES else filled[order[-1]] + unsure
        step = min(unsure // place, ceiling - filled[order[place - 1]])
        for face in order[:place]:
            filled[face] += step
        unsure -= step * place
    return filled
