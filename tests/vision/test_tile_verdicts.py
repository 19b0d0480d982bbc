# SPDX-License-Identifier: MIT
"""Cuts are put right before they are judged, and what stays unread is looked at again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.faces import make_candidate, make_face, make_proposal
from tests.vision.table_model.tables import draw_throw, faces_of, lay_dice
from vision.face import Face
from vision.frame import Image
from vision.nets.face_encoding import rotations
from vision.nets.finder import Proposal
from vision.nets.pip_count import PipCount
from vision.nets.tile_net import LearnedOpinion, TileOutputs
from vision.nets.weighing import DIE_FEATURES, Weighing
from vision.pyramid import Pyramid
from vision.tile_verdicts import Candidate, Judge, blown_share, draw_in_grey, shape_error
from vision.tiles import FACE_PX, TILE_PX, cut_tiles
from vision.training.labels import label_scene
from vision.training.scenes import SceneSpec, render_scene

_EDGE_PX = 36.0
_CENTER = (300.0, 200.0)
_WEIGHING = Weighing(
    die_weights=(0.0, 0.3, 1.0, 0.5, 0.0, 0.0, 0.0, 0.0),
    right_weights=(0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    number_weights=(0.0,) * 6,
    least_right=0.9,
    least_right_told=0.9,
    least_number=0.99,
    least_die=0.1,
    least_die_missing=0.2,
    least_die_met=0.5,
    most_odd=0.9,
)
_ALL_READ = replace(_WEIGHING, least_right=0.0, least_right_told=0.0)
_NONE_READ = replace(_WEIGHING, least_right=1.0, least_right_told=1.0)


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of nets that measure where a bright square is in a tile."""
    pytest.importorskip("onnx", reason="hand-made nets are written as ONNX files")
    from tests.vision.hand_made_nets import write_nets

    return write_nets(tmp_path_factory.mktemp("weights"))


def _picture(*centers: tuple[float, float], turn_deg: float = 0.0) -> Image:
    """Squares of one size in a colour that the hand-made nets know, on a black ground."""
    image = np.zeros((400, 640, 3), np.uint8)
    for center in centers:
        corners = cv2.boxPoints((center, (_EDGE_PX, _EDGE_PX), turn_deg))
        fixed = np.rint(corners * 16).astype(np.int32)
        cv2.fillConvexPoly(image, fixed, (200, 100, 60), cv2.LINE_AA, shift=4)
    return image


def _halves(turn_deg: float = 0.0) -> NDArray[np.float64]:
    turn = np.deg2rad(turn_deg)
    rotation = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
    return np.asarray(rotation * _EDGE_PX / 2.0)


def _proposal(
    center: Sequence[float] = _CENTER,
    *,
    off: tuple[float, float] = (0.0, 0.0),
    likeness: float = 0.9,
    turn_deg: float = 0.0,
) -> Proposal:
    """A proposal off its face by a part of an edge along the picture's axes."""
    away = np.array(center) + np.array(off) * _EDGE_PX
    return make_proposal(away, _halves(turn_deg), likeness=likeness)


def _judge(weights: Path, weighing: Weighing = _ALL_READ) -> Judge:
    return Judge(weights, weighing=weighing)


def _tell_tiles(none: Sequence[float], moves: Sequence[float]) -> TileOutputs:
    """Each tile shows no face as likely as told, and its face as far along its first half edge."""
    count = len(none)
    shares = np.zeros((count, 7))
    shares[:, 0], shares[:, 4] = none, 1.0 - np.array(none)
    return TileOutputs(
        shares=shares,
        centers=np.column_stack([moves, np.zeros(count)]),
        half_edges=np.repeat(np.eye(2)[None] / 2.0, count, axis=0),
        feet=np.zeros((count, 2)),
        foot_errors=np.ones(count),
        odd=np.zeros(count),
        light=np.ones(count),
        maps=np.zeros((count, 3, 32, 32), np.float32),
    )


class TestCuts:
    @pytest.mark.parametrize("off", [(0.3, -0.2), (-0.25, 0.1), (0.0, 0.4)])
    def test_a_cut_that_is_off_is_moved_onto_the_face(
        self, weights: Path, off: tuple[float, float]
    ) -> None:
        image = _picture(_CENTER)
        (candidate,) = _judge(weights).judge(Pyramid(image), [_proposal(off=off)])
        np.testing.assert_allclose(candidate.face.center, _CENTER, atol=0.01 * _EDGE_PX)
        right = cut_tiles(image, np.array([_CENTER]), _halves()[None])[0]
        assert np.abs(candidate.tile - right.astype(float)).mean() < 4.0

    def test_a_cut_that_is_hardly_off_keeps_its_tile(self, weights: Path) -> None:
        """The face moves all the same; only its tile is not worth another run of the nets."""
        image, proposal = _picture(_CENTER), _proposal(off=(0.03, 0.02))
        (candidate,) = _judge(weights).judge(Pyramid(image), [proposal])
        cut = cut_tiles(image, proposal.center[None], proposal.half_edges[None])[0]
        np.testing.assert_array_equal(candidate.tile, cut)
        np.testing.assert_allclose(candidate.face.center, _CENTER, atol=0.01 * _EDGE_PX)

    def test_the_same_face_is_judged_once(self, weights: Path) -> None:
        proposals = [
            _proposal(off=(0.2, 0.1), likeness=0.8),
            _proposal(off=(-0.2, 0.0), likeness=0.7),
            _proposal(off=(0.0, -0.3), likeness=0.5),
        ]
        (candidate,) = _judge(weights).judge(Pyramid(_picture(_CENTER)), proposals)
        assert candidate.evidence.proposal.likeness == 0.8

    def test_no_more_than_the_likeliest_are_judged(
        self, weights: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("vision.tile_verdicts._MOST", 2)
        centers = ((150.0, 120.0), (400.0, 130.0), (250.0, 300.0))
        proposals = [_proposal(center) for center in centers]
        candidates = _judge(weights).judge(Pyramid(_picture(*centers)), proposals)
        found = [candidate.face.center for candidate in candidates]
        np.testing.assert_allclose(found, centers[:2], atol=0.5)

    @pytest.mark.parametrize(("likeness", "expected"), [(0.3, 0), (0.45, 1)])
    def test_ground_that_the_finder_hardly_believes_in_is_dropped(
        self, weights: Path, likeness: float, expected: int
    ) -> None:
        ground = _proposal((500.0, 320.0), likeness=likeness)
        assert len(_judge(weights).judge(Pyramid(_picture(_CENTER)), [ground])) == expected

    def test_a_face_that_its_first_cut_missed_is_judged(self, weights: Path) -> None:
        """In a cut that is off it may look like ground; only in its own is that certain."""
        missed = _proposal(off=(1.0, 1.0), likeness=0.3)
        assert len(_judge(weights).judge(Pyramid(_picture(_CENTER)), [missed])) == 1

    def test_a_cut_that_is_no_face_hides_none(
        self, weights: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Half way to the face it still is none; the other cut shows the face from the first."""
        near, on_face = _proposal(off=(-0.4, 0.0), likeness=0.39), _proposal(likeness=0.35)
        told = [([0.97, 0.05], [0.3, 0.0]), ([0.05], [0.0])]
        answers = iter([_tell_tiles(none, moves) for none, moves in told])
        judge = _judge(weights)
        monkeypatch.setattr(judge._tile_net, "estimate", lambda tiles: next(answers))
        (found,) = judge.judge(Pyramid(_picture(_CENTER)), [near, on_face])
        assert found.evidence.proposal.likeness == 0.35

    def test_a_known_shape_is_only_moved(self, weights: Path) -> None:
        """The finder's shape is too large, as it is where the sides are taken for the face."""
        wide = replace(_proposal(off=(0.1, -0.05)), half_edges=1.2 * _halves())
        judge, pyramid = _judge(weights), Pyramid(_picture(_CENTER))
        (found,) = judge.judge(pyramid, [wide])
        again = judge.judge_in_shape(pyramid, found, [found.face.center], _halves())
        np.testing.assert_allclose(again.face.center, _CENTER, atol=0.01 * _EDGE_PX)
        np.testing.assert_array_equal(again.face.half_edges, _halves())
        assert again.evidence.proposal.edge_px == pytest.approx(_EDGE_PX)
        assert again.evidence.tile[4] >= found.evidence.tile[4]


class TestFaces:
    def test_number_colour_and_size_are_those_of_the_face(self, weights: Path) -> None:
        (candidate,) = _judge(weights).judge(Pyramid(_picture(_CENTER)), [_proposal()])
        face = candidate.face
        assert (face.number, face.is_light) == (4, True)
        np.testing.assert_allclose(face.bgr, (200, 100, 60), atol=2.0)
        assert face.edge_px == pytest.approx(_EDGE_PX, rel=0.01)
        assert candidate.evidence.proposal.edge_px == pytest.approx(_EDGE_PX)
        assert face.confidence == candidate.verdict.right
        assert face.odd == pytest.approx(1.0 / (1.0 + np.exp(3.0)), abs=1e-4)

    @pytest.mark.parametrize("turn_deg", [0.0, 30.0, 90.0])
    def test_a_foot_is_told_along_the_picture_s_axes(self, weights: Path, turn_deg: float) -> None:
        image, proposal = _picture(_CENTER, turn_deg=turn_deg), _proposal(turn_deg=turn_deg)
        (candidate,) = _judge(weights).judge(Pyramid(image), [proposal])
        expected = _halves(turn_deg) @ np.array([0.1, -0.2]) / (_EDGE_PX / 2.0)
        np.testing.assert_allclose(candidate.face.foot, expected, atol=0.01)
        assert candidate.face.foot_error == pytest.approx(0.05, rel=0.01)


class TestSecondLook:
    def test_a_face_that_is_read_is_judged_by_its_tile_alone(self, weights: Path) -> None:
        (candidate,) = _judge(weights, _ALL_READ).judge(Pyramid(_picture(_CENTER)), [_proposal()])
        alone = LearnedOpinion(weights / "opinion.onnx").judge(candidate.tile[None])[0]
        np.testing.assert_allclose(candidate.evidence.opinion, alone, atol=1e-6)

    def test_what_is_hardly_a_die_gets_none(self, weights: Path) -> None:
        ground = _proposal((500.0, 320.0), likeness=0.45)
        weighing = replace(_NONE_READ, die_weights=(-9.0, *[0.0] * (len(DIE_FEATURES) - 1)))
        (candidate,) = _judge(weights, weighing).judge(Pyramid(_picture(_CENTER)), [ground])
        alone = LearnedOpinion(weights / "opinion.onnx").judge(candidate.tile[None])[0]
        np.testing.assert_allclose(candidate.evidence.opinion, alone, atol=1e-6)


class TestOwnWeights:
    def test_clear_faces_are_read_from_bad_cuts(self) -> None:
        scene = render_scene(
            7_300_004, (960, 540), spec=SceneSpec(clear=True, expect=4, clutter=False)
        )
        truth = label_scene(scene)
        proposals = [
            make_proposal(center + halves @ (0.25, -0.2), 1.08 * halves, likeness=0.9)
            for center, halves in zip(truth.centers, truth.half_edges, strict=True)
        ]
        pyramid = Pyramid(scene.image_bgr)
        candidates = Judge().judge(pyramid, proposals)
        assert [candidate.face.number for candidate in candidates] == truth.faces.tolist()
        off = np.array([candidate.face.center for candidate in candidates]) - truth.centers
        assert np.median(np.linalg.norm(off, axis=1) / truth.edges_px) < 0.06
        # What is not read is judged by the mean of its quarter turns.
        judge = Judge(weighing=_NONE_READ)
        (unread, *_) = judge.judge(pyramid, proposals)
        again = judge.judge_in_shape(
            pyramid, unread, [unread.face.center], unread.face.half_edges, turn_below=1.0
        )
        for one in (unread, again):
            turned = np.stack([np.rot90(one.tile, turns) for turns in range(4)])
            opinions = LearnedOpinion().judge(turned)
            assert np.ptp(opinions, axis=0).max() > 1e-4
            np.testing.assert_allclose(one.evidence.opinion, opinions.mean(axis=0), atol=1e-6)


class TestBlownShare:
    def test_only_the_face_in_the_middle_counts(self) -> None:
        tile = np.full((TILE_PX, TILE_PX, 3), 255, np.uint8)
        low = (TILE_PX - FACE_PX) // 2
        tile[low : low + FACE_PX, low : low + FACE_PX] = 90
        assert blown_share(tile, 250) == 0.0
        tile[low : low + 3, low : low + FACE_PX] = 250
        assert blown_share(tile, 250) == pytest.approx(0.1)

    def test_one_channel_alone_is_a_colour(self) -> None:
        tile = np.zeros((TILE_PX, TILE_PX, 3), np.uint8)
        tile[:, :, 2] = 255
        assert blown_share(tile, 250) == 0.0


class TestOwnColors:
    """Pips as bright as their body differ from it only by their colour."""

    _PLACES = 0.25 * np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)])
    _PIPS = PipCount(np.eye(7)[4], _PLACES)

    def _draw_four(self) -> Image:
        tile = np.full((TILE_PX, TILE_PX, 3), (60, 60, 190), np.uint8)
        for x, y in self._PLACES * FACE_PX + (TILE_PX - 1) / 2.0:
            cv2.circle(tile, (round(x), round(y)), 3, (20, 170, 150), -1)
        return tile

    def test_colours_become_those_of_a_usual_die(self) -> None:
        tile = self._draw_four()
        for drawn, levels in ((tile, (60, 230)), (255 - tile, (25, 195))):
            grey = draw_in_grey(np.asarray(drawn, np.uint8), self._PIPS)
            assert grey is not None
            assert np.ptp(grey, axis=2).max() == 0
            assert np.unique(grey) == pytest.approx(levels, abs=1)

    def test_pips_like_their_body_show_nothing(self) -> None:
        plain = np.full((TILE_PX, TILE_PX, 3), 90, np.uint8)
        assert draw_in_grey(plain, self._PIPS) is None
        assert draw_in_grey(self._draw_four(), PipCount(np.eye(7)[0], self._PLACES[:0])) is None

    def test_only_an_unclear_number_is_asked_again(self) -> None:
        judge = Judge()
        seen = make_candidate(make_face(0.0, 0.0, number=4), die=0.9, right=0.5)
        seen = replace(seen, tile=self._draw_four())
        for sure, is_clear in ((0.6, False), (0.99, True)):
            shares = np.full(7, (1.0 - sure) / 6.0)
            shares[4] = sure
            evidence = replace(seen.evidence, tile=shares, opinion=shares, pips=shares)
            alone = judge.weighing.weigh_number(evidence)
            assert (alone >= judge.weighing.least_number) == is_clear
            found = judge.weigh_number(replace(seen, evidence=evidence))
            assert (found > alone) == (not is_clear)

    def test_a_contradiction_is_never_cleared(self) -> None:
        judge = Judge()
        seen = make_candidate(make_face(0.0, 0.0, number=4), die=0.9, right=0.5)
        other = replace(seen.evidence, tile=np.eye(7)[4], opinion=np.eye(7)[4], pips=np.eye(7)[5])
        seen = replace(seen, tile=self._draw_four(), evidence=other)
        assert judge.weigh_number(seen) == 0.0


class TestLookAround:
    """With the project's own nets, on drawn dice seen from straight above."""

    def _look(self, off: float, turn_deg: float) -> tuple[Candidate, Candidate, Face]:
        image, die = draw_throw(lay_dice(11), seed=11), faces_of(lay_dice(11))[0]
        judge, pyramid = Judge(), Pyramid(image)
        halves = rotations(np.deg2rad(np.array([turn_deg])))[0] @ die.half_edges
        wrong = make_proposal(die.center + off * die.edge_px, halves, likeness=0.5)
        (found,) = judge.judge(pyramid, [wrong])
        return found, judge.look_around(pyramid, found, halves, np.eye(2)), die

    @pytest.mark.parametrize(("off", "turn_deg"), [(0.5, 0.0), (0.5, 45.0), (-0.5, 30.0)])
    def test_a_die_beside_a_wrong_cut_is_found(self, off: float, turn_deg: float) -> None:
        found, better, die = self._look(off, turn_deg)
        assert found.verdict.right < 0.5
        assert better.verdict.right > 0.8
        assert better.face.number == die.number
        np.testing.assert_allclose(better.face.center, die.center, atol=0.1 * die.edge_px)

    def test_what_is_right_already_stays(self) -> None:
        found, better, die = self._look(0.0, 0.0)
        assert better.face.number == found.face.number == die.number
        assert better.verdict.right >= found.verdict.right


def test_a_badly_outlined_face_is_outlined_again() -> None:
    image, die = draw_throw(lay_dice(11), seed=11), faces_of(lay_dice(11))[0]
    turn = rotations(np.deg2rad(np.array([12.0])))[0]
    bad = replace(die, center=die.center + 4.0, half_edges=1.1 * turn @ die.half_edges)
    better = Judge().outline_again(Pyramid(image), bad)
    np.testing.assert_allclose(better.center, die.center, atol=0.03 * die.edge_px)
    assert shape_error(die.half_edges, better.half_edges) < 0.08
    assert shape_error(die.half_edges, bad.half_edges) > 0.2
