# SPDX-License-Identifier: MIT
"""A die that leans is a doubt with its place; flat dice are none, however the camera looks."""

from __future__ import annotations

import numpy as np
import pytest

from hardware.clock import SteppedClock
from hardware.simulated.body import DieKind
from hardware.simulated.camera import SimulatedCamera
from tests.support.drawn_dice import FaceDrawing, drawn_tray
from tests.vision.doubts.found import no_stances, size_wh_of, tops_in
from tests.vision.mapped import simulated_map, upright_map
from vision.doubts.cocked import find_cocked
from vision.doubts.fit import see_plane
from vision.doubts.params import DoubtParams
from vision.frame import Image
from vision.geometry.choose import Candidate
from vision.learned.stance import Stances
from vision.tray.map import TrayMap

PARAMS = DoubtParams()
WHITE, BLACK = DieKind.WHITE, DieKind.BLACK


def _cocked(
    image: Image, *, tray: TrayMap | None = None, stances: Stances | None = None
) -> tuple[list[Candidate], list[Candidate]]:
    """All top faces of a picture, from left to right, and those of them that lean."""
    tops = tops_in(image)
    stances = stances or no_stances(tops)
    plane = see_plane(tops, size_wh_of(image), PARAMS.planes, stances=stances, tray=tray)
    return tops, find_cocked(tops, plane, PARAMS, stances=stances)


def _from_above(image: Image, *, focal: float = 1.0, error: float = 0.03) -> Stances:
    """Where flat dice's feet are seen by a camera straight above, whose focal length is given."""
    tops = tops_in(image)
    size_wh = np.array(size_wh_of(image))
    away = np.array([top.face.center for top in tops]) - (size_wh - 1) / 2.0
    return Stances(-away / (focal * size_wh.max()), np.full(len(tops), error))


def _simulated(
    seed: int, dice: tuple[DieKind, ...], *, leaning: bool
) -> tuple[Image, TrayMap, tuple[float, float]]:
    """A picture of the simulated tray, its map, and where the first die's top is seen."""
    clock = SteppedClock()
    with SimulatedCamera(clock, seed=seed, dice=dice) as camera:
        if leaning:
            camera.tilt(0)
        clock.wait_s(3.0)
        die = camera.truth()[0]
        place = camera.project(die.x_mm, die.y_mm, 14.0)
        return camera.frame(1.0).image_bgr, simulated_map(camera), place


FIVE = drawn_tray(
    [FaceDrawing(5, x, y, edge_px=60) for x, y in ((80, 80), (560, 90), (320, 240), (90, 400))]
    + [FaceDrawing(4, 550, 390, edge_px=60)]
)


@pytest.mark.parametrize("focal", [0.7, 1.0, 2.0])
def test_dice_whose_feet_are_seen_as_one_camera_sees_them_lie_flat(focal: float) -> None:
    tops, cocked = _cocked(FIVE, stances=_from_above(FIVE, focal=focal))
    assert len(tops) == 5
    assert cocked == []


@pytest.mark.parametrize("which", range(5))
def test_the_one_whose_foot_is_elsewhere_leans(which: int) -> None:
    stances = _from_above(FIVE)
    stances.downs[which] += (0.27, -0.23)
    tops, cocked = _cocked(FIVE, stances=stances)
    assert [id(top) for top in cocked] == [id(tops[which])]


def test_a_foot_that_is_hardly_seen_says_nothing() -> None:
    stances = _from_above(FIVE, error=0.5)
    stances.downs[2] += (0.27, -0.23)
    assert _cocked(FIVE, stances=stances)[1] == []


def test_of_two_dice_whose_feet_contradict_none_is_believed() -> None:
    image = drawn_tray([FaceDrawing(5, 300, 230, edge_px=60), FaceDrawing(5, 400, 240, edge_px=60)])
    stances = _from_above(image)
    assert _cocked(image, stances=stances)[1] == []
    stances.downs[1] += (-0.3, 0.3)
    assert len(_cocked(image, stances=stances)[1]) == 2


def test_on_a_calibrated_tray_a_die_alone_is_told_by_its_foot() -> None:
    image = drawn_tray([FaceDrawing(5, 320, 240, edge_px=80)])
    tray = upright_map(px_per_mm=4.0)
    assert _cocked(image, tray=tray, stances=_from_above(image))[1] == []
    leaning = Stances(np.array([[0.3, 0.0]]), np.array([0.03]))
    assert len(_cocked(image, tray=tray, stances=leaning)[1]) == 1
    assert _cocked(image, stances=leaning)[1] == []


@pytest.mark.parametrize("dice", [(WHITE,) * 5, (BLACK,) * 5, (WHITE, BLACK), (BLACK,)])
@pytest.mark.parametrize("seed", [3, 11])
def test_flat_dice_all_over_the_tray_do_not_lean(seed: int, dice: tuple[DieKind, ...]) -> None:
    image, tray, _ = _simulated(seed, dice, leaning=False)
    for known in (tray, None):
        tops, cocked = _cocked(image, tray=known)
        assert len(tops) == len(dice)
        assert cocked == []


@pytest.mark.parametrize("squash", [1.0, 0.9])
def test_one_of_many_that_is_seen_flatter_leans(squash: float) -> None:
    places = ((110, 100), (320, 90), (520, 110), (130, 360), (510, 350))
    faces = [FaceDrawing(5, x, y, edge_px=80, squash=squash, angle_deg=x) for x, y in places]
    assert _cocked(drawn_tray(faces))[1] == []
    odd = FaceDrawing(4, 320, 240, edge_px=80, squash=squash * 0.75)
    _, cocked = _cocked(drawn_tray([*faces, odd]))
    assert [die.face.number for die in cocked] == [4]


def test_where_most_disagree_with_any_plane_none_is_blamed() -> None:
    faces = [
        FaceDrawing(5, 110 + 200 * (i % 3), 120 + 220 * (i // 3), edge_px=80, squash=0.6 + 0.08 * i)
        for i in range(6)
    ]
    assert _cocked(drawn_tray(faces))[1] == []


def test_of_two_dice_that_contradict_each_other_none_is_believed() -> None:
    one = FaceDrawing(5, 200, 200, edge_px=80)
    other = FaceDrawing(4, 420, 220, edge_px=80, squash=0.6)
    assert len(_cocked(drawn_tray([one, other]))[1]) == 2
    assert _cocked(drawn_tray([one, FaceDrawing(4, 420, 220, edge_px=80)]))[1] == []


def test_a_die_alone_leans_when_no_camera_would_look_at_it_so() -> None:
    from_the_front = drawn_tray([FaceDrawing(4, 320, 240, edge_px=80, squash=0.7)])
    assert _cocked(from_the_front)[1] == []
    sideways = np.ascontiguousarray(np.rot90(from_the_front))
    assert len(_cocked(sideways)[1]) == 1


def test_nothing_leans_where_nothing_lies() -> None:
    assert _cocked(drawn_tray([])) == ([], [])
