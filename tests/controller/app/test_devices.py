# SPDX-License-Identifier: MIT
"""What the settings name is what runs, or it is told what is missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.app.devices import chosen_camera, chosen_panel
from controller.errors import InputError
from controller.settings import CameraDriver, CameraSettings, PanelDriver, PanelSettings
from hardware.camera import Camera
from hardware.file_camera import FileCamera
from hardware.pi_camera import PiCamera
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.panel import SimulatedPanel
from hardware.usb_camera import UsbCamera


@pytest.mark.parametrize(
    ("driver", "kind"),
    [
        (CameraDriver.SIMULATED, SimulatedCamera),
        (CameraDriver.PI, PiCamera),
        (CameraDriver.USB, UsbCamera),
        (CameraDriver.FILE, FileCamera),
    ],
)
def test_every_camera_driver_can_be_chosen(
    driver: CameraDriver, kind: type[Camera], tmp_path: Path
) -> None:
    camera = chosen_camera(CameraSettings(driver=driver, path=str(tmp_path)))
    assert isinstance(camera, kind)


def test_a_simulated_panel_and_none_can_be_chosen() -> None:
    assert chosen_panel(PanelSettings(driver=PanelDriver.NONE)) is None
    assert isinstance(chosen_panel(PanelSettings(driver=PanelDriver.SIMULATED)), SimulatedPanel)


def test_pins_that_are_not_there_are_told() -> None:
    if Path("/dev/gpiochip0").exists():
        pytest.skip("this machine has pins")
    with pytest.raises(InputError, match=r"\[panel\]: expected the pins of the panel"):
        chosen_panel(PanelSettings(driver=PanelDriver.GPIO))
