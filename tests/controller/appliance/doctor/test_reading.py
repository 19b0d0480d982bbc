# SPDX-License-Identifier: MIT
"""How long this machine takes to read dice."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.appliance.doctor.checks.camera import check_reading, judge_reading
from controller.appliance.doctor.finding import Level
from tests.controller.appliance.doctor.hosts import machine_at, patient_with
from vision.nets.onnx_net import WeightsError


@pytest.mark.parametrize(
    ("reading_ms", "level"), [(80.0, Level.OK), (700.0, Level.NOTE), (2500.0, Level.WRONG)]
)
def test_a_slow_machine_is_told(reading_ms: float, level: Level) -> None:
    finding = judge_reading(reading_ms)
    assert finding.level is level
    assert f"{reading_ms:.0f} ms" in finding.what
    assert bool(finding.mend) is (level is not Level.OK)


def test_real_dice_are_read_to_measure_it(tmp_path: Path) -> None:
    """Only that it is measured: how long it takes is the machine's."""
    (finding,) = check_reading(patient_with(machine_at(tmp_path), ""))
    assert "five dice are read in" in finding.what


def test_missing_weights_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise WeightsError(Path("finder.onnx"), "a torn file")

    monkeypatch.setattr("controller.appliance.doctor.checks.camera.Reader", refuse)
    (finding,) = check_reading(patient_with(machine_at(tmp_path), ""))
    assert finding.level is Level.WRONG
    assert "a torn file" in finding.what
