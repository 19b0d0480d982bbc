# SPDX-License-Identifier: MIT
"""What a person says and what the picture says become a calibration that the table goes by."""

from __future__ import annotations

from math import dist
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.base.errors import InputError
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.store import load_calibration
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.controller.runtime.calibration.cameras import MADE_AT, desk_at, tray_camera
from tests.support.bare_felt import BareFelt
from vision.image_files import limit_to_one_thread
from vision.nets.onnx_net import Net
from vision.pipeline import Reader
from vision.reading import Status, TrayReading


def test_tray_dice_and_light_are_found_kept_and_used(tmp_path: Path) -> None:
    camera = tray_camera()
    desk, _, live = desk_at(camera, tmp_path)
    assert desk.lock_exposure().is_well
    tried = desk.read_trial()
    assert tried is not None
    assert tried.reading.status is Status.READ
    assert tried.reading.faces == tuple(sorted(die.face for die in camera.truth()))
    made = desk.save()
    assert load_calibration(tmp_path) == made == live.calibration
    assert made.made_at == MADE_AT
    assert made.exposure == camera.exposure()
    assert made.tray.die_edge_mm == pytest.approx(16.0, abs=1.0)
    frame = camera.frame(1.0).image_bgr
    assert live.read(frame, expect=5).faces == tried.reading.faces
    assert live.is_tray_in_place(frame) is True
    assert live.is_sharp(frame)


def test_all_readers_of_a_table_share_its_nets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each set of them takes 4 MB."""
    opened, open_net = [], Net.__init__

    def note_opening(net: Net, weights: Path) -> None:
        opened.append(weights.name)
        open_net(net, weights)

    monkeypatch.setattr(Net, "__init__", note_opening)
    desk, _, _ = desk_at(tray_camera(), tmp_path)
    desk.save()
    assert opened
    assert len(opened) == len(set(opened))


def test_a_moved_camera_is_noticed_and_found_again_by_its_cards(tmp_path: Path) -> None:
    camera = tray_camera()
    desk, eye, live = desk_at(camera, tmp_path)
    before = desk.save()
    camera.knock()
    assert live.is_tray_in_place(eye.next_frame().image_bgr) is False
    camera.lay_cards(False)
    assert "No card is visible" in desk.recalibrate()
    assert load_calibration(tmp_path) == before
    camera.lay_cards()
    assert desk.recalibrate() == ""
    assert live.is_tray_in_place(eye.next_frame().image_bgr) is True
    after = load_calibration(tmp_path)
    assert after is not None
    assert after.tray.die_edge_mm == before.tray.die_edge_mm
    assert after.exposure == before.exposure


def test_a_camera_out_of_focus_is_not_calibrated_by_a_press(tmp_path: Path) -> None:
    camera = tray_camera()
    desk, eye, live = desk_at(camera, tmp_path)
    desk.save()
    camera.set_fault("blurred")
    assert not live.is_sharp(eye.next_frame().image_bgr)
    assert "less sharp than before" in desk.recalibrate()


def test_a_table_that_was_never_calibrated_says_so(tmp_path: Path) -> None:
    desk, _, live = desk_at(tray_camera(), tmp_path)
    assert "not calibrated" in desk.recalibrate()
    assert live.is_tray_in_place(tray_camera().frame(1.0).image_bgr) is None


def test_what_a_person_says_goes_before_what_is_measured(tmp_path: Path) -> None:
    camera = tray_camera()
    desk, _, _ = desk_at(camera, tmp_path)
    corners = [camera.project(x, y, 0.0) for x, y in ((-130, 80), (130, -80), (130, 80))]
    corners.append(camera.project(-130, -80, 0.0))
    desk.set_inputs(corners_px=corners, felt_mm=(260.0, 160.0), die_edge_mm=18.0)
    made = desk.save()
    assert made.tray.die_edge_mm == 18.0
    assert made.tray.felt_mm == ((-130.0, 80.0), (130.0, 80.0), (130.0, -80.0), (-130.0, -80.0))
    desk.set_inputs(corners_px=(), felt_mm=(0.0, 0.0), die_edge_mm=0.0)
    assert desk.inputs.felt_mm is None
    assert desk.inputs.die_edge_mm is None


def test_a_proposal_leaves_the_corners_of_a_person(tmp_path: Path) -> None:
    desk, _, _ = desk_at(tray_camera(), tmp_path)
    first, moved = [((x, 1.0), (x, 2.0), (x, 3.0), (x, 4.0)) for x in (1.0, 2.0)]
    for corners in (first, moved):
        desk.set_inputs(corners_px=corners, is_proposal=True)
        assert desk.inputs.corners_px == corners
    desk.set_inputs(corners_px=first)
    desk.set_inputs(corners_px=moved, is_proposal=True)
    assert desk.inputs.corners_px == first
    desk.set_inputs(corners_px=())
    desk.set_inputs(corners_px=moved, is_proposal=True)
    assert desk.inputs.corners_px == moved


def test_only_corners_that_were_seen_give_way_to_cards(tmp_path: Path) -> None:
    desk, _, _ = desk_at(tray_camera(), tmp_path)
    first, moved = [((x, 1.0), (x, 2.0), (x, 3.0), (x, 4.0)) for x in (1.0, 2.0)]
    desk.set_inputs(corners_px=moved, felt_mm=(260.0, 160.0))
    with pytest.raises(InputError, match="others, which somebody has set since"):
        desk.return_to_cards(first)
    assert (desk.inputs.corners_px, desk.inputs.felt_mm) == (moved, (260.0, 160.0))
    for _ in range(2):  # Two open pages may each give up what they saw.
        desk.return_to_cards(moved)
        assert (desk.inputs.corners_px, desk.inputs.felt_mm) == ((), None)


def test_dice_measure_a_felt_without_cards(tmp_path: Path) -> None:
    camera = SimulatedCamera(SteppedClock(), seed=1, fps=10)
    camera.open()
    desk, eye, _ = desk_at(camera, tmp_path)
    proposed = desk.propose_corners()
    corners = [
        camera.project(x, y, 0.0) for x, y in ((-130, 80), (130, 80), (130, -80), (-130, -80))
    ]
    assert all(dist(*pair) < 25.0 for pair in zip(corners, proposed, strict=True))
    desk.set_inputs(corners_px=proposed)
    seen = desk.inspect()
    assert seen is not None
    assert "Lay two or more dice on the felt" in seen[1].problem
    tried = desk.read_trial()
    assert tried is not None
    assert tried.reading.faces == tuple(sorted(die.face for die in camera.truth()))
    assert desk.inputs.felt_by_dice_mm == pytest.approx((260.0, 160.0), rel=0.05)
    assert desk.save().tray.die_edge_mm == pytest.approx(16.0, abs=0.1)
    desk.set_inputs(die_edge_mm=12.0)
    assert desk.save().tray.die_edge_mm == 12.0, "nobody waits for a reading with the new edge"
    assert desk.inputs.felt_by_dice_mm == pytest.approx((195.0, 120.0), rel=0.05)

    camera.take_out()
    eye.next_frame()
    eye.next_frame()
    desk.set_inputs(corners_px=proposed)
    assert desk.read_trial() is None


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"felt_mm": (20.0, 160.0)}, "a felt of 80 to 1000 mm in width and depth, found 20 x 160"),
        ({"die_edge_mm": 40.0}, "dice with an edge of 8 to 25 mm, found 40"),
    ],
)
def test_sizes_that_cannot_be_are_refused(
    tmp_path: Path, said: dict[str, object], message: str
) -> None:
    desk, _, _ = desk_at(tray_camera(), tmp_path)
    with pytest.raises(InputError, match=message):
        desk.set_inputs(**said)  # type: ignore[arg-type]


def test_a_view_by_which_no_knock_would_be_noticed_is_remarked(tmp_path: Path) -> None:
    camera = BareFelt(SteppedClock(), seed=1, size_wh=(640, 360))
    camera.open()
    desk, eye, _ = desk_at(camera, tmp_path)
    desk.set_inputs(corners_px=((0, 0), (639, 0), (639, 359), (0, 359)), felt_mm=(320.0, 180.0))
    remarks = [tried.remark for _ in range(2) if (tried := desk.read_trial()) and eye.next_frame()]
    assert remarks[0] == ""
    assert remarks[1].startswith("In this picture, the table would not notice a knock")


def test_by_cards_and_rim_a_knock_is_noticed(tmp_path: Path) -> None:
    desk, eye, _ = desk_at(tray_camera(), tmp_path)
    desk.inspect()
    eye.next_frame()
    tried = desk.read_trial()
    assert tried is not None
    assert tried.remark == ""


def test_nothing_is_saved_without_a_tray(tmp_path: Path) -> None:
    camera = SimulatedCamera(SteppedClock(), seed=1)
    camera.open()
    desk, _, _ = desk_at(camera, tmp_path)
    with pytest.raises(InputError, match="No card is visible"):
        desk.save()
    assert desk.read_trial() is None
    desk.set_inputs(corners_px=((100, 100), (1000, 100), (1000, 600), (100, 600)))
    with pytest.raises(InputError, match="or enter its width and depth in mm"):
        desk.save()


def test_nothing_is_used_that_the_disk_refuses(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.write_text("no folder")
    desk, _, live = desk_at(tray_camera(), folder)
    with pytest.raises(InputError, match="free space for the calibration, found File exists"):
        desk.save()
    assert live.calibration is None


def test_the_best_sharpness_is_kept_until_it_is_forgotten(tmp_path: Path) -> None:
    camera = tray_camera()
    desk, eye, _ = desk_at(camera, tmp_path)
    desk.inspect()
    best = desk.best_sharpness
    camera.set_fault("blurred")
    eye.next_frame()
    seen = desk.inspect()
    assert seen is not None
    assert seen[1].sharpness < 0.8 * best == 0.8 * desk.best_sharpness
    desk.forget_best()
    assert desk.best_sharpness == 0.0


def test_a_picture_of_another_aspect_is_read_without_the_map(tmp_path: Path) -> None:
    camera = tray_camera()
    desk, _, live = desk_at(camera, tmp_path)
    desk.save()
    camera.lay_cards(False)
    square = camera.frame(1.0).image_bgr[:, 280:1000]
    assert live.is_tray_in_place(square) is False
    assert set(live.read(square).faces) <= {die.face for die in camera.truth()}


def test_a_dome_is_measured_marked_and_saved_with_the_tray(tmp_path: Path) -> None:
    with SimulatedCamera(SteppedClock(), seed=1, fps=10, has_dome=True) as camera:
        camera.lay_cards()
        desk, eye, live = desk_at(camera, tmp_path, under_dome=True)
        seen = desk.inspect()
        assert seen is not None
        assert seen[1].dome is not None
        assert seen[1].dome.diameter_mm == pytest.approx(100.0, abs=6.0)
        middle, rim = camera.project(0.0, 0.0, 0.0), camera.project(50.0, 0.0, 0.0)
        desk.set_inputs(dome_px=(middle, rim))
        made = desk.save()
        assert made.tray.dome_mm == pytest.approx(100.0, abs=1.0)
        assert load_calibration(tmp_path) == made
        reading = live.read(eye.next_frame().image_bgr)
        assert reading.dome is not None
        assert reading.dome.center_px == pytest.approx(middle, abs=20.0)
        # The settings decide whether there is a dome, and a calibration by cards keeps its size.
        assert ActiveCalibration(made).under_dome
        opened = ActiveCalibration(made, under_dome=False)
        assert opened.calibration is not None
        assert opened.calibration.tray.dome_mm == 0.0
        assert desk.recalibrate() == ""
        again = load_calibration(tmp_path)
        assert again is not None
        assert again.tray.dome_mm == made.tray.dome_mm


def test_nothing_is_saved_without_the_dome_of_the_table(tmp_path: Path) -> None:
    camera = tray_camera()
    desk, _, _ = desk_at(camera, tmp_path, under_dome=True)
    with pytest.raises(InputError, match="expected a dome, found No dome is seen"):
        desk.save()
    x, y = camera.project(0.0, 0.0, 0.0)
    desk.set_inputs(dome_px=((x, y), (x + 5.0, y)))
    with pytest.raises(InputError, match="No dome is seen"):
        desk.save()


def test_only_a_reading_uses_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """OpenCV's threads spin at every picture of an idle table; people wait for a reading."""
    seen = []

    def read(*_args: object, **_options: object) -> TrayReading:
        seen.append(cv2.getNumThreads())
        return TrayReading(())

    monkeypatch.setattr(Reader, "read", read)
    cv2.setNumThreads(-1)
    everything = cv2.getNumThreads()
    limit_to_one_thread()
    ActiveCalibration().read(np.zeros((48, 64, 3), np.uint8))
    assert (seen, cv2.getNumThreads()) == ([everything], 1)
