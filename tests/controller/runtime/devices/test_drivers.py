# SPDX-License-Identifier: MIT
"""What the settings name is what runs, or it is told what is missing."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from controller.base.errors import InputError
from controller.base.settings import (
    CameraDriver,
    CameraSettings,
    DataSettings,
    LightSettings,
    PanelDriver,
    PanelSettings,
    PlayerPanelSettings,
    Settings,
    SoundSettings,
)
from controller.runtime.devices import drivers
from controller.runtime.devices.drivers import create_camera, create_peripherals
from controller.runtime.devices.exposure_settings import effective_exposure
from controller.runtime.devices.found_camera import FoundCamera
from controller.table.effects import SoundCue
from hardware.camera import Camera, Exposure
from hardware.cameras.pi import PiCamera
from hardware.cameras.recording import FileCamera
from hardware.cameras.usb import UsbCamera
from hardware.cameras.video_devices import VideoDevice
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from hardware.simulated.light_and_buzzer import SimulatedLight
from hardware.simulated.panel import SimulatedPanel
from hardware.simulated.scene.optics import DEFAULT_EXPOSURE


@pytest.mark.parametrize(
    ("driver", "kind"),
    [
        (CameraDriver.AUTO, FoundCamera),
        (CameraDriver.SIMULATED, SimulatedCamera),
        (CameraDriver.PI, PiCamera),
        (CameraDriver.USB, UsbCamera),
        (CameraDriver.FILE, FileCamera),
    ],
)
def test_every_camera_driver_can_be_chosen(
    driver: CameraDriver, kind: type[Camera], tmp_path: Path
) -> None:
    used = CameraSettings(driver=driver, path=str(tmp_path))
    camera = create_camera(Settings(camera=used, data=DataSettings(tmp_path)))
    assert isinstance(camera, kind)


@pytest.mark.parametrize("path", ["none.mp4", "n" * 300])
def test_a_recording_that_cannot_be_found_is_named(path: str, tmp_path: Path) -> None:
    """The system refuses even to look for one of the names: it is too long."""
    used = CameraSettings(driver=CameraDriver.FILE, path=str(tmp_path / path))
    expected = r"\[camera\] path: expected a video or a folder of pictures, found (nothing at )?/"
    with pytest.raises(InputError, match=expected) as refused:
        create_camera(Settings(camera=used, data=DataSettings(tmp_path)))
    assert path in refused.value.found


def test_the_number_of_a_webcam_is_not_that_of_the_pi_camera(tmp_path: Path) -> None:
    used = CameraSettings(index=2)
    camera = create_camera(Settings(camera=used, data=DataSettings(tmp_path)))
    assert isinstance(camera, FoundCamera)
    assert camera.list_choices()[0]["name"] == "pi 0"


def test_a_found_camera_has_the_calibrated_exposure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def create_webcam(*_: object, exposure: Exposure | None, **__: object) -> Camera:
        webcam = SimulatedCamera(SteppedClock(), seed=1)
        webcam.set_exposure(exposure)
        return webcam

    monkeypatch.setattr(drivers, "UsbCamera", create_webcam)
    monkeypatch.setattr(drivers, "list_video_devices", lambda: iter([VideoDevice("1", "One")]))
    settings, calibrated = Settings(data=DataSettings(tmp_path)), Exposure(gain=5.0)
    for exposure in (calibrated, None):
        camera = create_camera(settings, calibrated=exposure)
        camera.open()
        assert camera.exposure() == (exposure or DEFAULT_EXPOSURE)


def test_nothing_is_fitted_by_default() -> None:
    peripherals = create_peripherals(Settings(), pins=MockFactory())
    assert (list(peripherals.panels()), peripherals.light, peripherals.buzzer) == ([], None, None)


def test_everything_that_has_pins_is_fitted_and_given_back() -> None:
    pins = MockFactory(pin_class=MockPWMPin)
    settings = Settings(
        panel=PanelSettings(driver=PanelDriver.GPIO, back_pin=0, back_lamp_pin=0),
        panel_2=PlayerPanelSettings(confirm_pin=22),
        panel_5=PlayerPanelSettings(confirm_lamp_pin=23),
        light=LightSettings(pin=18, brightness_percent=60, frequency_hz=2000),
        sound=SoundSettings(buzzer_pin=17),
    )
    peripherals = create_peripherals(settings, pins=pins)
    assert [seat for seat, _ in peripherals.panels()] == [None, 2, 5]
    assert (pins.pin(18).state, pins.pin(18).frequency) == (0.6, 2000)
    assert peripherals.buzzer is not None
    peripherals.close()
    assert pins.pin(18).state == 0
    create_peripherals(settings, pins=pins).close()


def test_without_a_driver_for_panels_there_is_none() -> None:
    settings = Settings(panel_1=PlayerPanelSettings(confirm_pin=22))
    assert list(create_peripherals(settings, pins=MockFactory()).panels()) == []


def test_a_panel_without_a_pin_is_not_there() -> None:
    none = PanelSettings(PanelDriver.GPIO, *(0,) * 8)
    own = PlayerPanelSettings(left_pin=22)
    peripherals = create_peripherals(Settings(panel=none, panel_1=own), pins=MockFactory())
    assert [seat for seat, _ in peripherals.panels()] == [1]
    peripherals.close()


def test_what_cannot_be_opened_leaves_the_rest_working() -> None:
    pins = MockFactory(pin_class=MockPWMPin)
    settings = Settings(
        panel=PanelSettings(driver=PanelDriver.GPIO), panel_3=PlayerPanelSettings(left_pin=5)
    )
    peripherals = create_peripherals(settings, pins=pins)
    *others, loss = [device.loss for device in peripherals.devices]
    assert others == [None, None]
    assert loss is not None
    assert (loss.device, loss.panel) == ("buttons", 3)
    assert loss.what.startswith("pin 5 cannot be a button (")
    assert peripherals.panel is not None
    assert len(peripherals.panel.buttons()) == 4
    peripherals.close()


def test_simulated_panels_come_with_a_simulated_light_and_buzzer(
    caplog: pytest.LogCaptureFixture,
) -> None:
    settings = Settings(
        panel=PanelSettings(driver=PanelDriver.SIMULATED),
        panel_2=PlayerPanelSettings(confirm_pin=22),
    )
    peripherals = create_peripherals(settings)
    assert [seat for seat, _ in peripherals.panels()] == [None, 2]
    assert all(isinstance(panel, SimulatedPanel) for _, panel in peripherals.panels())
    assert isinstance(peripherals.light, SimulatedLight)
    assert peripherals.light.brightness_percent == 100
    with caplog.at_level(logging.INFO, logger="dicebell.sound"):
        peripherals.play(SoundCue.ROLL_TAKEN)
    assert [vars(record)["fields"] for record in caplog.records] == [{"sound": "roll taken"}]
    peripherals.close()


def test_before_a_calibration_the_driver_begins_as_it_does() -> None:
    assert effective_exposure(CameraSettings(), None) is None


def test_a_persons_setting_goes_before_the_calibrated_exposure() -> None:
    calibrated = Exposure(20_000, 3.0, 1.5, 1.6, 2.2)
    assert effective_exposure(CameraSettings(), calibrated) == calibrated
    by_hand = CameraSettings(gain=4.5, focus_dioptre=3.0)
    wanted = effective_exposure(by_hand, calibrated)
    assert wanted == Exposure(20_000, 4.5, 1.5, 1.6, 3.0)


def test_an_uncalibrated_webcam_chooses_what_nobody_has_set() -> None:
    wanted = effective_exposure(CameraSettings(exposure_us=10_000), None)
    assert wanted == Exposure(10_000, 0.0, 0.0, 0.0, 0.0)


def test_a_pi_camera_that_is_found_begins_as_one_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Exposure | None] = []

    def make(index: int, *, exposure: Exposure | None, **_others: object) -> Camera:
        made.append(exposure)
        return PiCamera(index, exposure=exposure)

    monkeypatch.setattr("controller.runtime.devices.drivers.PiCamera", make)
    for driver in (CameraDriver.PI, CameraDriver.AUTO):
        used = CameraSettings(driver=driver, gain=4.0)
        create_camera(Settings(camera=used, data=DataSettings(tmp_path)))
    assert made == [Exposure(gain=4.0)] * 2


def test_a_simulated_camera_takes_pictures_as_a_person_has_set() -> None:
    camera = create_camera(Settings(camera=CameraSettings(driver=CameraDriver.SIMULATED, gain=4.5)))
    exposure = camera.exposure()
    assert exposure is not None
    assert exposure.gain == 4.5


def test_a_webcam_that_is_found_is_created_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def make(source: str, **_others: object) -> Camera:
        made.append(source)
        return UsbCamera(source)

    monkeypatch.setattr("controller.runtime.devices.drivers.UsbCamera", make)
    devices = [VideoDevice("/dev/video7", "Webcam")]
    monkeypatch.setattr(
        "controller.runtime.devices.drivers.list_video_devices", lambda: iter(devices)
    )
    used = CameraSettings(driver=CameraDriver.AUTO)
    camera = create_camera(Settings(camera=used, data=DataSettings(tmp_path)))
    assert isinstance(camera, FoundCamera)
    assert len(camera.list_choices()) == len(camera.list_choices()) > 0
    assert made == ["/dev/video7"]


@pytest.mark.parametrize("is_pi", [True, False], ids=["pi", "laptop"])
def test_only_a_pi_offers_its_camera_beside_a_webcam(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_pi: bool
) -> None:
    monkeypatch.setattr(drivers, "find_spec", lambda _: object() if is_pi else None)
    monkeypatch.setattr(drivers, "list_video_devices", lambda: iter([VideoDevice("1", "Webcam")]))
    camera = create_camera(Settings(data=DataSettings(tmp_path)))
    assert isinstance(camera, FoundCamera)
    names = [choice["name"] for choice in camera.list_choices()]
    assert names == (["pi 0", "usb 1"] if is_pi else ["usb 1"])


def test_a_chosen_pi_camera_is_tried_without_its_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says then that the library is missing."""
    (tmp_path / "camera.json").write_text('{"camera": "pi 0"}')
    monkeypatch.setattr(drivers, "find_spec", lambda _: None)
    monkeypatch.setattr(drivers, "list_video_devices", lambda: iter([VideoDevice("1", "Webcam")]))
    camera = create_camera(Settings(data=DataSettings(tmp_path)))
    assert isinstance(camera, FoundCamera)
    assert [choice["name"] for choice in camera.list_choices()] == ["pi 0", "usb 1"]
