# SPDX-License-Identifier: MIT
"""The camera: its device, who may use it, and how fast pictures really come."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.appliance.doctor.checks.camera import check_camera
from controller.appliance.doctor.host import DiagnosticContext
from controller.base.errors import InputError
from hardware.camera import Camera
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.controller.appliance.doctor.hosts import is_root, machine_at, patient_with, told
from tests.support.bare_felt import BareFelt

PI = '[camera]\ndriver = "pi"\n'
USB = '[camera]\ndriver = "usb"\nindex = 2\n'


def seen_by(context: DiagnosticContext) -> list[str]:
    return told(list(check_camera(context)))


def patient_at_rate(tmp_path: Path, fps: int) -> DiagnosticContext:
    clock = SteppedClock()
    camera = SimulatedCamera(clock, seed=1, size_wh=(320, 180), fps=fps)
    settings = "[camera]\nfps = 30\n"
    host = machine_at(tmp_path)
    return patient_with(host, settings, open_camera=lambda: camera, clock=clock)


def test_a_camera_that_keeps_its_rate_is_fine(tmp_path: Path) -> None:
    opens, rate = seen_by(patient_at_rate(tmp_path, 30))
    assert opens == "ok: simulated opens"
    assert rate in (
        "ok: 30.0 of 30 pictures a second, 320 × 180",
        "ok: 29.5 of 30 pictures a second, 320 × 180",
    )


def test_a_camera_that_is_slower_than_it_should_is_wrong(tmp_path: Path) -> None:
    _, rate = check_camera(patient_at_rate(tmp_path, 12))
    assert told([rate])[0].startswith("wrong: 12.0 of 30 pictures a second")
    assert "more light" in rate.mend


def test_a_pi_without_a_camera_is_told_to_look_at_the_cable(tmp_path: Path) -> None:
    (finding,) = check_camera(patient_with(machine_at(tmp_path), PI))
    assert told([finding]) == ["wrong: there is no /dev/media or /dev/video"]
    assert "rpicam-hello" in finding.mend


def test_a_webcam_that_is_not_there_is_named(tmp_path: Path) -> None:
    host = machine_at(tmp_path, files={"dev/video0": ""})
    assert seen_by(patient_with(host, USB)) == ["wrong: there is no /dev/video2"]


def test_a_webcam_that_is_there_is_opened(tmp_path: Path) -> None:
    host = machine_at(tmp_path, files={"dev/video2": ""})
    clock = SteppedClock()
    camera = SimulatedCamera(clock, seed=1, size_wh=(320, 180))
    lines = seen_by(patient_with(host, USB, open_camera=lambda: camera, clock=clock))
    assert lines[0] == "ok: simulated opens"


@pytest.mark.skipif(is_root(), reason="to root no file is closed")
def test_a_device_without_permission_needs_the_group_video(tmp_path: Path) -> None:
    host = machine_at(tmp_path, files={"dev/video2": ""})
    host.path("dev/video2").chmod(0)
    (finding,) = check_camera(patient_with(host, USB))
    assert told([finding]) == ["wrong: /dev/video2 may not be used"]
    assert "usermod -aG video" in finding.mend


def test_a_camera_that_does_not_open_says_what_and_the_mend(tmp_path: Path) -> None:
    camera = SimulatedCamera(SteppedClock(), seed=1, size_wh=(320, 180))
    camera.set_fault("gone")
    (finding,) = check_camera(patient_with(machine_at(tmp_path), open_camera=lambda: camera))
    assert told([finding]) == ["wrong: simulated: the device is gone"]
    assert finding.mend == "plug it in again"


def test_a_camera_that_stops_delivering_is_wrong(tmp_path: Path) -> None:
    camera = SimulatedCamera(SteppedClock(), seed=1, size_wh=(320, 180))
    camera.set_fault("dropped")
    lines = seen_by(patient_with(machine_at(tmp_path), open_camera=lambda: camera))
    assert lines[0] == "ok: simulated opens"
    assert lines[1].startswith("wrong: simulated: no frame came")


def test_a_view_by_which_no_knock_would_be_noticed_is_a_note(tmp_path: Path) -> None:
    clock = SteppedClock()
    camera = BareFelt(clock, seed=1, size_wh=(640, 360), fps=5)
    host = machine_at(tmp_path)
    patient = patient_with(host, "[camera]\nfps = 5\n", open_camera=lambda: camera, clock=clock)
    findings = list(check_camera(patient))
    assert told(findings)[2:] == [
        "note: In this picture, the table would not notice a knock against the camera."
    ]
    assert "printed corner cards" in findings[-1].mend


def test_settings_that_name_no_camera_are_wrong(tmp_path: Path) -> None:
    def refuse() -> Camera:
        raise InputError(expected="a video", found="nothing", where="[camera] path")

    (line,) = seen_by(patient_with(machine_at(tmp_path), open_camera=refuse))
    assert line == "wrong: [camera] path: expected a video, found nothing"


def test_the_camera_of_a_running_table_is_left_alone(tmp_path: Path) -> None:
    def refuse() -> Camera:
        raise AssertionError("the camera was opened")

    context = patient_with(machine_at(tmp_path), PI, open_camera=refuse, is_running=True)
    (line,) = seen_by(context)
    assert line.startswith("note: in use by the running dicebell")
