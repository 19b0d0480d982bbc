# SPDX-License-Identifier: MIT
"""What a table learnt removes only candidates that can't be dice of its own."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
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
from vision.checks.plane import felt_plane
from vision.face import Face, Floats
from vision.reading import DoubtKind, LiftKind
from vision.resolve import Decision
from vision.table_model.background import shrink
from vision.table_model.view import TableView, needed_lifts
from vision.tile_verdicts import Candidate, Judge

_LEAST = 0.9
_DICE = faces_of(lay_dice(11))


@pytest.fixture(scope="module")
def judge() -> Judge:
    return Judge()


@pytest.fixture(scope="module")
def view() -> TableView:
    decision = Decision(list(_DICE), [], [])
    image = draw_throw(lay_dice(11), seed=11)
    return TableView.of(shrink(image), decision, fair_model(), TRAY)


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
    # Seen from straight above a body is its face; the cut of this one is a little larger.
    inside = make_candidate(replace(face, half_edges=1.1 * face.half_edges), die=0.9, right=0.5)
    beyond = make_candidate(make_face(*(face.center + 40.0), edge_px=40.0), die=0.9, right=0.5)
    kept, (lift,) = view.split_explained([inside, beyond], _DICE, _LEAST)
    assert kept == [beyond]
    assert lift.kind is LiftKind.INSIDE


def test_only_an_unlikely_face_in_a_dies_shadow_goes() -> None:
    """A dark die beside it may look like one too, and so may the table's own in its shade."""
    image = draw_throw(lay_dice(11), seed=11)
    x, y = (round(at) for at in _DICE[0].center)
    beside = image[y - 20 : y + 20, x + 15 : x + 75]
    beside[:] = 0.6 * beside
    view = TableView.of(shrink(image), Decision(list(_DICE), [], []), fair_model(), TRAY)
    own = make_face(x + 50, y, edge_px=0.8 * EDGE_PX)
    shadow = replace(own, bgr=image[y, x + 70].astype(float))
    faces = [(shadow, 0.2), (shadow, 0.6), (own, 0.2)]
    seen = [make_candidate(face, die=die, right=0.01) for face, die in faces]
    kept, (lift,) = view.split_explained(seen, _DICE, _LEAST)
    assert kept == seen[1:]
    assert lift.kind is LiftKind.BACKGROUND
    assert lift.share == pytest.approx(0.0, abs=0.2)


def test_a_read_face_within_a_read_die_stays(view: TableView) -> None:
    """It may contradict the other one, and that is a doubt."""
    face = make_face(*_DICE[0].center, number=3, edge_px=40.0)
    other = make_candidate(face, die=0.9, right=0.95)
    assert view.split_explained([other], _DICE, _LEAST) == ([other], [])


def test_a_read_side_of_a_read_die_is_no_upper_face(view: TableView) -> None:
    """From a low camera it looks like one, but its foot is not where that of a flat die is."""
    low = replace(view, tray=replace(TRAY, focal_px=300.0))
    upper = min(_DICE, key=lambda one: float(one.center[0]))
    below = upper.center + 0.5 * _down_px(low, upper)
    flat = replace(upper, center=below, half_edges=0.8 * upper.half_edges, number=3)
    flat = replace(flat, foot=_down_px(low, flat) / flat.edge_px)
    side = replace(flat, foot=flat.foot + 0.6)
    upper = replace(upper, foot=_down_px(low, upper) / upper.edge_px + 0.6)
    assert low.find_sides([upper, side]) == [side]
    assert low.find_sides([upper, flat]) == []
    assert replace(low, change=None).find_sides([upper, side]) == []
    read = [make_candidate(face, die=0.9, right=0.95) for face in (upper, side)]
    kept, (lift,) = low.split_explained(read, [upper], _LEAST, [side])
    assert (kept, lift.kind) == (read[:1], LiftKind.INSIDE)


def _down_px(view: TableView, face: Face) -> Floats:
    [down] = felt_plane(view.tray).downs_at(face.center[None])
    return np.asarray(down * face.edge_px)


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
    view = TableView.of(shrink(image), decision, fair_model(), TRAY)
    ground = make_candidate(make_face(400, 200), die=0.9, right=0.5)
    assert view.is_sick
    assert view.split_candidates([ground], _DICE, _LEAST) == ([ground], [])


def _seen(face: Face, *, die: float = 0.3, right: float = 0.5) -> Candidate:
    """Return a candidate whose number all witnesses find likely."""
    shares = np.full(7, 0.01 / 6.0)
    shares[face.number] = 0.99
    evidence = replace(
        make_candidate(face, die=die, right=right).evidence,
        tile=shares,
        opinion=shares,
        pips=0.9 * np.eye(7)[face.number],
    )
    return replace(make_candidate(face, die=die, right=right), evidence=evidence)


def test_a_die_of_the_table_is_read_by_its_number_alone(view: TableView, judge: Judge) -> None:
    weighing = judge.weighing
    seen = _seen(_DICE[0])
    (read,), (lift,) = view.read_known([seen], judge, _LEAST)
    assert (read.verdict.die, read.verdict.number) == (1.0, seen.verdict.number)
    assert read.verdict.right == lift.share == weighing.weigh_number(seen.evidence)
    assert lift.share >= weighing.least_number
    assert (lift.kind, lift.center_px) == (LiftKind.DIE, tuple(_DICE[0].center))


def test_a_die_of_the_table_without_a_clear_number_is_a_sure_die(
    view: TableView, judge: Judge
) -> None:
    """So it is a doubt, also if as many dice as belong there are read beside it."""
    seen = _seen(_DICE[0])
    unclear = replace(seen, evidence=replace(seen.evidence, pips=np.zeros(7)))
    (one,), lifts = view.read_known([unclear], judge, _LEAST)
    assert (one.verdict.die, one.verdict.right, lifts) == (1.0, 0.5, [])


@pytest.mark.parametrize(("larger", "odd"), [(1.06, 0.3), (1.0, 0.6)])
def test_what_looks_larger_or_odd_may_hide_a_die(
    view: TableView, larger: float, odd: float
) -> None:
    upper = replace(_DICE[2], half_edges=_DICE[2].half_edges * larger, odd=odd)
    assert view.find_hider([*_DICE[:2], upper, *_DICE[3:]]) is upper


def test_a_usual_die_hides_none(view: TableView) -> None:
    """The missing one was not thrown, and no die is marked."""
    assert view.find_hider(_DICE) is None


def test_what_may_be_no_die_of_the_table_stays_as_it_was(view: TableView, judge: Judge) -> None:
    face = _DICE[0]
    strangers = [
        _seen(make_face(320, 250)),
        _seen(replace(face, half_edges=1.4 * face.half_edges)),
        _seen(replace(face, bgr=np.array([30.0, 30.0, 200.0]))),
        _seen(face, right=0.95),
    ]
    for stranger in strangers:
        assert view.read_known([stranger], judge, _LEAST) == ([stranger], [])


def test_a_face_near_a_likelier_one_may_be_its_side(view: TableView, judge: Judge) -> None:
    upper = _seen(_DICE[0], die=0.6)
    side = _seen(replace(_DICE[0], center=_DICE[0].center + 6.0, number=3), die=0.3)
    kept, (lift,) = view.read_known([side, upper], judge, _LEAST)
    assert kept[0] == side
    assert lift.center_px == tuple(_DICE[0].center)


def test_a_die_behind_a_likelier_one_is_none_of_its_sides(view: TableView, judge: Judge) -> None:
    """All sides that are seen lie towards the foot."""
    low = replace(view, tray=replace(TRAY, focal_px=1000.0))
    die = _DICE[0]
    edge = 2.0 * die.half_edges[:, 0]
    away = 0.9 * edge * np.sign(edge @ _down_px(low, die))
    for offset, lifted in ((away, 1), (-away, 0)):
        likelier = _seen(replace(die, center=die.center + offset), die=0.95, right=0.95)
        _, lifts = low.read_known([_seen(die), likelier], judge, _LEAST)
        assert len(lifts) == lifted


def test_a_die_with_the_ground_at_its_sides_is_no_upper_face(view: TableView) -> None:
    """The drawn dice are flat: before a near camera their sides would cover the ground."""
    near = replace(view, tray=replace(TRAY, focal_px=300.0))
    face = min(_DICE, key=lambda one: float(one.center[0]))
    seen = [doubt.kind for doubt in near.find_strangers([face], 1)]
    assert DoubtKind.STACKED in seen
    assert DoubtKind.STACKED not in [doubt.kind for doubt in view.find_strangers([face], 1)]
