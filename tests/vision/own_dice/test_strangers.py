# SPDX-License-Identifier: MIT
"""What differs from the table's dice in size or color stops no roll that is complete."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.faces import make_candidate, make_face
from tests.vision.mapped import upright_map
from vision.nets.weighing import Weighing
from vision.own_dice.known_faces import KnownFace, OwnDice
from vision.own_dice.strangers import dismiss_strangers
from vision.params.reader import StrangerParams
from vision.tile_verdicts import Candidate
from vision.tiles import TILE_PX

_TRAY = upright_map()
_EDGE_PX = _TRAY.edge_px_at(np.array([320.0, 240.0]))
_WHITE, _RED = (225, 230, 230), (40, 40, 200)


def _candidate(
    *,
    size: float = 1.0,
    bgr: tuple[int, int, int] = _WHITE,
    die: float = 0.4,
    right: float = 0.3,
) -> Candidate:
    """Return a candidate in the middle of the picture."""
    face = make_face(320, 240, edge_px=size * _EDGE_PX)
    candidate = make_candidate(face, die=die, right=right)
    return replace(candidate, tile=np.full((TILE_PX, TILE_PX, 3), bgr, np.uint8))


def _may_be_ours(candidate: Candidate, own_dice: OwnDice | None) -> bool:
    left = dismiss_strangers(
        [candidate],
        Weighing.load(),
        StrangerParams(),
        tray=_TRAY,
        own_dice=own_dice,
        expect=5,
    )
    return left == [candidate]


@pytest.fixture(scope="module")
def white_dice() -> OwnDice:
    return OwnDice.of([KnownFace.from_tile(_candidate().tile, 1)])


@pytest.mark.parametrize("size", [0.5, 0.75, 1.35, 2.0])
def test_a_thing_of_another_size_is_dismissed(size: float) -> None:
    assert not _may_be_ours(_candidate(size=size), None)


@pytest.mark.parametrize("size", [0.85, 1.0, 1.2])
def test_a_thing_of_a_dies_size_stays(size: float, white_dice: OwnDice) -> None:
    assert _may_be_ours(_candidate(size=size), None)
    assert _may_be_ours(_candidate(size=size), white_dice)


def test_a_thing_of_another_color_is_dismissed(white_dice: OwnDice) -> None:
    assert _may_be_ours(_candidate(bgr=_RED), None), "no color is known yet"
    assert not _may_be_ours(_candidate(bgr=_RED), white_dice)


@pytest.mark.parametrize("sure", [{"die": 0.8}, {"right": 0.999}], ids=["a die", "read"])
def test_a_sure_die_of_another_set_stays(sure: dict[str, float], white_dice: OwnDice) -> None:
    assert _may_be_ours(_candidate(size=1.4, bgr=_RED, **sure), white_dice)
