# SPDX-License-Identifier: MIT
"""A dome stands where its outline is, covers its dice, and mirrors lamps beside them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.training.scenes import DieState, SceneSpec, render_scene
from vision.training.scenes.dome import Dome, DomeKind, add_dome, draw_dome
from vision.training.scenes.light import Lamp, Lighting
from vision.training.scenes.view import View, draw_view

SIZE_WH = (480, 360)
RADIUS = 3.0


def dome_of(kind: DomeKind) -> Dome:
    height = RADIUS if kind is DomeKind.HEMISPHERE else 2.2
    return Dome(kind, np.array([0.4, -0.3]), RADIUS, height)


def view_from(tilt_deg: float) -> View:
    spec = SceneSpec(tilt_deg=tilt_deg, dome=True)
    return draw_view(np.random.default_rng(1), SIZE_WH, 5, spec)


def lamp_at(*position: float) -> Lighting:
    """Return the light of one small lamp and of a dim sky."""
    place = np.array(position, np.float32)
    colour = np.ones((3, 1), np.float32)
    lamp = Lamp(place, colour, 0.03, -place / np.linalg.norm(place), (-1.0, -2.0))
    return Lighting((lamp,), colour * 0.1, colour * 0.1, (), None, 0.3)


def layer_of(dome: Dome, view: View, light: Lighting, seed: int = 0) -> np.ndarray:
    """Return the light that a dome adds over black ground, (h, w)."""
    linear = np.zeros((SIZE_WH[1], SIZE_WH[0], 3), np.float32)
    hidden = np.zeros(linear.shape[:2], bool)
    add_dome(np.random.default_rng(seed), linear, dome, view, light, hidden)
    return np.asarray(linear.max(2))


def mask_of(outline: np.ndarray, grow_px: float = 0.0) -> np.ndarray:
    middle = outline.mean(0)
    reach = np.linalg.norm(outline - middle, axis=1, keepdims=True)
    grown = middle + (outline - middle) * (1 + grow_px / reach)
    mask = np.zeros((SIZE_WH[1], SIZE_WH[0]), np.uint8)
    cv2.fillPoly(mask, [np.rint(grown).astype(np.int32)], 1)
    return mask > 0


@pytest.mark.parametrize("kind", DomeKind)
@pytest.mark.parametrize("tilt_deg", [0.0, 25.0, 40.0])
def test_layer_stays_within_the_silhouette_and_the_foot(kind: DomeKind, tilt_deg: float) -> None:
    dome, view = dome_of(kind), view_from(tilt_deg)
    added = layer_of(dome, view, lamp_at(10.0, 5.0, 40.0))
    flange_px = 1.5 * view.edge_px
    near = mask_of(dome.silhouette(view), 4.0) | mask_of(dome.outline(view), flange_px)
    assert added[~near].max() < 1e-3
    assert (added[mask_of(dome.silhouette(view), -4.0)] > 0).mean() > 0.95


def test_lamp_is_mirrored_in_small_bright_spots() -> None:
    """Each face of both walls mirrors it, and no image is larger than a third of a die."""
    dome, view = dome_of(DomeKind.HEMISPHERE), view_from(10.0)
    dark = lamp_at(30.0, 10.0, 80.0)
    spots = []
    for seed in range(6):
        bright = (layer_of(dome, view, dark, seed) > 0.55).astype(np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(bright)
        sizes = stats[1:count, cv2.CC_STAT_AREA]
        spots.append(int((sizes < (view.edge_px / 3) ** 2).sum()))
    assert max(spots) >= 2
    assert sum(spot >= 1 for spot in spots) >= 4


def test_drawn_domes_have_usual_sizes_and_are_in_the_picture() -> None:
    found = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        view = draw_view(rng, SIZE_WH, 5, SceneSpec(dome=True))
        dome = draw_dome(rng, view)
        if dome is not None:
            found.append(dome.kind)
            assert 2.5 <= dome.radius <= 4.0
            assert view.position[2] > dome.height
            middle = dome.outline(view).mean(0)
            assert (middle > 0).all()
            assert (middle < SIZE_WH).all()
    assert len(found) > 15
    assert set(found) == set(DomeKind)


@pytest.mark.parametrize("seed", range(4))
def test_dice_under_a_dome_stand_inside_its_foot(seed: int) -> None:
    scene = render_scene(seed, SIZE_WH, spec=SceneSpec(expect=4, dome=True))
    assert scene.dome_px is not None
    foot = scene.dome_px.astype(np.float32)
    for die in scene.dice:
        x, y = die.foot_px
        assert cv2.pointPolygonTest(foot, (float(x), float(y)), measureDist=False) > 0


def test_empty_dome_has_no_dice() -> None:
    scene = render_scene(3, SIZE_WH, spec=SceneSpec(expect=0, dome=True))
    assert scene.dome_px is not None
    assert scene.dice == ()
    assert scene.owner.max() == 0


def test_some_dice_lean_on_the_wall() -> None:
    """The foot of one that leans on the wall is near the wall."""
    shares = []
    for seed in range(6):
        spec = SceneSpec(expect=2, doubt="cocked", dome=True, clutter=False)
        scene = render_scene(seed, SIZE_WH, spec=spec)
        assert scene.dome_px is not None
        middle = scene.dome_px.mean(0)
        reach = np.linalg.norm(scene.dome_px - middle, axis=1).mean()
        leaning = next(die for die in scene.dice if die.state is DieState.COCKED)
        shares.append(np.linalg.norm(leaning.foot_px - middle) / reach)
    assert sum(share > 0.5 for share in shares) >= 2


def test_cut_off_die_under_a_dome_is_refused() -> None:
    with pytest.raises(ValueError, match="cut off"):
        SceneSpec(doubt="cut off", dome=True)
