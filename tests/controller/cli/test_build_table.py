# SPDX-License-Identifier: MIT
"""A running table goes by every new calibration, and finds a moved tray when it is asked."""

from __future__ import annotations

import itertools
from pathlib import Path

from controller.cli.build_table import describe_setup
from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.recalibration import Recalibration, report_no_calibration
from controller.runtime.calibration.store import Calibration
from controller.runtime.devices.found_camera import Candidate, FoundCamera
from controller.table.events import DeviceLost, Event
from tests.controller.runtime.calibration.cameras import tray_camera
from tests.vision.mapped import upright_map
from tests.vision.table_model.tables import fair_model
from tests.webui.fakes import view
from vision.table_model.model_text import encode_model


def asked_once(recalibration: Recalibration) -> list[Event]:
    """Do what is asked for, and return what is told of it."""
    told: list[Event] = []
    rounds = itertools.count()
    recalibration.run(report_no_calibration, told.append, lambda: next(rounds) > 0)
    return told


def test_the_journal_is_told_of_map_and_table_model() -> None:
    live, camera = ActiveCalibration(), tray_camera()
    setup = describe_setup(live, camera, "fps = 20")
    assert (setup.settings, setup.camera) == ("fps = 20", camera.name)
    assert (setup.calibration(), setup.table_model()) == (None, None)
    model = encode_model(fair_model())
    live.activate(Calibration(upright_map(), None, 50.0, "", table_model=model))
    assert setup.table_model() == model
    assert setup.calibration() == upright_map().to_json()


def test_the_journal_names_no_camera_that_is_not_found_yet(tmp_path: Path) -> None:
    camera = tray_camera()
    found = FoundCamera(tmp_path, lambda: [Candidate("Webcam", camera)])
    assert describe_setup(ActiveCalibration(), found).camera == ""
    found.choose(camera.name)
    assert describe_setup(ActiveCalibration(), found).camera == camera.name


def test_recalibration_runs_on_request_and_needs_a_calibrator() -> None:
    recalibration = Recalibration()
    recalibration.on_view(view(recalibrating=False))
    assert asked_once(recalibration) == []
    recalibration.on_view(view(recalibrating=True))
    (told,) = asked_once(recalibration)
    assert isinstance(told, DeviceLost)
    assert "This table is not calibrated" in told.remedy
