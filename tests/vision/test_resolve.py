# SPDX-License-Identifier: MIT
"""Two probabilities decide what is read, what is a doubt and what is nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.faces import make_candidate, make_face
from vision.face import Face
from vision.nets.weighing import Weighing
from vision.reading import DoubtKind
from vision.resolve import Decision, decide, without
from vision.tile_verdicts import Candidate

_WEIGHING = Weighing(
    die_weights=(0.0,) * 8,
    right_weights=(0.0,) * 9,
    number_weights=(0.0,) * 6,
    least_right=0.98,
    least_right_told=0.98,
    least_number=0.99,
    least_die=0.1,
    least_die_missing=0.2,
    least_die_met=0.5,
    most_odd=0.9,
)
_FACE = make_face(200, 200)


def _decided(*candidates: Candidate, expect: int | None = None) -> Decision:
    return decide(candidates, _WEIGHING, expect=expect)


def _read(face: Face, right: float = 0.999) -> Candidate:
    return make_candidate(face, die=0.99, right=right)


def _unread(face: Face, die: float = 0.95) -> Candidate:
    return make_candidate(face, die=die, right=0.4)


def _kinds(decision: Decision) -> Sequence[DoubtKind]:
    return [doubt.kind for doubt in decision.doubts]


def test_a_number_is_read_from_its_limit_on() -> None:
    assert _decided(_read(_FACE, right=0.98)).faces == [_FACE]
    assert _decided(_read(_FACE, right=0.979)).faces == []


class TestLargeThings:
    """A board or a dome is no die, however much it looks like one."""

    _BOARD = make_face(200, 200, number=4, edge_px=240.0)

    def test_a_thing_with_a_read_die_on_it_is_none(self) -> None:
        die = make_face(250, 160, number=3)
        for board in (_read(self._BOARD), _read(self._BOARD, right=0.98), _unread(self._BOARD)):
            for decision in (_decided(board, _read(die, right=0.99)), _decided(_read(die), board)):
                assert (decision.faces, decision.doubts) == ([die], [])
                assert [one.reason for one in decision.rejected] == ["it holds a die"]

    def test_a_pip_of_a_large_die_is_no_die_on_a_board(self) -> None:
        pip = make_face(200, 200, number=1)
        assert _decided(_read(self._BOARD), _read(pip)).faces == [self._BOARD]
        assert _kinds(_decided(_read(self._BOARD), _read(pip))) == [DoubtKind.UNSURE]

    def test_a_large_die_beside_others_may_be_read(self) -> None:
        beside = make_face(400, 200, number=3)
        assert _decided(_read(self._BOARD), _read(beside)).faces == [self._BOARD, beside]


class TestTwoInOnePosition:
    @pytest.mark.parametrize("off", [0.0, 20.0])
    def test_the_same_number_is_one_die(self, off: float) -> None:
        again = make_face(200 + off, 200)
        decision = _decided(_read(again, right=0.99), _read(_FACE, right=0.999))
        assert (decision.faces, decision.doubts) == ([_FACE], [])

    def test_another_number_is_a_contradiction(self) -> None:
        other = make_face(205, 200, number=6)
        decision = _decided(_read(_FACE, right=0.999), _read(other, right=0.99))
        assert (decision.faces, _kinds(decision)) == ([_FACE], [DoubtKind.UNSURE])

    def test_an_unread_one_says_nothing(self) -> None:
        decision = _decided(_read(_FACE), _unread(make_face(210, 205, edge_px=40)))
        assert decision == Decision([_FACE], [], [])

    def test_a_small_face_on_a_large_one_is_the_same_die(self) -> None:
        pip = make_face(215, 215, edge_px=12, number=1)
        decision = _decided(_read(_FACE), _read(pip, right=0.985))
        assert (decision.faces, _kinds(decision)) == ([_FACE], [DoubtKind.UNSURE])


class TestNeighbors:
    def test_two_faces_nearer_than_dice_can_lie_are_a_doubt(self) -> None:
        """Both stay, so that the count shows them too."""
        near = make_face(200 + 0.65 * 60, 200, number=2)
        decision = _decided(_read(_FACE), _read(near, right=0.99))
        assert (len(decision.faces), _kinds(decision)) == (2, [DoubtKind.UNSURE])

    def test_a_side_of_a_read_die_is_nothing(self) -> None:
        side = _unread(make_face(200, 200 + 0.8 * 60), die=0.85)
        assert _decided(_read(_FACE), side) == Decision([_FACE], [], [])

    def test_what_is_surely_a_die_is_no_side(self) -> None:
        hidden = _unread(make_face(200, 200 + 0.8 * 60), die=0.95)
        assert _kinds(_decided(_read(_FACE), hidden)) == [DoubtKind.UNSURE]

    def test_what_is_farther_away_is_no_side(self) -> None:
        beside = _unread(make_face(200, 200 + 0.95 * 60), die=0.85)
        assert _kinds(_decided(_read(_FACE), beside)) == [DoubtKind.UNSURE]


class TestCount:
    @pytest.mark.parametrize(
        ("expect", "limit"), [(None, 0.1), (1, 0.5), (2, 0.2), (3, 0.2), (0, 0.2)]
    )
    def test_the_limit_of_a_doubt_depends_on_the_count(
        self, expect: int | None, limit: float
    ) -> None:
        far = make_face(500, 400)
        at = _decided(_read(_FACE), _unread(far, die=limit), expect=expect)
        below = _decided(_read(_FACE), _unread(far, die=limit - 0.01), expect=expect)
        assert (_kinds(at), at.rejected) == ([DoubtKind.UNSURE], [])
        assert (_kinds(below), len(below.rejected)) == ([], 1)

    def test_what_is_rejected_keeps_position_and_reason(self) -> None:
        (rejected,) = _decided(_unread(_FACE, die=0.04)).rejected
        assert (rejected.center_px, rejected.radius_px) == ((200.0, 200.0), 30.0)
        assert rejected.reason == "a die with probability 0.040"


class TestKinds:
    def test_a_read_face_of_an_odd_die_is_stacked(self) -> None:
        odd = make_face(200, 200, odd=0.91)
        decision = _decided(_read(odd))
        assert (decision.faces, _kinds(decision)) == ([], [DoubtKind.STACKED])
        assert _decided(_read(make_face(200, 200, odd=0.9))).doubts == []

    def test_an_unread_face_of_an_odd_die_is_cocked(self) -> None:
        assert _kinds(_decided(_unread(make_face(200, 200, odd=0.6)))) == [DoubtKind.COCKED]
        assert _kinds(_decided(_unread(make_face(200, 200, odd=0.4)))) == [DoubtKind.UNSURE]

    def test_shine_is_named_before_all_else(self) -> None:
        shining = make_candidate(make_face(200, 200, odd=0.6), die=0.9, right=0.2, blown=0.1)
        assert _kinds(_decided(shining)) == [DoubtKind.GLARE]


class TestStrangers:
    """An unread thing that may be a die, beside two dice that are read."""

    DICE = (make_face(200, 200), make_face(400, 200, edge_px=66.0))

    def _doubts(self, thing: Face, *, expect: int | None, die: float = 0.4) -> Sequence[DoubtKind]:
        weighing = replace(_WEIGHING, least_die_met=0.05)
        candidates = [*map(_read, self.DICE), _unread(thing, die)]
        return _kinds(decide(candidates, weighing, expect=expect))

    @pytest.mark.parametrize("edge_px", [45.0, 85.0])
    def test_another_size_is_no_doubt_if_all_dice_are_read(self, edge_px: float) -> None:
        thing = make_face(300, 400, edge_px=edge_px)
        assert self._doubts(thing, expect=2) == []
        assert self._doubts(thing, expect=3) == [DoubtKind.UNSURE], "a die is missing"
        assert self._doubts(thing, expect=None) == [DoubtKind.UNSURE], "one may be"

    @pytest.mark.parametrize("edge_px", [30.0, 120.0])
    @pytest.mark.parametrize("expect", [2, 3, None])
    def test_a_very_different_size_is_never_a_doubt(
        self, edge_px: float, expect: int | None
    ) -> None:
        assert self._doubts(make_face(300, 400, edge_px=edge_px), expect=expect) == []

    @pytest.mark.parametrize("edge_px", [52.0, 60.0, 75.0])
    def test_a_die_of_this_size_is_a_doubt(self, edge_px: float) -> None:
        thing = make_face(300, 400, edge_px=edge_px)
        assert self._doubts(thing, expect=2) == [DoubtKind.UNSURE]

    def test_another_color_is_no_doubt_if_all_dice_are_read(self) -> None:
        thing = replace(make_face(300, 400), bgr=np.array([40.0, 40.0, 200.0]))
        assert self._doubts(thing, expect=2) == []
        assert self._doubts(thing, expect=3) == [DoubtKind.UNSURE], "a reflection has any color"

    def test_a_dark_side_of_a_leaning_die_is_a_doubt(self) -> None:
        side = replace(make_face(200, 260, edge_px=45.0), bgr=np.array([60.0, 60.0, 60.0]))
        assert self._doubts(side, expect=2) == [DoubtKind.UNSURE]

    def test_what_is_likely_a_die_is_a_doubt_however_it_looks(self) -> None:
        red = replace(make_face(300, 400, edge_px=120.0), bgr=np.array([40.0, 40.0, 200.0]))
        assert self._doubts(red, expect=2, die=0.5) == [DoubtKind.UNSURE]


def test_a_decision_without_some_faces_keeps_equal_ones() -> None:
    """Two faces may be equal in value; only the one that is given leaves."""
    same = make_face(200, 200)
    decision = without(Decision([_FACE, same], [], []), [same])
    assert len(decision.faces) == 1
    assert decision.faces[0] is _FACE
