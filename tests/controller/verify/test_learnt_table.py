# SPDX-License-Identifier: MIT
"""A roll that the table read with what it learnt is read again from its journal."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from controller.journal.hashchain import Value
from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import TableKey
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.store import Calibration
from controller.runtime.calibration.teaching import Teacher
from controller.runtime.frame_events import to_seen_die
from controller.runtime.picture_recorder import PictureRecorder, RecentPictures
from controller.table.reading_codec import encode_reading
from controller.verify.claims.table_models import TableModelCheck, find_difference
from controller.verify.findings import FindingKind
from controller.verify.output import format_text
from controller.verify.reread import RereadOutcome
from controller.verify.verify import VerifyResult, verify_journal
from tests.controller.verify.journals import SignedJournal, breaks_of, kinds_of, notes_of
from tests.support.drawn_dice import FaceDrawing
from tests.vision.table_model.tables import TRAY, draw_throw, lay_dice
from vision.frame import Frame, Image
from vision.image_files import encode_jpeg
from vision.reading import LiftKind, Status, TrayReading
from vision.table_model.confirmed import ConfirmedDie, Lesson, Lessons
from vision.table_model.model_text import StoredModel, encode_model
from vision.tray_crop import crop_to_tray

_MARK = FaceDrawing(4, 320, 245, left_out=(0,), pip_share=0.22)
"""A print on the felt that looks like a die that can't be read."""


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the pictures of six confirmed throws over the print."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def learnt(pictures: Path) -> Calibration:
    """The calibration of a table after six throws over the print."""
    calibration = Calibration(TRAY, None, 0.0, "")
    store, crop, lessons = PictureStore(pictures), crop_to_tray(TRAY), []
    for number in range(6):
        dice = lay_dice(number)
        image = draw_throw(dice, seed=number, marks=[_MARK])
        digest = store.store(encode_jpeg(crop.apply(image)))
        confirmed = tuple(ConfirmedDie(die.number, (die.x, die.y)) for die in dice)
        lessons.append(Lesson(digest, crop.rectangle_px, TRAY.picture_wh, confirmed))
    teacher = Teacher(ActiveCalibration(calibration), store.read)
    model = teacher.learn(Lessons(tuple(lessons)))
    assert model is not None
    return replace(calibration, table_model=model)


@pytest.fixture(scope="module")
def image() -> Image:
    return draw_throw(lay_dice(11), seed=11, marks=[_MARK])


@pytest.fixture(scope="module")
def reading(learnt: Calibration, image: Image) -> TrayReading:
    return ActiveCalibration(learnt).read(image, expect=5)


def verify_roll(
    folder: Path, image: Image, reading: TrayReading, model: StoredModel | None
) -> VerifyResult:
    """Write the roll of a reading with the stored part of its picture, and verify it."""
    journal, store = SignedJournal(TableKey.load_or_create(folder)), PictureStore(folder)
    recorder = PictureRecorder(recent := RecentPictures(), tray_for=lambda size: TRAY)
    digest, shot = recorder.capture(Frame(image, 0.0, 1), reading)
    recent.store(digest, store)
    journal.add("calibration", {"calibration": TRAY.to_json()})
    if model is not None:
        journal.add("background", {"picture": store.store(model.picture)})
        journal.add("table_model", {"table_model": model.text})
    journal.add("game", {"game": "wuerfelspiel", "players": ["Ada"], "options": {}})
    dice = [replace(to_seen_die(die), origin="thrown") for die in reading.dice]
    roll: dict[str, Value] = {
        "by": "Ada",
        "held": "",
        "roll": "".join(map(str, reading.faces)),
        "by_hand": "",
        **encode_reading(dice, (), digest, shot),
    }
    journal.add("roll", roll)
    journal.write(folder)
    return verify_journal(folder)


def test_the_table_reads_the_roll_with_what_it_learnt(
    learnt: Calibration, image: Image, reading: TrayReading
) -> None:
    alone = ActiveCalibration(replace(learnt, table_model=None)).read(image, expect=5)
    assert alone.status is Status.UNSURE
    assert reading.status is Status.READ
    assert [lift.kind for lift in reading.lifts] == [LiftKind.BACKGROUND]


def test_the_roll_is_certain_with_the_table(
    tmp_path: Path, learnt: Calibration, image: Image, reading: TrayReading
) -> None:
    """Without the pictures that the table learnt from, what it learnt is not checked."""
    examined = verify_roll(tmp_path, image, reading, learnt.table_model)
    assert examined.findings.count(is_break=True) == 0
    notes = kinds_of(notes_of(examined))
    assert not {FindingKind.UNSURE_NOW, FindingKind.OTHER_LIFTS} & set(notes)
    assert FindingKind.TABLE_UNCHECKED in notes
    assert examined.reread == {RereadOutcome.SAME: 1}
    assert examined.with_table == 1
    assert "0 certain alone, 1 certain only with what the table learnt" in format_text(examined)


def test_the_model_follows_from_its_pictures(
    tmp_path: Path, pictures: Path, learnt: Calibration, image: Image, reading: TrayReading
) -> None:
    shutil.copytree(pictures, tmp_path, dirs_exist_ok=True)
    examined = verify_roll(tmp_path, image, reading, learnt.table_model)
    assert examined.findings.count(is_break=True) == 0
    assert FindingKind.TABLE_UNCHECKED not in kinds_of(notes_of(examined))


def test_an_older_model_is_learnt_again_as_it_was(pictures: Path, learnt: Calibration) -> None:
    tray, store = replace(TRAY, focal_error=0.3), PictureStore(pictures)
    teacher = Teacher(ActiveCalibration(Calibration(tray, None, 0.0, "")), store.read)
    assert learnt.table_model is not None
    lessons = learnt.table_model.lessons
    models = teacher.learn(lessons), teacher.learn(lessons, version=4)
    assert all(models)
    now, older = (one for one in models if one is not None)
    parts = {**json.loads(older.text), "version": 4}
    del parts["aspect"], parts["legible"], parts["most_contrast"], parts["shade"]
    parts["colors"] = [row[:3] for row in parts["colors"]]
    older = replace(older, text=json.dumps(parts))
    assert abs(now.decode().focal / older.decode().focal - 1.0) > 0.1
    check = TableModelCheck(store.read)
    assert [*check.check(older, tray), *check.check(now, tray), *check.finish()] == []


@pytest.mark.parametrize(("version", "difference"), [(6, ""), (7, "its legible, its least_odds")])
def test_another_look_of_an_older_reader_is_no_difference(
    learnt: Calibration, version: int, difference: str
) -> None:
    assert learnt.table_model is not None
    model = learnt.table_model.decode()
    other = replace(model, legible=0.1, least_odds=2.0 * (model.least_odds or 1.0))
    assert find_difference(model, other, version=version) == difference


def test_a_model_that_its_pictures_do_not_teach_is_a_break(
    tmp_path: Path, pictures: Path, learnt: Calibration, image: Image, reading: TrayReading
) -> None:
    """Somebody painted a die's place over, so that a die there would be no doubt."""
    shutil.copytree(pictures, tmp_path, dirs_exist_ok=True)
    stored = learnt.table_model
    assert stored is not None
    model = stored.decode()
    assert model.background is not None
    ground = model.background.image.copy()
    ground[150:210, 200:260] = 230
    painted = replace(model.background, image=ground)
    forged = encode_model(replace(model, background=painted, size=1.5), stored.lessons)
    examined = verify_roll(tmp_path, image, reading, forged)
    (found,) = [one for one in breaks_of(examined) if one.kind is FindingKind.TABLE_MODEL]
    assert found.found == "its ground, its size"


def test_a_roll_whose_ground_is_missing_is_read_without_it(
    tmp_path: Path, learnt: Calibration, image: Image, reading: TrayReading
) -> None:
    stored = learnt.table_model
    assert stored is not None
    verify_roll(tmp_path, image, reading, stored)
    PictureStore(tmp_path).delete(stored.background)
    examined = verify_journal(tmp_path)
    assert FindingKind.OTHER_LIFTS in kinds_of(notes_of(examined))
    assert {one.kind for one in breaks_of(examined)} == {FindingKind.PICTURE_MISSING}


def test_a_roll_without_a_model_needs_no_second_reading(
    tmp_path: Path, image: Image, reading: TrayReading
) -> None:
    unnamed = replace(reading, table_model="", background="", lifts=())
    examined = verify_roll(tmp_path, image, unnamed, None)
    assert examined.reread == {RereadOutcome.SAME: 1}
    assert examined.with_table == 0
