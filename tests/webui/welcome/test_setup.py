# SPDX-License-Identifier: MIT
"""The page of the first evening: its state follows from the table, and only officials reach it."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from controller.appliance.welcome.setup import SetupParts
from controller.runtime.devices.found_camera import Candidate, FoundCamera
from controller.table.state import Lobby, TableState
from hardware.camera import Camera
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.webui.fakes import FakeTable
from tests.webui.test_calibration import FakeCalibration
from tests.webui.visitors import FakeAccess
from webui import create_app


def client_of(camera: Camera, state: TableState | None = None) -> FlaskClient:
    table = FakeTable(state=state or TableState())
    setup = SetupParts(camera, FakeCalibration().parts, table.snapshot)
    return create_app(table.running, None, access=FakeAccess(), setup=setup).test_client()


@pytest.fixture
def simulated() -> SimulatedCamera:
    return SimulatedCamera(SteppedClock(), seed=1)


def found_camera(folder: Path, camera: Camera) -> FoundCamera:
    return FoundCamera(folder, lambda: [Candidate("Webcam", camera)])


def test_camera_is_chosen_by_its_name(tmp_path: Path, simulated: SimulatedCamera) -> None:
    client = client_of(found_camera(tmp_path, simulated))
    state = client.get("/setup/status").get_json()
    webcam = {"name": "simulated", "label": "Webcam", "is_used": False, "problem": ""}
    assert state == {"camera": "auto", "cameras": [webcam], "done": []}
    assert client.post("/setup", json={"do": "camera", "name": "simulated"}).status_code == 200
    state = client.get("/setup/status").get_json()
    assert (state["cameras"][0]["is_used"], state["done"]) == (True, ["camera"])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"do": "camera", "name": "usb 9"}, "expected a camera of this machine: simulated"),
        ({"do": "camera", "name": 7}, "expected name: a text"),
        ({"do": "camera"}, "expected exactly the keys do, name"),
        ({"do": "turn"}, "expected do: one of camera"),
    ],
)
def test_malformed_choice_is_refused(
    tmp_path: Path, simulated: SimulatedCamera, body: object, reason: str
) -> None:
    answer = client_of(found_camera(tmp_path, simulated)).post("/setup", json=body)
    assert (answer.status_code, reason in answer.get_json()["error"]) == (400, True)


def test_camera_of_the_settings_cannot_be_changed(simulated: SimulatedCamera) -> None:
    client = client_of(simulated, TableState(lobby=Lobby(seats=("Ida",))))
    state = client.get("/setup/status").get_json()
    assert state == {"camera": "simulated", "cameras": [], "done": ["camera", "names"]}
    answer = client.post("/setup", json={"do": "camera", "name": "simulated"})
    assert "Change [camera] there." in answer.get_json()["error"]


def test_only_officials_reach_the_set_up(tmp_path: Path, simulated: SimulatedCamera) -> None:
    client = client_of(found_camera(tmp_path, simulated))
    phone = {"base_url": "http://192.168.0.7:8080", "environ_base": {"REMOTE_ADDR": "192.168.0.9"}}
    body = {"do": "camera", "name": "simulated"}
    assert client.get("/setup/status", **phone).status_code == 403
    assert client.post("/setup", json=body, **phone).status_code == 403
    evil = {"Origin": "http://evil.example"}
    assert client.post("/setup", json=body, headers=evil).status_code == 403
    assert client.post("/setup", data="do=camera").status_code == 415
    assert not (tmp_path / "camera.json").exists()
