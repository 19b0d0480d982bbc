# SPDX-License-Identifier: MIT
"""The ground is learnt from throws, and what differs from it is told from shadows and light."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.faces import make_face
from tests.vision.mapped import upright_map
from tests.vision.table_model.tables import (
    TRAY,
    draw_object,
    draw_throw,
    faces_of,
    fair_throws,
    lay_dice,
    learn_ground,
)
from vision.frame import Image
from vision.table_model.background import (
    Background,
    Change,
    GroundLevels,
    dice_mask,
    measure_shade,
    shrink,
)

_DICE = lay_dice(3)
_FREE = (320, 250)
"""A position without dice in that throw."""


@pytest.fixture(scope="module")
def background() -> Background:
    return learn_ground(fair_throws(8))


def compare(background: Background, image: Image) -> Change:
    """Compare a picture in which the dice of throw 3 were read."""
    small = shrink(image)
    return background.compare(small, TRAY, dice_mask(small, faces_of(_DICE), TRAY))


def test_the_ground_has_no_dice(background: Background) -> None:
    empty = shrink(draw_throw([]))
    off = np.abs(background.image.astype(int) - empty).max(axis=2)
    assert background.is_known.mean() > 0.9
    assert off[background.is_known].max() < 14


def test_a_bright_object_in_one_throw_leaves_the_ground() -> None:
    throws = fair_throws(5)
    images = [one.image.copy() for one in throws]
    images[2][180:200, 235:255] = 255
    spoilt = GroundLevels(images, [one.dice for one in throws], TRAY).take_ground()
    assert spoilt.image[180:200, 235:255].max() < 130


@pytest.mark.parametrize("level", [None, 0.8, 1.0])
def test_two_rests_that_saw_the_same_show_the_ground(level: float | None) -> None:
    """Other two do not, and neither does one alone; `level` is the light of the second there."""
    throws = fair_throws(5)
    images, hidden = [one.image.copy() for one in throws], [one.dice.copy() for one in throws]
    place = slice(180, 200), slice(235, 255)
    for k in range(5):
        hidden[k][place] = k > (0 if level is None else 1)
    if level is not None:
        images[1][place] = np.rint(images[1][place] * level)
    for rests, without in ((slice(None), None), (slice(None), 4)):
        levels = GroundLevels(images[rests], hidden[rests], TRAY)
        known = levels.take_ground(without=without).is_known[place]
        assert known.any() == known.all() == (level == 1.0)
    if level is not None:
        assert not GroundLevels(images, hidden, TRAY).take_ground(without=1).is_known[place].any()


@pytest.mark.parametrize(
    ("rests", "shaded", "is_known"), [(5, 3, True), (4, 2, True), (4, 3, False)]
)
def test_ground_that_may_be_a_shadow_is_unknown(rests: int, shaded: int, is_known: bool) -> None:
    """Of few rests that see a place, all but one may see the shadow of a die there."""
    throws = fair_throws(6)
    images, hidden = [one.image.copy() for one in throws], [one.dice.copy() for one in throws]
    place = slice(180, 200), slice(235, 255)
    for k in range(6):
        hidden[k][place] = k >= rests
    for image in images[:shaded]:
        image[place] //= 2
    for taken, without in ((slice(rests), None), (slice(None), 5)):
        known = GroundLevels(images[taken], hidden[taken], TRAY).take_ground(without=without)
        assert known.is_known[place].any() == known.is_known[place].all() == is_known
    assert (
        GroundLevels(images, hidden, TRAY, few_may_be_shadow=False)
        .take_ground()
        .is_known[place]
        .all()
    )


def test_dice_differ_from_the_ground_and_an_empty_place_does_not(background: Background) -> None:
    change = compare(background, draw_throw(_DICE, seed=30))
    assert min(change.share_of(face) for face in faces_of(_DICE)) > 0.8
    assert change.share_of(make_face(*_FREE)) == 0.0


def test_unknown_ground_counts_as_changed(background: Background) -> None:
    unseen = Background(background.image, np.zeros_like(background.is_known))
    assert compare(unseen, draw_throw(_DICE)).share_of(make_face(*_FREE)) == 1.0


def test_a_place_with_some_unknown_ground_may_be_unchanged(background: Background) -> None:
    known = background.is_known.copy()
    known[: round(_FREE[1] * 0.75) - 14] = False
    seen = compare(Background(background.image, known), draw_throw(_DICE))
    assert seen.share_of(make_face(*_FREE)) == pytest.approx(0.2, abs=0.05)


def test_the_background_shows_nothing_beside_the_tray() -> None:
    """Stored pictures are cropped alike: there may be people."""
    far = upright_map(felt_wh_mm=(100.0, 80.0))
    throws = fair_throws(5)
    images, dice = [one.image for one in throws], [one.dice for one in throws]
    background = GroundLevels(images, dice, far).take_ground()
    beside = np.ones(background.is_known.shape, bool)
    beside[30:330, 68:412] = False
    assert not background.is_known[beside].any()
    assert not background.image[beside].any()
    assert background.is_known[170:200, 235:247].all()


@pytest.mark.parametrize("light", [0.6, 1.0, 1.3])
def test_an_even_change_of_the_light_is_no_change(background: Background, light: float) -> None:
    change = compare(background, draw_throw(_DICE, seed=31, light=light))
    assert not change.is_sick
    assert change.gain == pytest.approx([light] * 3, rel=0.05)
    assert change.new_areas(13.0) == []


@pytest.mark.parametrize("level", [0.5, 0.75, 1.6])
def test_an_object_is_found_in_its_position(background: Background, level: float) -> None:
    """One that is only darker than the felt has the colour of a shadow, but reaches no die."""
    change = compare(background, draw_object(draw_throw(_DICE, seed=32), _FREE, level))
    (area,) = change.new_areas(13.0)
    assert area.center == pytest.approx(_FREE, abs=3.0)
    assert area.area_px == pytest.approx(40**2, rel=0.25)


def test_the_shadow_of_a_die_is_no_object(background: Background) -> None:
    die = _DICE[0]
    beside = round(die.x), round(die.y) + 40
    change = compare(background, draw_object(draw_throw(_DICE, seed=33), beside, 0.6, side=90))
    assert change.new_areas(13.0) == []
    in_shadow = make_face(beside[0], beside[1] + 15.0, edge_px=30.0)
    assert change.share_of(in_shadow) > 0.9
    assert change.changed_share_of(in_shadow) < 0.2, "no die came there"


def test_the_hue_of_shadows_is_learnt_from_those_of_dice(background: Background) -> None:
    """An object of another hue stays one."""
    die = _DICE[0]
    beside = round(die.x), round(die.y) + 40
    blue, red = np.array([0.75, 0.6, 0.5]), np.array([0.5, 0.6, 0.75])
    shaded, other = (draw_throw(_DICE, seed=33) for _ in range(2))
    for image, levels in ((shaded, blue), (other, red)):
        image[beside[1] - 45 : beside[1] + 45, beside[0] - 45 : beside[0] + 45] = np.rint(
            image[beside[1] - 45 : beside[1] + 45, beside[0] - 45 : beside[0] + 45] * levels
        )
    seen = compare(background, shaded)
    assert seen.new_areas(13.0) != []
    knowing = replace(background, shade=measure_shade([seen]))
    assert knowing.shade[0] > 0.2 > -0.2 > knowing.shade[2]
    assert compare(knowing, shaded).new_areas(13.0) == []
    assert compare(knowing, other).new_areas(13.0) != []
    assert not measure_shade([compare(background, draw_throw(_DICE, seed=33))]).any()


def test_a_shadow_over_the_tray_makes_the_background_sick(background: Background) -> None:
    image = draw_throw(_DICE, seed=34)
    image[:, :200] = (image[:, :200] * 0.5).astype(np.uint8)
    image[:, :200, 0] //= 2
    assert compare(background, image).is_sick


def test_a_large_object_leaves_the_background_of_use(background: Background) -> None:
    image = draw_object(draw_throw(_DICE, seed=36), (300, 240), 0.5, side=230)
    image[125:355, 185:415, 0] //= 2
    change = compare(background, image)
    assert not change.is_sick
    assert change.is_new.sum() > 0.1 * change.is_new.size
    assert max(area.area_px for area in change.new_areas(13.0)) > 100**2


def test_a_large_patch_of_light_is_no_object(background: Background) -> None:
    image = draw_object(draw_throw(_DICE, seed=37), (300, 240), 1.5, side=230)
    change = compare(background, image)
    assert change.is_sick
    assert change.new_share < 0.25


def test_a_place_with_the_same_print_is_alike(background: Background) -> None:
    mark = lay_dice(3)[0]
    throws = fair_throws(8, marks=[mark])
    ground = learn_ground(throws)
    same = compare(ground, draw_throw(_DICE[1:], seed=35, marks=[mark]))
    assert same.likeness_of(make_face(mark.x, mark.y)) > 0.95
    assert compare(ground, draw_throw(_DICE[1:])).likeness_of(make_face(mark.x, mark.y)) < 0.5
    assert same.likeness_of(make_face(*_FREE)) == 0.0
