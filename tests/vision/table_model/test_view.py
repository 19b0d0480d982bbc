# SPDX-License-Identifier: MIT
"""What a table learnt removes only candidates that can't be dice of its own."""

from __future__ import annotations

import pytest

from tests.vision.faces import make_candidate, make_face
from tests.vision.table_model.tables import (
    EDGE_PX,
    TRAY,
    draw_throw,
    faces_of,
    fair_model,
    lay_dice,
)
from vision.params import TableParams
from vision.reading import LiftKind
from vision.resolve import Decision
from vision.table_model.background import shrink
from vision.table_model.view import TableView, needed_lifts

_LEAST = 0.9
_DICE = faces_of(lay_dice(11))


@pytest.fixture(scope="module")
def view() -> TableView:
    decision = Decision(list(_DICE), [], [])
    image = draw_throw(lay_dice(11), seed=11)
    return TableView.of(shrink(image), decision, fair_model(), TRAY, TableParams())


def test_dice_of_the_table_stay(view: TableView) -> None:
    dice = [make_candidate(face, die=0.9, right=0.5) for face in _DICE]
    kept, lifts = view.split_candidates(dice, [], _LEAST)
    assert (kept, lifts) == (dice, [])


def test_an_unread_face_on_empty_ground_goes(view: TableView) -> None:
    ground = make_candidate(make_face(320, 250), die=0.9, right=0.5)
    kept, (lift,) = view.split_candidates([ground], _DICE, _LEAST)
    assert kept == []
    assert (lift.kind, lift.center_px, lift.share) == (LiftKind.BACKGROUND, (320.0, 250.0), 0.0)


def test_a_read_face_on_ground_without_its_pips_stays(view: TableView) -> None:
    read = make_candidate(make_face(320, 250), die=0.9, right=0.95)
    assert view.split_candidates([read], _DICE, _LEAST) == ([read], [])


@pytest.mark.parametrize("edge_px", [0.7 * EDGE_PX, 1.4 * EDGE_PX])
def test_an_unread_face_of_another_size_goes(view: TableView, edge_px: float) -> None:
    """Beside a die that was read it stays: it may be the visible part of another one."""
    center = _DICE[0].center
    other = make_candidate(make_face(*center, edge_px=edge_px), die=0.9, right=0.5)
    far, near = [_DICE[1]], [make_face(center[0] + 60.0, center[1])]
    kept, (lift,) = view.split_candidates([other], far, _LEAST)
    assert kept == []
    assert lift.kind is LiftKind.SIZE
    assert lift.share == pytest.approx(edge_px / EDGE_PX)
    assert view.split_candidates([other], near, _LEAST) == ([other], [])
    read = make_candidate(make_face(*center, edge_px=edge_px), die=0.9, right=0.95)
    assert view.split_candidates([read], far, _LEAST) == ([read], [])


def test_an_unread_face_within_a_read_die_goes(view: TableView) -> None:
    face = _DICE[0]
    inside = make_candidate(make_face(*face.center, edge_px=20.0), die=0.9, right=0.5)
    beyond = make_candidate(make_face(*(face.center + 40.0), edge_px=40.0), die=0.9, right=0.5)
    kept, (lift,) = view.split_inside([inside, beyond], _DICE, _LEAST)
    assert kept == [beyond]
    assert lift.kind is LiftKind.INSIDE


def test_a_read_face_within_a_read_die_stays(view: TableView) -> None:
    """It may contradict the other one, and that is a doubt."""
    face = make_face(*_DICE[0].center, number=3, edge_px=40.0)
    other = make_candidate(face, die=0.9, right=0.95)
    assert view.split_inside([other], _DICE, _LEAST) == ([other], [])


def test_only_what_was_read_or_doubted_needs_a_lift(view: TableView) -> None:
    ground = [make_candidate(make_face(x, 250), die=0.1, right=0.1) for x in (308, 314)]
    _, lifts = view.split_candidates(ground, _DICE, _LEAST)
    assert len(lifts) == 2
    decision = Decision([ground[1].face], [], [])
    assert needed_lifts(lifts, decision) == [lifts[1]]


def test_a_sick_background_removes_nothing() -> None:
    image = draw_throw(lay_dice(11), seed=11)
    image[:, :300, :2] //= 2
    decision = Decision(list(_DICE), [], [])
    view = TableView.of(shrink(image), decision, fair_model(), TRAY, TableParams())
    ground = make_candidate(make_face(400, 200), die=0.9, right=0.5)
    assert view.is_sick
    assert view.split_candidates([ground], _DICE, _LEAST) == ([ground], [])
