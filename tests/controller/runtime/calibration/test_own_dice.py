# SPDX-License-Identifier: MIT
"""The owner's dice are learned throw by throw, kept, used at once and forgotten."""

from __future__ import annotations

import errno
import math
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from controller.base.errors import InputError, UnavailableError
from controller.journal.picture_store import PictureStore
from controller.runtime.calibration import own_dice
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.frame_source import CameraFrames
from controller.runtime.calibration.own_dice import OwnDiceSession
from controller.runtime.calibration.own_dice_throw import build_throw
from controller.runtime.calibration.page_data import describe_next_step, view_own_dice
from controller.runtime.calibration.session import CalibrationSession
from controller.runtime.calibration.store import Calibration, load_calibration
from controller.runtime.calibration.teaching import Teacher
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.die import SimulatedDie
from tests.controller.runtime.calibration.cameras import desk_at, tray_camera
from tests.vision.faces import make_face
from vision.reading import DieReading, Doubt, DoubtKind, Polarity, TrayReading
from vision.table_model.confirmed import ConfirmedThrow, Lesson

THROWS_FILE = "confirmed_throws.json"


@dataclass
class Owner:
    folder: Path
    camera: SimulatedCamera
    desk: CalibrationSession
    eye: CameraFrames
    live: ActiveCalibration
    session: OwnDiceSession

    def throw(self, *faces: int) -> None:
        self.camera.throw(faces)
        self.eye.next_frame()
        while self.camera.is_moving:
            self.eye.next_frame()

    def truth(self) -> list[int]:
        """Return what the faces of the throw show; 0 for a second ring around one die."""
        throw = self.session.throw
        assert throw is not None
        dice = list(self.camera.truth())
        numbers = []
        for face in throw.faces:
            near = min(dice, key=lambda die: self._off(die, face.center_px))
            is_there = self._off(near, face.center_px) < 0.5 * face.edge_px
            numbers.append(near.face if is_there else 0)
        return numbers

    def confirm(self) -> None:
        """Read the throw, give each doubted die its number, and confirm."""
        self.session.read_throw()
        for index, number in enumerate(self.truth()):
            self.session.correct(index, number)
        self.session.confirm()

    def _off(self, die: SimulatedDie, place: tuple[float, float]) -> float:
        return math.dist(self.camera.project(die.x_mm, die.y_mm, 16.0), place)


def sit_down(folder: Path, calibration: Calibration) -> Owner:
    """Return an owner at a table that is calibrated so."""
    camera = tray_camera()
    desk, eye, live = desk_at(camera, folder)
    live.keep(folder, calibration)
    return Owner(folder, camera, desk, eye, live, OwnDiceSession(folder, eye, live))


@pytest.fixture(scope="module")
def calibration(tmp_path_factory: pytest.TempPathFactory) -> Calibration:
    desk, _, _ = desk_at(tray_camera(), tmp_path_factory.mktemp("desk"))
    return desk.save()


@pytest.fixture
def owner(tmp_path: Path, calibration: Calibration) -> Owner:
    return sit_down(tmp_path, calibration)


FOUR_THROWS = ((1, 2, 3, 4, 5), (6, 6, 6, 1, 2), (3, 4, 5, 1, 2), (6, 5, 4, 3, 2))


def confirm_throws(owner: Owner, throws: Sequence[Sequence[int]] = FOUR_THROWS) -> None:
    for faces in throws:
        owner.throw(*faces)
        owner.confirm()


@pytest.fixture(scope="module")
def four_thrown(calibration: Calibration, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """What is on the disk once the four throws are confirmed."""
    owner = sit_down(tmp_path_factory.mktemp("thrown"), calibration)
    confirm_throws(owner)
    return (owner.folder / THROWS_FILE).read_bytes()


@pytest.fixture
def thrower(tmp_path: Path, calibration: Calibration, four_thrown: bytes) -> Owner:
    """Return the owner after a restart of the table at which the four throws are confirmed."""
    (tmp_path / THROWS_FILE).write_bytes(four_thrown)
    return sit_down(tmp_path, calibration)


def test_throws_are_confirmed_kept_used_and_forgotten(owner: Owner, tmp_path: Path) -> None:
    """The ground is learnt, read with at once, and thrown away on request."""
    session = owner.session
    assert describe_next_step(session).startswith("Throw all your dice")
    throw = session.read_throw()
    assert [face.read for face in throw.faces] == owner.truth()
    assert "Correct a wrong number" in describe_next_step(session)
    session.confirm()
    assert describe_next_step(session).startswith("1 throw is confirmed. 4 more are wanted.")
    confirm_throws(owner, FOUR_THROWS[:2])
    with pytest.raises(InputError, match="expected 4 confirmed throws, found 3"):
        session.keep()
    confirm_throws(owner, FOUR_THROWS[2:3])
    assert load_calibration(tmp_path) == owner.live.calibration
    assert session.keep() == session.kept_throws == 4
    assert session.throws == 0
    assert load_calibration(tmp_path) == owner.live.calibration
    assert describe_next_step(session) == "The table has learnt from 4 throws of your dice."
    stored = owner.live.table_model
    assert stored is not None
    model = stored.decode()
    assert model.background is not None
    assert len(model.colors) == 20
    owner.throw(1, 1, 2, 2, 3)
    reading = owner.live.read(owner.eye.next_frame().image_bgr, expect=5)
    assert reading.faces == (1, 1, 2, 2, 3)
    assert (reading.table_model, reading.background) == (stored.digest, stored.background)
    session.forget()
    assert load_calibration(tmp_path) == owner.live.calibration
    assert owner.live.table_model is None
    assert session.kept_throws == session.throws == 0


def test_dice_that_are_mostly_not_read_are_told(owner: Owner) -> None:
    for faces in FOUR_THROWS:
        owner.throw(*faces)
        owner.session.read_throw()
        for index, number in enumerate(owner.truth()):
            owner.session.correct(index, number % 6 + 1)
        owner.session.confirm()
    owner.session.keep()
    assert "Most of them are not read here" in describe_next_step(owner.session)


def test_more_throws_add_to_those_that_were_kept(thrower: Owner) -> None:
    thrower.session.keep()
    later = OwnDiceSession(thrower.folder, thrower.eye, thrower.live)
    thrower.session = later
    confirm_throws(thrower, [(1, 1, 2, 2, 3)])
    assert later.wanted == 0
    assert "That is enough" in describe_next_step(later)
    assert later.keep() == 5
    stored = thrower.live.table_model
    assert stored is not None
    assert len(stored.decode().colors) == 25


def test_confirmed_throws_survive_a_restart(owner: Owner) -> None:
    confirm_throws(owner, FOUR_THROWS[:3])
    later = OwnDiceSession(owner.folder, owner.eye, owner.live)
    assert (later.throws, later.wanted) == (3, 2)
    with pytest.raises(InputError, match="dice in the same positions"):
        later.read_throw()
    owner.session = later
    confirm_throws(owner, FOUR_THROWS[3:])
    stored = (file := owner.folder / THROWS_FILE).read_bytes()
    assert later.keep() == 4
    assert not file.exists()
    file.write_bytes(stored)  # As if the table had ended just before.
    again = OwnDiceSession(owner.folder, owner.eye, owner.live)
    assert (again.throws, again.kept_throws) == (0, 4)


def test_forgotten_throws_do_not_come_back(owner: Owner) -> None:
    confirm_throws(owner, FOUR_THROWS[:1])
    owner.session.forget()
    assert OwnDiceSession(owner.folder, owner.eye, owner.live).throws == 0


def test_a_disk_that_deletes_nothing_keeps_dice_and_forgets_none(
    thrower: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(InputError, match="Read-only file system"):
        thrower.session.forget()
    assert thrower.session.throws == 4
    assert thrower.session.keep() == 4
    assert OwnDiceSession(thrower.folder, thrower.eye, thrower.live).throws == 0


def test_throws_of_another_calibration_do_not_come_back(owner: Owner) -> None:
    confirm_throws(owner, FOUR_THROWS[:1])
    assert owner.live.calibration is not None
    other = ActiveCalibration(replace(owner.live.calibration, made_at="2026-01-01T00:00:00Z"))
    assert OwnDiceSession(owner.folder, owner.eye, other).throws == 0


def test_a_calibration_saved_meanwhile_owns_no_throw(
    owner: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    calibration = owner.live.calibration
    assert calibration is not None
    saved = replace(calibration, made_at="2027-01-01T00:00:00Z")
    find_throw = Teacher.find_throw

    def save_and_find(teacher: Teacher, lesson: Lesson) -> ConfirmedThrow | None:
        found = find_throw(teacher, lesson)
        owner.live.activate(saved)
        return found

    monkeypatch.setattr(Teacher, "find_throw", save_and_find)
    confirm_throws(owner, FOUR_THROWS[:1])
    assert OwnDiceSession(owner.folder, owner.eye, owner.live).throws == 0


@pytest.mark.parametrize("content", ["", "[]", '{"made_at": "", "throws": [1]}'])
def test_a_damaged_file_of_throws_is_none(
    owner: Owner, content: str, caplog: pytest.LogCaptureFixture
) -> None:
    assert OwnDiceSession(owner.folder, owner.eye, owner.live).throws == 0
    assert not caplog.records
    (owner.folder / THROWS_FILE).write_text(content)
    assert OwnDiceSession(owner.folder, owner.eye, owner.live).throws == 0
    assert [one.getMessage() for one in caplog.records] == ["confirmed throws forgotten"]


def test_a_full_disk_confirms_no_throw(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    owner.throw(*FOUR_THROWS[0])
    monkeypatch.setattr(own_dice, "atomic_write", refuse)
    with pytest.raises(InputError, match="expected free space for the dice"):
        owner.confirm()
    assert owner.session.throws == 0
    assert owner.session.throw is not None


def test_anybody_can_learn_the_same_from_the_stored_pictures(thrower: Owner) -> None:
    thrower.session.keep()
    stored = thrower.live.table_model
    assert stored is not None
    pictures = PictureStore(thrower.folder)
    again = Teacher(thrower.live, pictures.read).learn(stored.lessons)
    assert again == stored
    pictures.delete(stored.lessons.taught[0].picture)
    assert Teacher(thrower.live, pictures.read).learn(stored.lessons) is None


def test_throws_before_a_new_calibration_teach_nothing(thrower: Owner) -> None:
    calibration = thrower.live.calibration
    assert calibration is not None
    moved = replace(calibration.tray, die_edge_mm=16.5)
    thrower.live.activate(replace(calibration, tray=moved))
    with pytest.raises(InputError, match="a confirmed throw, found none"):
        thrower.session.keep()
    assert thrower.live.table_model is None


def test_a_new_calibration_forgets_what_the_table_learnt(thrower: Owner) -> None:
    thrower.session.keep()
    assert thrower.live.table_model is not None
    thrower.desk.save()
    assert thrower.live.table_model is None


def test_forgotten_throws_teach_nothing_more(thrower: Owner) -> None:
    thrower.session.forget()
    confirm_throws(thrower, [(1, 1, 2, 2, 3)])
    with pytest.raises(InputError, match="expected 4 confirmed throws, found 1"):
        thrower.session.keep()


def test_a_face_is_corrected_and_another_left_out(owner: Owner) -> None:
    session = owner.session
    throw = session.read_throw()
    numbers = owner.truth()
    session.correct(0, 0)
    session.correct(1, 7 - numbers[1])
    session.correct(1, numbers[1])
    waits = session.throw
    assert waits is not None
    centers = [face.center_px for face in throw.faces]
    assert [(die.number, die.center_px) for die in waits.dice] == list(
        zip(numbers[1:], centers[1:], strict=True)
    )


def test_a_full_disk_leaves_what_the_table_knew(
    thrower: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:

    def refuse(folder: Path, calibration: Calibration) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("controller.runtime.calibration.active.save_calibration", refuse)
    with pytest.raises(InputError, match="free space for the dice, found No space left"):
        thrower.session.keep()
    assert thrower.live.table_model is None
    assert thrower.session.throws == 4


def test_a_throw_is_discarded(owner: Owner) -> None:
    owner.session.read_throw()
    owner.session.discard()
    assert owner.session.throw is None
    with pytest.raises(InputError, match="a throw, found none"):
        owner.session.confirm()
    with pytest.raises(InputError, match="a confirmed throw, found none"):
        owner.session.keep()


def test_dice_that_were_not_thrown_are_refused(owner: Owner) -> None:
    owner.session.read_throw()
    owner.session.confirm()
    with pytest.raises(InputError, match="a new throw, found dice in the same positions"):
        owner.session.read_throw()


@pytest.mark.parametrize(
    ("index", "number", "message"),
    [(5, 3, "a face from 1 to 5, found 6"), (0, 7, "a number from 1 to 6, or 0, found 7")],
)
def test_what_no_die_shows_is_refused(owner: Owner, index: int, number: int, message: str) -> None:
    owner.session.read_throw()
    with pytest.raises(InputError, match=message):
        owner.session.correct(index, number)


def test_an_empty_throw_is_refused(owner: Owner) -> None:
    owner.session.read_throw()
    for index in range(5):
        owner.session.correct(index, 0)
    with pytest.raises(InputError, match="a number on at least one face"):
        owner.session.confirm()
    owner.camera.take_out()
    while owner.camera.is_moving:
        owner.eye.next_frame()
    with pytest.raises(InputError, match="dice on the felt, found none"):
        owner.session.read_throw()


def test_before_the_calibration_no_dice_are_learned(tmp_path: Path) -> None:
    _, eye, live = desk_at(tray_camera(), tmp_path)
    session = OwnDiceSession(tmp_path, eye, live)
    with pytest.raises(InputError, match="a calibrated table, found none"):
        session.read_throw()
    session.forget()


def test_throws_and_saving_wait_while_the_light_is_fixed(owner: Owner) -> None:
    with ThreadPoolExecutor() as pool:
        with owner.live.suspend():
            throw, saved = pool.submit(owner.session.read_throw), pool.submit(owner.desk.save)
            for waiting in (throw, saved):
                with pytest.raises(TimeoutError):
                    waiting.result(timeout=0.2)
        assert len(throw.result().faces) == 5
        assert saved.result() == owner.live.calibration


def test_a_lost_camera_is_reported(owner: Owner) -> None:
    owner.camera.set_fault("dropped")
    with pytest.raises(UnavailableError, match="a working camera"):
        owner.session.read_throw()


def test_the_page_shows_the_throw_and_what_is_next(owner: Owner) -> None:
    session = owner.session
    assert view_own_dice(session)["faces"] == []
    session.read_throw()
    session.correct(2, 0)
    view = view_own_dice(session)
    assert [face["read"] for face in view["faces"]] == owner.truth()
    assert [face["number"] == 0 for face in view["faces"]] == [False, False, True, False, False]
    assert view["picture_wh"] == (1280, 720)
    session.discard()
    session.read_throw()
    session.confirm()
    view = view_own_dice(session)
    assert (view["throws"], view["kept"], view["is_enough"]) == (1, 0, False)


def die(face: int, x: float, y: float) -> DieReading:
    corners = ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20))
    place = (0.0, 0.0)
    return DieReading(face, Polarity.LIGHT, "white", (x, y), corners, 0.0, 40.0, place, 1.0)


def test_a_doubted_die_waits_for_its_number() -> None:
    """Only a doubt with a face that is no read die can be a die that the owner names."""
    doubts = (
        Doubt(DoubtKind.UNSURE, "Move it.", (200.0, 100.0), 30.0),
        Doubt(DoubtKind.UNSURE, "Move it.", (300.0, 100.0), 30.0),
        Doubt(DoubtKind.COCKED, "Lay it flat.", (101.0, 100.0), 30.0),
        Doubt(DoubtKind.FOREIGN_OBJECT, "Take it out.", (400.0, 100.0), 30.0),
        Doubt(DoubtKind.COUNT, "One is missing."),
    )
    seen = [
        make_face(x, y, edge_px=40.0) for x, y in ((100, 100), (202, 100), (201, 101), (400, 100))
    ]
    reading = TrayReading((die(4, 100, 100), die(2, 30, 100)), doubts)
    throw = build_throw((500, 200), reading, seen)
    assert [(face.read, face.number, face.doubt) for face in throw.faces] == [
        (2, 2, ""),
        (4, 4, ""),
        (0, 0, "This can't be read for certain. Move it a little."),
    ]
    assert throw.faces[2].center_px == (202.0, 100.0)
    assert [face.number for face in throw.with_number(2, 6).dice] == [2, 4, 6]
