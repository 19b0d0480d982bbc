# SPDX-License-Identifier: MIT
"""A reader that knows its table questions less about the ground and more about strangers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.support.drawn_dice import ORANGE, FaceDrawing
from tests.vision.table_model.tables import TRAY, draw_object, draw_throw, lay_dice
from vision.checks.flatness import FlatnessNet
from vision.checks.messages import doubt_under_dome
from vision.checks.plane import Plane
from vision.face import Face, Floats, edge_of
from vision.frame import Image
from vision.pipeline import Reader, prepare_reader
from vision.reading import DoubtKind, LiftKind, Status
from vision.table_model.confirmed import ConfirmedDie
from vision.table_model.model import learn_table
from vision.tile_verdicts import Candidate, Judge
from vision.trace import Trace

_MARK = FaceDrawing(4, 320, 245, left_out=(0,), pip_share=0.22)
"""A print on the felt that looks like a die that can't be read."""

_READ_MARK = FaceDrawing(4, 320, 245, pip_share=0.22)
_FREE = (320, 245)


def confirm_throws(marks: Sequence[FaceDrawing]) -> list[tuple[Image, list[ConfirmedDie]]]:
    """Return six throws over prints on the felt, each with its dice."""
    throws = []
    for number in range(6):
        dice = lay_dice(number)
        image = draw_throw(dice, seed=number, marks=marks)
        throws.append((image, [ConfirmedDie(die.number, (die.x, die.y)) for die in dice]))
    return throws


def learn(marks: Sequence[FaceDrawing]) -> Reader:
    """Return a reader after six throws over prints on the felt."""
    return prepare_reader(TRAY, confirm_throws(marks))


@pytest.fixture(autouse=True)
def upright(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawn faces have no body below them, so nothing shows how they lie."""
    monkeypatch.setattr("vision.pipeline.LEAST_ODDS", math.inf)


@pytest.fixture(scope="module")
def plain() -> Reader:
    return Reader(tray=TRAY)


@pytest.fixture(scope="module")
def learnt() -> Reader:
    return learn([_MARK])


def throw(number: int = 11, *, marks: Sequence[FaceDrawing] = (_MARK,)) -> Image:
    return draw_throw(lay_dice(number), seed=number, marks=marks)


def numbers(number: int = 11) -> tuple[int, ...]:
    return tuple(sorted(die.number for die in lay_dice(number)))


@pytest.mark.parametrize("wrong", [2, 3])
def test_dice_that_were_mostly_not_read_are_not_believed(plain: Reader, wrong: int) -> None:
    """Of clear dice the faces below are read, and surely."""
    throws = [
        (image, [replace(die, number=die.number % 6 + 1) for die in dice[:wrong]] + dice[wrong:])
        for image, dice in confirm_throws([])
    ]
    reader = prepare_reader(TRAY, throws)
    reading = reader.read(throw(marks=[]), expect=5)
    assert (reading.status is Status.READ) == (wrong == 2)
    doubts = [one for one in reading.doubts if "too hard to read" in one.text]
    assert len(doubts) == (0 if wrong == 2 else 5)
    assert [doubt_under_dome(one) for one in doubts] == doubts


def test_a_print_that_was_always_there_is_no_doubt(plain: Reader, learnt: Reader) -> None:
    assert plain.read(throw(), expect=5).status is Status.UNSURE
    reading = learnt.read(throw(), expect=5)
    assert (reading.status, reading.faces) == (Status.READ, numbers())
    (lift,) = reading.lifts
    assert lift.kind is LiftKind.BACKGROUND
    assert math.dist(lift.center_px, _FREE) < 5.0
    assert lift.share < 0.1


def test_a_print_stays_a_doubt_if_the_number_is_not_known(learnt: Reader) -> None:
    reading = learnt.read(throw())
    assert (reading.status, reading.lifts) == (Status.UNSURE, ())


def test_the_same_thing_in_a_new_position_is_a_doubt(learnt: Reader) -> None:
    moved = FaceDrawing(4, 235, 190, left_out=(0,), pip_share=0.22)
    assert learnt.read(throw(marks=[_MARK, moved]), expect=5).status is Status.UNSURE


def test_a_print_that_is_read_is_left_out(plain: Reader) -> None:
    image = throw(marks=[_READ_MARK])
    assert len(plain.read(image, expect=5).dice) == 6
    reading = learn([_READ_MARK]).read(image, expect=5)
    assert (reading.status, reading.faces) == (Status.READ, numbers())
    assert [lift.kind for lift in reading.lifts] == [LiftKind.BACKGROUND]


def test_a_die_on_a_print_of_another_number_is_read() -> None:
    die = FaceDrawing(1, 320, 245)
    dice = [*lay_dice(11)[1:], die]
    image = draw_throw(dice, seed=11, marks=[_READ_MARK])
    reading = learn([_READ_MARK]).read(image, expect=5)
    assert reading.faces == tuple(sorted(die.number for die in dice))


def test_a_sick_background_removes_no_doubt(learnt: Reader) -> None:
    image = throw()
    image[:, :200, :2] //= 2
    reading = learnt.read(image, expect=5)
    assert reading.is_background_sick
    assert reading.lifts == ()


def test_another_light_leaves_the_background_of_use(learnt: Reader) -> None:
    image = cv2.convertScaleAbs(throw(), alpha=0.8)
    reading = learnt.read(np.asarray(image, np.uint8), expect=5)
    assert not reading.is_background_sick
    assert (reading.status, reading.faces) == (Status.READ, numbers())


def test_a_new_object_is_told_in_its_position(plain: Reader, learnt: Reader) -> None:
    image = draw_object(throw(), (235, 190), 0.5)
    clean = draw_object(throw(marks=()), (235, 190), 0.5)
    assert plain.read(clean, expect=5).status is Status.READ
    (doubt,) = learnt.read(image, expect=5).doubts
    assert doubt.kind is DoubtKind.FOREIGN_OBJECT
    assert doubt.center_px == pytest.approx((235, 190), abs=4.0)


def test_a_new_object_may_be_the_missing_die(learnt: Reader) -> None:
    dice = lay_dice(11)[1:]
    image = draw_object(draw_throw(dice, seed=11, marks=[_MARK]), (235, 190), 0.5)
    doubts = learnt.read(image, expect=5).doubts
    assert [doubt.kind for doubt in doubts] == [DoubtKind.UNSURE, DoubtKind.COUNT]
    assert doubts[0].center_px == pytest.approx((235, 190), abs=4.0)


def test_a_missing_die_without_a_trace_may_lie_under_another(
    plain: Reader, learnt: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader that knows nothing of the table says only that one is missing."""
    (alone,) = plain.read(throw(marks=[]), expect=6).doubts
    monkeypatch.setattr("vision.table_model.view._HIDES", -math.inf)
    reading = learnt.read(throw(), expect=6)
    (count,) = reading.doubts
    assert (alone.kind, count.kind) == (DoubtKind.COUNT, DoubtKind.COUNT)
    assert alone.center_px is None
    assert count.center_px in {die.center_px for die in reading.dice}


def test_a_die_that_was_not_thrown_has_no_place(learnt: Reader) -> None:
    (count,) = learnt.read(throw(), expect=6).doubts
    assert (count.kind, count.center_px) == (DoubtKind.COUNT, None)


def test_a_die_of_another_colour_is_told(plain: Reader, learnt: Reader) -> None:
    first, *dice = lay_dice(11)
    swapped = FaceDrawing(first.number, first.x, first.y, angle_deg=first.angle_deg, body=ORANGE)
    clean = draw_throw([swapped, *dice], seed=11)
    assert plain.read(clean, expect=5).status is Status.READ
    (doubt,) = learnt.read(draw_throw([swapped, *dice], seed=11, marks=[_MARK]), expect=5).doubts
    assert doubt.center_px == pytest.approx((first.x, first.y), abs=4.0)
    assert "unlike the dice of this table" in doubt.text


def test_corrected_foot_counts_only_where_it_was_a_doubt(
    plain: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A die that leans only without the correction was no doubt if its foot was in place."""

    away = []

    def lean_without_correction(
        _net: object, _pyramid: object, faces: list[Face], plane: Plane, downs: Floats
    ) -> Floats:
        is_corrected = plane.focal_px != TRAY.focal_px
        away.append(0 if is_corrected else len(faces))
        return np.full(len(faces), -9.0 if is_corrected else 9.0)

    taught = [plain.confirm(image, dice) for image, dice in confirm_throws([_MARK])]
    model = learn_table([one for one in taught if one is not None], TRAY)
    assert model is not None
    monkeypatch.setattr(FlatnessNet, "leans", lean_without_correction)
    # Some of the five feet are farther away than this.
    monkeypatch.setattr("vision.pipeline.TABLE_SURE_FOOT", 0.3)
    monkeypatch.setattr("vision.pipeline.shared_error", lambda _faces, _downs: np.zeros(2))
    monkeypatch.setattr(Judge, "outline_again", lambda _judge, _pyramid, face: face)
    reading = plain.with_model(replace(model, focal=1.001)).read(throw(), expect=5)
    assert (reading.status, reading.faces) == (Status.READ, numbers())
    assert 0 < max(away) < 5
    assert [one.kind for one in reading.lifts].count(LiftKind.FOOT) == max(away)


def test_a_throw_with_an_unseen_die_teaches_nothing(plain: Reader) -> None:
    assert plain.confirm(throw(), [ConfirmedDie(4, (40.0, 460.0))]) is None


def test_a_throw_is_confirmed_only_at_a_calibrated_table() -> None:
    with pytest.raises(ValueError, match="calibrated"):
        Reader().confirm(throw(), [])


def test_pictures_of_another_size_need_no_background(learnt: Reader) -> None:
    small = np.asarray(cv2.resize(throw(), (400, 300), interpolation=cv2.INTER_AREA), np.uint8)
    reading = learnt.read(small, expect=5)
    assert (reading.lifts, reading.is_background_sick) == ((), False)


def test_the_trace_shows_what_was_removed(learnt: Reader, tmp_path: Path) -> None:
    reading = learnt.read(throw(), expect=5, trace=Trace(tmp_path))
    (lift,) = reading.lifts
    drawn = cv2.imread(str(tmp_path / "picture-3-reading.png"))
    assert drawn is not None
    x, y = round(lift.center_px[0] + lift.radius_px), round(lift.center_px[1])
    blue, _, red = drawn[y, x].astype(int)
    assert blue > red + 100


def test_a_picture_of_another_view_teaches_nothing() -> None:
    with pytest.raises(ValueError, match="tray map"):
        prepare_reader(TRAY, [(np.zeros((300, 640, 3), np.uint8), [])])


def test_only_missing_dice_are_judged_in_the_shape_of_the_dice(
    plain: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    shapes: list[Floats] = []
    judge = Judge.judge_in_shape

    def note(self: Judge, *args: Any, **options: Any) -> object:
        shapes.append(args[3])
        return judge(self, *args, **options)

    monkeypatch.setattr(Judge, "judge_in_shape", note)
    plain.read(throw(marks=[]), expect=4)
    assert shapes == []
    assert plain.read(throw(), expect=6).status is Status.UNSURE
    assert shapes
    assert [edge_of(one) for one in shapes] == pytest.approx([60.0] * len(shapes), rel=0.01)


def _change_judged(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[Candidate], Candidate]
) -> None:
    """Change the surest candidate of each picture before it is decided on."""
    judge = Judge.judge

    def judge_other(*args: Any, **options: Any) -> list[Candidate]:
        seen = judge(*args, **options)
        surest = max(seen, key=lambda one: one.verdict.right)
        return [change(one) if one is surest else one for one in seen]

    monkeypatch.setattr(Judge, "judge", judge_other)


def test_a_die_that_leans_only_in_a_bad_cut_is_flat(
    learnt: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    better: list[Floats] = []

    def lean_at_first(_net: object, _pyramid: object, faces: list[Face], *_: object) -> Floats:
        is_again = [any(face.center is one for one in better) for face in faces]
        return np.where(np.array(is_again) & is_flat, -9.0, 9.0)

    outline_again = Judge.outline_again

    def note(judge: Judge, pyramid: Any, face: Face) -> Face:
        # With the same foot, so that the net is asked.
        again = replace(outline_again(judge, pyramid, face), foot=face.foot)
        better.append(again.center)
        return again

    monkeypatch.setattr(FlatnessNet, "leans", lean_at_first)
    monkeypatch.setattr(Judge, "outline_again", note)
    monkeypatch.setattr("vision.pipeline.TABLE_SURE_FOOT", 0.3)
    for is_flat in (True, False):
        reading = learnt.read(throw(), expect=5)
        assert better
        assert (DoubtKind.COCKED in [one.kind for one in reading.doubts]) == (not is_flat)


def test_what_looks_stacked_is_told_by_the_count(
    plain: Reader, learnt: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A die on another one hides it, so none may seem to be on one if none is missing."""

    def set_up(one: Candidate) -> Candidate:
        return replace(one, face=replace(one.face, odd=0.9))

    _change_judged(monkeypatch, set_up)
    for unknowing in (plain.read(throw(marks=[]), expect=5), learnt.read(throw())):
        assert DoubtKind.STACKED in [doubt.kind for doubt in unknowing.doubts]
    reading = learnt.read(throw(), expect=5)
    assert (reading.status, reading.faces) == (Status.READ, numbers())
    assert [lift.share for lift in reading.lifts if lift.kind is LiftKind.COUNT] == [0.9]
    missing = learnt.read(throw(), expect=6)
    assert DoubtKind.STACKED in [doubt.kind for doubt in missing.doubts]


def test_a_number_in_a_shape_of_no_flat_die_is_read_anew(
    learnt: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where a part of the upper face and a part of a side make up another number."""

    def stretch(one: Candidate) -> Candidate:
        halves = one.face.half_edges @ np.diag([1.3, 1.0])
        face = replace(one.face, half_edges=halves, number=one.face.number % 6 + 1)
        return replace(one, face=face)

    _change_judged(monkeypatch, stretch)
    reading = learnt.read(throw(), expect=5)
    assert (reading.status, reading.faces) == (Status.READ, numbers())
