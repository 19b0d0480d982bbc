# SPDX-License-Identifier: MIT
"""What a machine is good for, by what was measured of it."""

from __future__ import annotations

import pytest

from controller.appliance.doctor.checks.camera import judge_reading
from controller.appliance.doctor.checks.data_folder import check_speed
from controller.appliance.doctor.finding import DiagnosticFinding, note, ok, wrong
from controller.appliance.doctor.run import judge_use
from tests.controller.appliance.doctor.hosts import told

FAST, SLOW, TOO_SLOW = judge_reading(20.0), judge_reading(700.0), judge_reading(2500.0)
SLOW_DISK = check_speed([3.0, 150.0])
CAMERA_IN_USE = note("camera", "in use by the running dicebell")


@pytest.mark.parametrize(
    ("findings", "expected"),
    [
        (
            [FAST, check_speed([3.0]), ok("camera", ""), CAMERA_IN_USE, wrong("clock", "", "")],
            "ok: good for a table at home and in a tournament",
        ),
        (
            [SLOW_DISK, CAMERA_IN_USE, SLOW],
            "note: good for a table at home; before a tournament see above: disk, reading",
        ),
        (
            [SLOW_DISK, wrong("camera", "", "plug it in"), TOO_SLOW, wrong("power", "", "")],
            "note: not good for play yet; see above: camera, reading, power",
        ),
    ],
)
def test_figures_decide_what_it_is_good_for(
    findings: list[DiagnosticFinding], expected: str
) -> None:
    assert told([judge_use(findings)]) == [expected]
