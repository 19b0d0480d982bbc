# SPDX-License-Identifier: MIT
"""A face is read only when both opinions say it; a doubt says which differed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.drawn_dice import FaceDrawing, drawn_tray
from vision.decide import Decision, decide
from vision.frame import Image
from vision.judge import Verdict, judge
from vision.learned.finder import Proposal
from vision.params import ReadParams
from vision.reading import DoubtKind

_PARAMS = ReadParams()
_EDGE_PX = 60.0


@dataclass(frozen=True, slots=True)
class _Net:
    """Says the numbers it is told to say, with this share."""

    numbers: Sequence[int]
    share: float = 0.98

    def judge(self, tiles: Image) -> NDArray[np.float32]:
        shares = np.full((len(tiles), 7), (1.0 - self.share) / 6.0, np.float32)
        shares[np.arange(len(tiles)), list(self.numbers)] = self.share
        return shares


def _proposal(x: float, y: float, *, likeness: float = 0.9, odd: float = 0.0) -> Proposal:
    return Proposal(np.array([x, y]), np.eye(2) * _EDGE_PX / 2.0, likeness, odd)


def _verdicts(faces: list[FaceDrawing], proposals: list[Proposal], net: _Net) -> list[Verdict]:
    image = drawn_tray(faces)
    return judge(image, proposals, net, _PARAMS.geometry, _PARAMS.judge)


def _decided(faces: list[FaceDrawing], proposals: list[Proposal], net: _Net) -> Decision:
    return decide(_verdicts(faces, proposals, net), _PARAMS)


_FOUR = [FaceDrawing(4, 200, 180)]
_THERE = [_proposal(201, 179)]


def test_what_both_say_is_read_in_picture_pixels() -> None:
    decision = _decided(_FOUR, _THERE, _Net([4]))
    (top,) = decision.choice.tops
    assert (top.face.number, decision.doubts) == (4, [])
    np.testing.assert_allclose(top.face.center, (200, 180), atol=0.7)
    assert 2.0 * top.body.half_edge * top.face.step == pytest.approx(_EDGE_PX, rel=0.05)


@pytest.mark.parametrize("net", [_Net([5]), _Net([0]), _Net([4], share=0.6)])
def test_what_only_geometry_says_is_a_doubt_in_its_place(net: _Net) -> None:
    decision = _decided(_FOUR, _THERE, net)
    assert decision.choice.tops == []
    (doubt,) = decision.doubts
    assert (doubt.kind, doubt.center_px) == (DoubtKind.UNSURE, (201.0, 179.0))


def test_what_only_the_net_says_is_a_doubt() -> None:
    blank = [FaceDrawing(0, 200, 180)]
    decision = _decided(blank, _THERE, _Net([4]))
    assert (decision.choice.tops, len(decision.doubts)) == ([], 1)


def test_what_the_finder_is_sure_of_and_nobody_reads_is_a_doubt() -> None:
    assert len(_decided([FaceDrawing(0, 200, 180)], _THERE, _Net([0])).doubts) == 1


def test_what_one_witness_half_believes_is_rejected_with_its_reason() -> None:
    weak = [_proposal(200, 180, likeness=0.15)]
    decision = _decided([FaceDrawing(0, 200, 180)], weak, _Net([0]))
    assert decision.doubts == []
    assert [r.reason for r in decision.rejected] == ["the net sees no top face"]


def test_a_face_that_is_odd_is_a_doubt_though_it_reads() -> None:
    decision = _decided(_FOUR, [_proposal(200, 180, odd=0.9)], _Net([4]))
    assert decision.choice.tops == []
    assert [doubt.kind for doubt in decision.doubts] == [DoubtKind.COCKED]


def test_a_die_proposed_twice_is_one_die() -> None:
    twice = [_proposal(200, 180), _proposal(204, 178, likeness=0.3)]
    decision = _decided(_FOUR, twice, _Net([4, 4]))
    assert (len(decision.choice.tops), decision.doubts) == (1, [])


def test_dice_that_touch_are_two() -> None:
    pair = [FaceDrawing(4, 200, 180), FaceDrawing(2, 261, 180)]
    both = [_proposal(200, 180), _proposal(261, 180)]
    decision = _decided(pair, both, _Net([4, 2]))
    assert sorted(top.face.number for top in decision.choice.tops) == [2, 4]


def test_some_of_a_number_s_pips_in_a_tile_of_their_own_are_a_doubt() -> None:
    broken = [FaceDrawing(6, 200, 180, left_out=(0,))]
    part = Proposal(np.array([215.0, 180.0]), np.eye(2) * 20.0, 0.0, 0.0)
    decision = _decided(broken, [*_THERE, part], _Net([6, 3]))
    assert decision.choice.tops == []
    assert decision.doubts


def test_a_failed_proposal_on_a_read_die_is_no_doubt() -> None:
    again = [_proposal(200, 180), _proposal(200, 198, likeness=0.5)]
    decision = _decided(_FOUR, again, _Net([4, 0]))
    assert (len(decision.choice.tops), decision.doubts) == (1, [])


def test_both_opinions_stand_in_the_words_of_a_verdict() -> None:
    (verdict,) = _verdicts(_FOUR, _THERE, _Net([5]))
    assert verdict.words == "pips: 4\nnet: 5 98%"
    assert "pips make a 4, the net sees a 5" in verdict.against


def test_nothing_proposed_nothing_said() -> None:
    assert _verdicts(_FOUR, [], _Net([])) == []
