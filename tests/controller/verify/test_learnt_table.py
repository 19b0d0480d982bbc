# SPDX-License-Identifier: MIT
"""A roll that the table read with what it learnt is read again from its journal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from controller.calibration.active import ActiveCalibration
from controller.calibration.store import Calibration
from controller.journal.hashchain import Value
from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import TableKey
from controller.verify.findings import FindingKind
from controller.verify.output import format_text
from controller.verify.reread import RereadOutcome
from controller.verify.verify import VerifyResult, verify_journal
from tests.controller.verify.journals import SignedJournal, kinds_of, notes_of
from tests.support.drawn_dice import FaceDrawing
from tests.vision.table_model.tables import TRAY, draw_throw, lay_dice
from vision.frame import Image
from vision.image_files import encode_jpeg
from vision.reading import DieReading, LiftKind, Status, TrayReading
from vision.table_model.confirmed import ConfirmedDie
from vision.table_model.model import learn_table
from vision.table_model.model_text import encode_model
from vision.tray_crop import crop_to_tray

_MARK = FaceDrawing(4, 320, 245, left_out=(0,), pip_share=0.22)
"""A print on the felt that looks like a die that can't be read."""


@pytest.fixture(scope="module")
def learnt() -> Calibration:
    """The calibration of a table after six throws over the print."""
    calibration = Calibration(TRAY, None, 0.0, "")
    live, throws = ActiveCalibration(calibration), []
    for number in range(6):
        dice = lay_dice(number)
        image = draw_throw(dice, seed=number, marks=[_MARK])
        throw = live.confirm(image, [ConfirmedDie(die.number, (die.x, die.y)) for die in dice])
        assert throw is not None
        throws.append(throw)
    model = learn_table(throws, TRAY)
    assert model is not None
    return replace(calibration, table_model=encode_model(model))


@pytest.fixture(scope="module")
def image() -> Image:
    return draw_throw(lay_dice(11), seed=11, marks=[_MARK])


@pytest.fixture(scope="module")
def reading(learnt: Calibration, image: Image) -> TrayReading:
    return ActiveCalibration(learnt).read(image, expect=5)


def encode_die(die: DieReading) -> Value:
    """Return a die as a roll holds it."""
    return {
        "face": die.face,
        "polarity": die.polarity.value,
        "colour": die.colour,
        "x_mpx": round(1000 * die.center_px[0]),
        "y_mpx": round(1000 * die.center_px[1]),
        "angle_mdeg": round(1000 * die.angle_deg),
        "edge_mpx": round(1000 * die.edge_px),
        "origin": "thrown",
        "was": 0,
    }


def verify_roll(
    folder: Path, image: Image, reading: TrayReading, table_model: str | None
) -> VerifyResult:
    """Write the roll of a reading with the stored part of its picture, and verify it."""
    journal = SignedJournal(TableKey.load_or_create(folder))
    crop = crop_to_tray(TRAY)
    journal.add("calibration", {"calibration": TRAY.to_json()})
    if table_model is not None:
        journal.add("table_model", {"table_model": table_model})
    journal.add("game", {"game": "wuerfelspiel", "players": ["Ada"], "options": {}})
    roll: dict[str, Value] = {
        "by": "Ada",
        "held": "",
        "roll": "".join(map(str, reading.faces)),
        "by_hand": "",
        "lie": [encode_die(die) for die in reading.dice],
        "doubts": [],
        "picture": PictureStore(folder).store(encode_jpeg(crop.apply(image))),
        "crop_px": list(crop.rectangle_px),
        "frame_px": [image.shape[1], image.shape[0]],
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
    examined = verify_roll(tmp_path, image, reading, learnt.table_model)
    assert examined.findings.count(is_break=True) == 0
    assert FindingKind.UNSURE_NOW not in kinds_of(notes_of(examined))
    assert examined.reread == {RereadOutcome.SAME: 1}
    assert examined.with_table == 1
    assert "0 certain alone, 1 certain only with what the table learnt" in format_text(examined)


def test_a_roll_without_a_model_needs_no_second_reading(
    tmp_path: Path, image: Image, reading: TrayReading
) -> None:
    examined = verify_roll(tmp_path, image, reading, None)
    assert examined.reread == {RereadOutcome.SAME: 1}
    assert examined.with_table == 0
