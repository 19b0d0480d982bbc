# SPDX-License-Identifier: MIT
"""The owner's dice settle a number that is open, and overrule no net."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.support.drawn_dice import FaceDrawing, drawn_tray
from tests.vision.faces import make_candidate, make_face
from vision.frame import Image
from vision.nets.weighing import Verdict, Weighing
from vision.own_dice.known_faces import KnownFace, OwnDice
from vision.tile_verdicts import Candidate, lift_doubts
from vision.tiles import cut_tiles

_EDGE_PX = 60.0
_WEIGHING = Weighing(
    die_weights=(0.0,) * 8,
    right_weights=(0.0,) * 9,
    least_right=0.98,
    least_right_told=0.98,
    least_die=0.1,
    least_die_missing=0.2,
    least_die_met=0.5,
    most_odd=0.9,
)


def _tile(number: int) -> Image:
    image = drawn_tray([FaceDrawing(number, 100, 100, edge_px=_EDGE_PX)], size_wh=(200, 200))
    halves = np.eye(2)[None] * _EDGE_PX / 2.0
    return np.asarray(cut_tiles(image, np.array([(100.0, 100.0)]), halves)[0], np.uint8)


@pytest.fixture(scope="module")
def own_dice() -> OwnDice:
    return OwnDice.of([KnownFace.from_tile(_tile(number), number) for number in range(1, 7)])


def _open_candidate(
    number: int = 5, *, shown: int = 5, die: float = 0.9, right: float = 0.6
) -> Candidate:
    """Return a candidate with one number by the nets, and another one in its tile."""
    candidate = make_candidate(make_face(100, 100, number=number), die=die, right=right)
    return replace(candidate, tile=_tile(shown))


def test_an_open_number_that_the_owner_knows_is_read(own_dice: OwnDice) -> None:
    (settled,) = lift_doubts([_open_candidate()], own_dice, _WEIGHING)
    assert settled.verdict == Verdict(5, 0.9, 0.98)
    assert settled.face.confidence == 0.98


@pytest.mark.parametrize(
    "candidate",
    [_open_candidate(6, shown=5), _open_candidate(die=0.09), _open_candidate(right=0.99)],
    ids=["another number", "hardly a die", "already read"],
)
def test_everything_else_stays_as_it_is(own_dice: OwnDice, candidate: Candidate) -> None:
    assert lift_doubts([candidate], own_dice, _WEIGHING) == [candidate]


@pytest.mark.parametrize("witness", ["tile", "opinion"])
@pytest.mark.parametrize("other", [0, 6])
def test_an_opinion_that_is_sure_of_something_else_stands(
    own_dice: OwnDice, witness: str, other: int
) -> None:
    candidate = _open_candidate()
    sure = np.full(7, 0.01)
    sure[other] = 0.94
    before = candidate.evidence
    is_tile = witness == "tile"
    evidence = replace(before, tile=sure) if is_tile else replace(before, opinion=sure)
    candidate = replace(candidate, evidence=evidence)
    assert lift_doubts([candidate], own_dice, _WEIGHING) == [candidate]


def test_each_candidate_keeps_its_position_in_the_list(own_dice: OwnDice) -> None:
    candidates = [
        _open_candidate(right=0.99),
        _open_candidate(3, shown=3),
        _open_candidate(2, shown=4),
    ]
    settled = lift_doubts(candidates, own_dice, _WEIGHING)
    assert [one.verdict.right for one in settled] == [0.99, 0.98, 0.6]
    assert lift_doubts([], own_dice, _WEIGHING) == []
