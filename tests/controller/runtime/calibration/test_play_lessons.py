# SPDX-License-Identifier: MIT
"""Rolls that stand teach the table slowly; doubted, corrected and entered ones do not."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal.entry_reader import EntryReader
from controller.journal.hashchain import Body, Entry, Value, encode_entry
from controller.journal.journal import JOURNAL_FILE
from controller.journal.picture_store import PictureStore
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.play_lessons import EVERY_ROLLS, PlayLessons, StandingRolls
from controller.runtime.calibration.store import Calibration, load_calibration
from controller.runtime.calibration.teaching import Teacher
from controller.runtime.frame_events import to_seen_die
from controller.table.events import PictureInfo, TrayLift
from controller.table.reading_codec import encode_reading
from tests.support.drawn_dice import FaceDrawing
from tests.vision.table_model.tables import TRAY, draw_throw, lay_dice
from vision.frame import Image
from vision.image_files import encode_jpeg
from vision.table_model.background import MOST_RESTS
from vision.table_model.confirmed import ConfirmedDie, Lesson, Lessons
from vision.table_model.model_text import StoredModel
from vision.tray_crop import crop_to_tray

_CROP = crop_to_tray(TRAY)
_CALIBRATION = Calibration(TRAY, None, 0.0, "")


class Evening:
    """A table that was taught by throws whose pictures are in its folder, and its journal."""

    def __init__(self, folder: Path, model: StoredModel) -> None:
        self.folder = folder
        self.store = PictureStore(folder)
        self.live = ActiveCalibration(replace(_CALIBRATION, table_model=model))
        self.path = folder / JOURNAL_FILE
        self.path.touch()
        self._seq = 0
        self.lessons = self.start()
        self.lessons.catch_up()

    def start(self) -> PlayLessons:
        entries = EntryReader(self.path, lambda: self.path.stat().st_size)
        return PlayLessons(self.folder, self.live, entries, self.store.read, lambda timeout_s: True)

    def roll(self, seed: int, marks: Sequence[FaceDrawing] = ()) -> None:
        self.add("roll", self.read_roll(seed, marks))

    def read_roll(self, seed: int, marks: Sequence[FaceDrawing] = ()) -> Body:
        dice = lay_dice(seed)
        image = draw_throw(dice, seed=seed, marks=marks)
        reading = self.live.read(image, expect=5)
        lesson = keep_throw(self.store, image, dice)
        shot = PictureInfo(lesson.crop_px, lesson.frame_wh, table_model=reading.table_model)
        lie = [replace(to_seen_die(die), origin="thrown") for die in reading.dice]
        return {
            "by": "Ada",
            "roll": "",
            "by_hand": "",
            **encode_reading(lie, (), lesson.picture, shot),
        }

    def add(self, kind: str, body: Body) -> None:
        with open(self.path, "ab") as file:
            file.write(encode_entry(make_entry(kind, body, self._seq)) + b"\n")
        self._seq += 1

    @property
    def played(self) -> tuple[Lesson, ...]:
        model = self.live.table_model
        assert model is not None
        return model.lessons.played


def make_entry(kind: str, body: Body, seq: int = 0) -> Entry:
    return Entry(seq, 0, kind, body, "0" * 64, "0" * 64)


def keep_throw(store: PictureStore, image: Image, dice: Sequence[FaceDrawing]) -> Lesson:
    confirmed = tuple(ConfirmedDie(die.number, (die.x, die.y)) for die in dice)
    digest = store.store(encode_jpeg(_CROP.apply(image)))
    return Lesson(digest, _CROP.rectangle_px, TRAY.picture_wh, confirmed)


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, StoredModel]:
    """What five throws teach, and the folder with their pictures."""
    store = PictureStore(folder := tmp_path_factory.mktemp("taught"))
    lessons = []
    for number in range(5):
        dice = lay_dice(number)
        lessons.append(keep_throw(store, draw_throw(dice, seed=number), dice))
    model = Teacher(ActiveCalibration(_CALIBRATION), store.read).learn(Lessons(tuple(lessons)))
    assert model is not None
    return folder, model


@pytest.fixture
def evening(tmp_path: Path, taught: tuple[Path, StoredModel]) -> Evening:
    pictures, model = taught
    shutil.copytree(pictures, tmp_path, dirs_exist_ok=True)
    return Evening(tmp_path, model)


def test_standing_rolls_teach_after_every_few(evening: Evening) -> None:
    before = evening.live.table_model
    for seed in range(20, 20 + EVERY_ROLLS):
        evening.roll(seed)
        evening.lessons.catch_up()
    assert evening.live.table_model == before
    evening.add("game", {})
    evening.lessons.catch_up()
    after = evening.live.table_model
    assert after is not None
    assert before is not None
    assert len(evening.played) == EVERY_ROLLS
    assert after.lessons.taught == before.lessons.taught
    assert load_calibration(evening.folder) == evening.live.calibration
    assert len(after.decode().colors) == 25 + 5 * EVERY_ROLLS
    assert Teacher(evening.live, evening.store.read).learn(after.lessons) == after
    reading = evening.live.read(draw_throw(lay_dice(40), seed=40), expect=5)
    assert reading.table_model == after.digest


def test_a_new_start_goes_on_with_what_was_learnt(evening: Evening) -> None:
    for seed in range(20, 21 + EVERY_ROLLS):
        evening.roll(seed)
    evening.lessons.catch_up()
    first = evening.played
    evening.lessons = evening.start()
    evening.lessons.catch_up()
    for seed in range(30, 31 + EVERY_ROLLS):
        evening.roll(seed)
    evening.lessons.catch_up()
    assert evening.played[: len(first)] == first
    assert len(evening.played) == 2 * EVERY_ROLLS <= MOST_RESTS


def test_a_new_print_on_the_felt_becomes_part_of_the_ground(evening: Evening) -> None:
    """The ground heals itself once most of the newest rests show the change."""
    stain = [FaceDrawing(1, 210, 190, edge_px=12, left_out=(0,))]
    for seed in range(20, 21 + 2 * EVERY_ROLLS):
        evening.roll(seed, stain)
    evening.lessons.catch_up()
    model = evening.live.table_model
    assert model is not None
    background = model.decode().background
    assert background is not None
    level = background.image[int(190 * 0.75), int(210 * 0.75)]
    assert level.min() > 150


def test_after_a_new_calibration_nothing_old_teaches(evening: Evening) -> None:
    for seed in range(20, 20 + EVERY_ROLLS):
        evening.roll(seed)
    evening.add("calibration", {"calibration": "{}"})
    evening.add("game", {})
    evening.lessons.catch_up()
    assert evening.played == ()


def test_a_table_that_was_not_taught_learns_nothing(evening: Evening) -> None:
    calibration = evening.live.calibration
    assert calibration is not None
    for seed in range(20, 20 + EVERY_ROLLS):
        evening.roll(seed)
    evening.live.learn(evening.folder, None, at=calibration)
    evening.add("game", {})
    evening.lessons.catch_up()
    assert evening.live.table_model is None


def test_what_was_learnt_at_another_calibration_is_not_kept(evening: Evening) -> None:
    old, model = evening.live.calibration, evening.live.table_model
    assert old is not None
    evening.live.activate(replace(old, sharpness=1.0))
    assert not evening.live.learn(evening.folder, model, at=old)
    assert load_calibration(evening.folder) is None


DIE: Mapping[str, Value] = {
    "face": 4,
    "polarity": "light",
    "colour": "white",
    "x_mpx": 1000,
    "y_mpx": 2000,
    "angle_mdeg": 0,
    "edge_mpx": 60_000,
    "origin": "thrown",
}
ROLL: Body = {
    "by": "Ada",
    "roll": "4",
    "by_hand": "",
    "doubts": [],
    "lie": [DIE],
    "picture": "ab" * 32,
    "crop_px": [0, 0, 640, 480],
    "frame_px": [640, 480],
    "table_model": "cd" * 32,
    "lifts": [],
}


def encode_lift(kind: str) -> Value:
    shot = PictureInfo(table_model="x", lifts=(TrayLift(kind, (1.0, 1.0), 1.0, 0),))
    return encode_reading((), (), "", shot)["lifts"]


@pytest.mark.parametrize(
    ("change", "teaches"),
    [
        ({}, True),
        ({"lifts": encode_lift("background")}, True),
        ({"lifts": encode_lift("foot")}, False),
        ({"by_hand": "Olga"}, False),
        ({"doubts": ["placed: a hand"]}, False),
        ({"table_model": ""}, False),
        ({"picture": ""}, False),
        ({"lie": [DIE, {**DIE, "origin": "kept"}]}, False),
        ({"lie": [{**DIE, "origin": "turned", "was": 2}]}, False),
    ],
)
def test_only_a_certain_throw_of_all_dice_teaches(change: Body, *, teaches: bool) -> None:
    rolls = StandingRolls()
    assert rolls.add_entry(make_entry("roll", {**ROLL, **change})) is None
    lesson = rolls.add_entry(make_entry("roll", ROLL))
    assert (lesson is not None) is teaches
    if lesson:
        assert lesson.dice == (ConfirmedDie(4, (1.0, 2.0)),)


@pytest.mark.parametrize(
    ("between", "stands"),
    [
        (["action", "action"], True),
        (["review", "reviewed"], True),
        (["undo"], True),
        (["correction"], False),
        (["review", "correction", "reviewed"], False),
        (["calibration"], False),
        (["restart"], False),
    ],
)
def test_a_roll_stands_unless_it_is_corrected(between: Sequence[str], *, stands: bool) -> None:
    rolls = StandingRolls()
    rolls.add_entry(make_entry("roll", ROLL))
    assert all(rolls.add_entry(make_entry(kind, {})) is None for kind in between)
    assert (rolls.add_entry(make_entry("game", {})) is not None) is stands
