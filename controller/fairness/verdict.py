# SPDX-License-Identifier: MIT
"""What can be said of dice in a sentence: nothing against them, or which face comes too often."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log

from controller.fairness.face_test import FACES, bound_share, find_chance, find_evidence
from controller.fairness.hand_test import find_bond_evidence
from controller.languages.message import Message, Number, message

SLACK = 0.005
"""
By how much a face of a fair set may differ from 1/6. It leaves room for moulded dice, and for a
reader that doubts one face more often than another; `docs/fairness.md` has its figures.
"""
ALARM = 20.0
"""Evidence from which dice are spoken against; fair ones ever reach it in 1 of 20 sets at most."""
_LEVELS = (1_000_000, 1000, 100, 20)


@dataclass(frozen=True, slots=True)
class DiceVerdict:
    """
    What the throws of a set of dice say of it.

    Attributes:
        chance: How likely exactly fair dice ever differ so much, at most; from 0 to 1.
        is_suspect: Whether there is evidence against dice that are fair but for `SLACK`.
        face: The face that differs most, 1 to 6; 0 without throws.
        share: Its share, with its lower and its upper bound.
        is_explained: Whether dice that the reader doubted, or that were entered by hand, could
            explain the difference.
        bond_chance: How likely independent dice ever show so many or so few equal faces.
    """

    chance: float
    is_suspect: bool
    face: int
    share: tuple[float, float, float]
    is_explained: bool
    bond_chance: float


def judge_dice(
    counts: Sequence[int], unsure: int = 0, pairs: Mapping[int, tuple[int, int]] | None = None
) -> DiceVerdict:
    """
    Judge dice by their throws.

    Args:
        counts: How often each of the six faces was thrown, where the reader was sure.
        unsure: Dice of throws that were doubted or entered by hand. Doubts may depend on the
            face, so these dice may have shown anything.
        pairs: As `find_bond_evidence` takes them.
    """
    total = sum(counts)
    differences = [count - total / FACES for count in counts]
    place = max(range(FACES), key=lambda n: abs(differences[n]))
    is_suspect = find_evidence(counts, SLACK) >= log(ALARM)
    share = (
        (counts[place] / total, *bound_share(counts[place], total)) if total else (0.0, 0.0, 1.0)
    )
    return DiceVerdict(
        chance=find_chance(find_evidence(counts)),
        is_suspect=is_suspect,
        face=place + 1 if total else 0,
        share=share,
        is_explained=is_suspect and find_evidence(_fill_up(counts, unsure), SLACK) < log(ALARM),
        bond_chance=find_chance(find_bond_evidence(pairs or {})),
    )


def describe_verdict(
    verdict: DiceVerdict, counts: Sequence[int], unsure: int = 0
) -> tuple[Message, ...]:
    """Return what a page says of dice, in a sentence or some."""
    total = sum(counts)
    if not total:
        return ()
    said: list[Message] = []
    if verdict.is_suspect:
        often, low, high = verdict.share
        values = {
            "face": str(verdict.face),
            "share": Number(1 / often, ".1f") if often else "\N{INFINITY}",
            "least": Number(1 / low, ".1f") if low > 0 else "\N{INFINITY}",
            "most": Number(1 / high, ".1f"),
        }
        if often > 1 / FACES:
            said.append(
                message("The {face} comes too often: 1 in {share} ({least} to {most}).", **values)
            )
        else:
            said.append(
                message("The {face} comes too seldom: 1 in {share} ({least} to {most}).", **values)
            )
        evidence = exp(min(find_evidence(counts, SLACK), 700.0))
        level = next(each for each in _LEVELS if evidence >= each)
        said.append(message("By chance less than 1 in {level}.", level=Number(level, ",")))
    else:
        said.append(
            message("Nothing against these dice in {count} throws.", count=Number(total, ","))
        )
    if verdict.is_explained:
        said.append(
            message(
                "The {count} dice that were doubted or entered by hand could explain it.",
                count=Number(unsure, ","),
            )
        )
    if verdict.bond_chance < 1 / ALARM:
        said.append(message("Dice thrown together show equal faces too often or too seldom."))
    return tuple(said)


def _fill_up(counts: Sequence[int], unsure: int) -> list[int]:
    """Return the counts with the unsure dice where they make the faces most equal."""
    filled = sorted(counts)
    for place in range(1, FACES + 1):
        ceiling = filled[place] if place < FACES else filled[-1] + unsure
        step = min(unsure // place, ceiling - filled[place - 1])
        for n in range(place):
            filled[n] += step
        unsure -= step * place
    return filled
