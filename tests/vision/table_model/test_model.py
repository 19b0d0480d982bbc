# SPDX-License-Identifier: MIT
"""Confirmed throws teach a model, and none of its limits questions one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.vision.faces import make_candidate, make_face
from tests.vision.table_model.tables import (
    EDGE_PX,
    TRAY,
    confirm,
    draw_object,
    draw_throw,
    faces_of,
    fair_throws,
    lay_dice,
)
from vision.checks.plane import felt_plane, fit_lens
from vision.face import Face
from vision.table_model.confirmed import ConfirmedDie, ConfirmedThrow, match_confirmed
from vision.table_model.model import (
    NEW_AREA,
    OTHER_HUE,
    OTHER_LIGHT,
    TableModel,
    learn_table,
)

_NEAR = replace(TRAY, focal_px=800.0)
"""The same felt seen by a camera that is so near that dice show their sides."""


def learn(throws: Sequence[ConfirmedThrow]) -> TableModel:
    model = learn_table(throws, TRAY)
    assert model is not None
    return model


def with_faces(throw: ConfirmedThrow, faces: Sequence[Face]) -> ConfirmedThrow:
    return replace(throw, faces=tuple(faces))


def with_foot_at_focal(face: Face, factor: float) -> Face:
    """Return a flat die as a camera with another focal length would see its foot."""
    plane = felt_plane(_NEAR.with_lens(factor))
    return replace(face, foot=plane.downs_at(face.center[None])[0])


@pytest.mark.parametrize("count", [0, 3])
def test_few_throws_teach_nothing(count: int) -> None:
    assert learn_table(fair_throws(count), TRAY) is None


def test_fair_throws_teach_the_table() -> None:
    model = learn(fair_throws())
    assert model.background is not None
    assert model.size == pytest.approx(1.0, rel=0.01)
    assert model.least_changed > 0.8
    assert model.most_new == NEW_AREA
    assert (model.most_hue, model.most_light) == (OTHER_HUE, OTHER_LIGHT)


def test_a_large_thing_beside_confirmed_dice_raises_no_limit() -> None:
    first, *others = fair_throws()
    dice = lay_dice(0)
    image = draw_object(draw_throw(dice, seed=0), (300, 240), 0.5, side=230)
    image[125:355, 185:415, 0] //= 2
    assert learn([confirm(dice, image), *others]).most_new == learn([first, *others]).most_new


@pytest.mark.parametrize(
    ("odds", "least"), [(-np.inf, 1.0), (-3.0, 1.0), (0.5, 2.5), (1.5, 3.5), (9.0, 4.0)]
)
def test_confirmed_dice_show_from_which_odds_on_a_die_leans(odds: float, least: float) -> None:
    first, *others = fair_throws()
    model = learn([replace(first, odds=odds), *others])
    assert model.least_odds == pytest.approx(least)


@pytest.mark.parametrize("error", [0.3, 0.0])
def test_the_lens_suits_all_confirmed_dice(error: float) -> None:
    """One that a calibration knows exactly stays."""
    throws = [
        with_faces(one, [with_foot_at_focal(face, 1.35) for face in one.faces])
        for one in fair_throws()
    ]
    tray = replace(_NEAR, focal_error=error)
    model, older = learn_table(throws, tray), learn_table(throws, tray, version=4)
    assert model is not None
    assert older is not None
    lens = fit_lens([face for one in throws for face in one.faces], tray)
    assert model.correct(tray).focal_px == pytest.approx(lens.focal_px)
    assert model.correct(tray).pixel_aspect == lens.pixel_aspect
    assert older.focal == pytest.approx(1.35 if error else 1.0, rel=0.08)
    assert older.aspect == 1.0
    assert (model.focal > 1.1) == (error > 0.0)


def test_the_size_of_the_dice_is_that_of_the_confirmed_ones() -> None:
    throws = [
        with_faces(one, [replace(face, half_edges=face.half_edges * 1.1) for face in one.faces])
        for one in fair_throws()
    ]
    model = learn(throws)
    assert model.edge_ratio(make_face(300, 200, edge_px=1.1 * EDGE_PX), TRAY) == pytest.approx(1.0)
    assert not model.has_other_size(make_face(300, 200, edge_px=1.3 * EDGE_PX), TRAY)
    assert model.has_other_size(make_face(300, 200, edge_px=0.85 * EDGE_PX), TRAY)
    assert model.has_other_size(make_face(300, 200, edge_px=1.4 * EDGE_PX), TRAY)


@pytest.mark.parametrize(
    ("bgr", "is_other"),
    [
        ((225, 230, 230), False),
        ((180, 184, 184), False),
        ((60, 62, 62), True),
        ((40, 30, 190), True),
        ((225, 190, 160), True),
    ],
)
def test_a_body_unlike_all_confirmed_ones_is_noticed(
    bgr: tuple[int, int, int], is_other: bool
) -> None:
    model = learn(fair_throws())
    face = replace(make_face(300, 200), bgr=np.array(bgr, float))
    assert model.has_other_color(face, np.ones(3)) is is_other


@pytest.mark.parametrize(
    ("contrast", "is_other"), [(1.2, False), (0.7, False), (-0.6, True), (0.0, False)]
)
def test_pips_that_are_lighter_than_a_usual_body_are_noticed(
    contrast: float, is_other: bool
) -> None:
    throws = [
        with_faces(one, [replace(face, contrast=1.2) for face in one.faces])
        for one in fair_throws()
    ]
    first, *others = throws
    one = with_faces(first, [replace(face, contrast=0.0) for face in first.faces])
    face = replace(make_face(300, 200), contrast=contrast)
    for taught in (throws, [one, *others]):
        assert learn(taught).has_other_color(face, np.ones(3)) is is_other


def test_a_body_is_compared_in_the_light_of_the_background() -> None:
    model = learn(fair_throws())
    dim = replace(make_face(300, 200), bgr=np.array([225.0, 230.0, 230.0]) * 0.5)
    assert model.has_other_color(dim, np.ones(3))
    assert not model.has_other_color(dim, np.full(3, 0.5))


def test_black_and_white_dice_leave_the_limits_as_they_are() -> None:
    throws = [
        with_faces(
            one, [*one.faces[:3], *(replace(face, bgr=face.bgr / 8.0) for face in one.faces[3:])]
        )
        for one in fair_throws()
    ]
    assert learn(throws).most_light == OTHER_LIGHT


def test_a_limit_that_questions_a_confirmed_throw_is_raised() -> None:
    throws = fair_throws()
    dice = lay_dice(2)
    spoilt = draw_object(draw_throw(dice, seed=2), (240, 195), 0.4)
    odd = replace(faces_of(dice)[0], bgr=np.array([225.0, 190.0, 160.0]))
    throws[2] = with_faces(confirm(dice, spoilt), [odd, *faces_of(dice)[1:]])
    model = learn(throws)
    assert model.most_new > (40 / EDGE_PX) ** 2
    assert not model.has_other_color(odd, np.ones(3))
    left_out = learn([one for k, one in enumerate(throws) if k != 2])
    assert left_out.has_other_color(odd, np.ones(3))


def test_a_background_that_fits_no_other_throw_is_not_used() -> None:
    throws = fair_throws()
    rng = np.random.default_rng(1)
    noisy = [replace(one, image=rng.integers(0, 255, one.image.shape, np.uint8)) for one in throws]
    assert learn(noisy).background is None


def test_dice_as_dark_as_their_ground_have_a_small_changed_share() -> None:
    hidden = [replace(one, image=fair_throws(1)[0].image) for one in fair_throws()]
    unseen = [replace(one, dice=np.zeros_like(one.dice)) for one in hidden]
    assert learn(unseen).least_changed == 0.0


def test_confirmed_dice_are_matched_with_candidates() -> None:
    sure = make_candidate(make_face(100, 100, number=4), die=0.6, right=0.9)
    other = make_candidate(make_face(104, 100, number=2), die=0.9, right=0.9)
    far = make_candidate(make_face(300, 100, number=4), die=0.9, right=0.9)
    die = ConfirmedDie(4, (102.0, 101.0))
    assert match_confirmed([other, far, sure], [die]) == [sure]
    assert match_confirmed([other, far], [die]) == [other]
    assert match_confirmed([far], [die]) is None
