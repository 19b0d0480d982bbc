# SPDX-License-Identifier: MIT
"""The calibration page takes what a person says, in the right kinds, from officials alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from controller.runtime.calibration.active import ActiveCalibration
from controller.runtime.calibration.exposure import ExposureResult
from controller.runtime.calibration.own_dice import OwnDiceSession
from controller.runtime.calibration.own_dice_throw import Throw
from controller.runtime.calibration.page_data import CalibrationParts, InspectionView, OwnDiceView
from controller.runtime.calibration.session import CalibrationSession
from controller.runtime.calibration.store import Calibration
from hardware.camera import Camera
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.vision.mapped import upright_map
from tests.webui.fakes import FakeTable, FakeTray
from tests.webui.visitors import FakeAccess
from vision.frame import Frame
from vision.reading import Point
from webui import create_app

SEEN: InspectionView = {
    "picture_wh": (0, 0),
    "markers": [],
    "tray": None,
    "problem": "There is no picture yet.",
    "outline_px": [],
    "sharpness": 0.0,
    "best": 0.0,
    "light": [],
    "exposure": {
        "state": "open",
        "text": "The camera still changes its brightness and colours by itself.",
    },
    "edge_mm": 0.0,
    "edge_is_said": False,
    "corners_px": [],
    "corners_are_said": False,
    "corners_are_proposed": False,
    "felt_is_said": False,
    "saved_at": "",
    "under_dome": False,
    "dome": None,
}


DICE: OwnDiceView = {
    "text": "Throw all your dice and read them; five throws are enough.",
    "kept": 0,
    "throws": 0,
    "is_enough": False,
    "faces": [],
    "picture_wh": (0, 0),
}


class FakeOwnDice(OwnDiceSession):
    def __init__(self, done: list[object]) -> None:
        super().__init__(Path(), NoFrames(), ActiveCalibration())
        self._done = done

    def read_throw(self) -> Throw:
        self._done.append("throw")
        return Throw((), (0, 0))

    def correct(self, index: int, number: int) -> None:
        self._done.append(("face", index, number))

    def confirm(self) -> None:
        self._done.append("confirm")

    def discard(self) -> None:
        self._done.append("discard")

    def keep(self) -> int:
        self._done.append("keep")
        return 4

    def forget(self) -> None:
        self._done.append("forget")


class NoFrames:
    @property
    def camera(self) -> Camera:
        return SimulatedCamera(SteppedClock(), seed=1)

    def newest(self) -> Frame | None:
        return None

    def next_frame(self) -> Frame:
        raise AssertionError


class FakeSession(CalibrationSession):
    def __init__(self, done: list[object]) -> None:
        frames, live = NoFrames(), ActiveCalibration()
        super().__init__(Path(), frames, live, mains_hz=50, fps=30, now=lambda: "")
        self._done = done

    def forget_best(self) -> None:
        self._done.append("forget best")

    def set_inputs(
        self,
        *,
        corners_px: Sequence[Point] | None = None,
        is_proposal: bool = False,
        felt_mm: tuple[float, float] | None = None,
        die_edge_mm: float | None = None,
        dome_px: Sequence[Point] | None = None,
    ) -> None:
        corners = "proposed" if is_proposal else "corners"
        said = {corners: corners_px, "felt": felt_mm, "edge": die_edge_mm, "dome": dome_px}
        self._done += [(name, value) for name, value in said.items() if value is not None]

    def return_to_cards(self, seen_px: Sequence[Point]) -> None:
        self._done.append(("cards", seen_px))

    def lock_exposure(self) -> ExposureResult:
        self._done.append("fix light")
        return ExposureResult(None, "", is_well=True)

    def save(self) -> Calibration:
        self._done.append("save")
        return Calibration(upright_map(), None, 50.0, "")


class FakeCalibration:
    def __init__(self) -> None:
        self.done: list[object] = []
        self.parts = CalibrationParts(
            FakeSession(self.done), FakeOwnDice(self.done), lambda: self.done.append("pause")
        )


@pytest.fixture
def calibration() -> FakeCalibration:
    return FakeCalibration()


@pytest.fixture
def client(calibration: FakeCalibration) -> FlaskClient:
    return create_app(
        FakeTable().running, FakeTray(), FakeAccess(), calibration=calibration.parts
    ).test_client()


def post(client: FlaskClient, body: object, address: str = "/calibrate") -> TestResponse:
    return client.post(address, data=json.dumps(body), content_type="application/json")


CORNERS = [[1, 2], [3, 2], [3.5, 4], [1, 4]]


@pytest.mark.parametrize(
    ("body", "done"),
    [
        ({"do": "corners", "corners": CORNERS}, ("corners", ((1, 2), (3, 2), (3.5, 4), (1, 4)))),
        ({"do": "corners", "corners": []}, ("corners", ())),
        ({"do": "propose", "corners": CORNERS}, ("proposed", ((1, 2), (3, 2), (3.5, 4), (1, 4)))),
        ({"do": "dome", "places": [[5, 6], [9, 6]]}, ("dome", ((5, 6), (9, 6)))),
        ({"do": "dome", "places": []}, ("dome", ())),
        ({"do": "cards", "seen": CORNERS}, ("cards", ((1, 2), (3, 2), (3.5, 4), (1, 4)))),
        ({"do": "felt", "mm": [300, 200]}, ("felt", (300.0, 200.0))),
        ({"do": "felt", "mm": None}, ("felt", (0.0, 0.0))),
        ({"do": "edge", "mm": 16}, ("edge", 16.0)),
        ({"do": "edge", "mm": None}, ("edge", 0.0)),
    ],
)
def test_an_action_is_performed(
    client: FlaskClient, calibration: FakeCalibration, body: object, done: object
) -> None:
    assert post(client, body).status_code == 200
    assert calibration.done == [done]


def test_opening_the_page_does_not_pause_play(
    client: FlaskClient, calibration: FakeCalibration
) -> None:
    assert client.get("/calibrate").status_code == 200
    assert post(client, {"do": "begin"}).status_code == 200
    assert calibration.done == ["forget best"]


@pytest.mark.parametrize(
    ("address", "action", "done"),
    [
        ("/calibrate", "fix_light", "fix light"),
        ("/calibrate", "save", "save"),
        ("/calibrate/dice", "throw", "throw"),
        ("/calibrate/dice", "keep", "keep"),
        ("/calibrate/dice", "forget", "forget"),
    ],
)
def test_calibrating_pauses_play_first(
    client: FlaskClient, calibration: FakeCalibration, address: str, action: str, done: str
) -> None:
    assert post(client, {"do": action}, address).status_code == 200
    assert calibration.done == ["pause", done]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"do": "fly"}, "do: one of begin, corners"),
        ({"do": ["save"]}, "do: one of begin"),
        ({"do": "save", "now": True}, "exactly the keys do"),
        ({"do": "felt"}, "exactly the keys do, mm"),
        ({"do": "felt", "mm": [300]}, "mm: two numbers each"),
        ({"do": "felt", "mm": [300, "200"]}, "mm: a number"),
        ({"do": "edge", "mm": True}, "mm: a number"),
        ({"do": "edge", "mm": 1e9}, "mm: a number"),
        ({"do": "corners", "corners": CORNERS[:3]}, "corners: 4 positions, or []"),
        ({"do": "corners", "corners": "here"}, "corners: 4 positions, or []"),
        ({"do": "dome", "places": [[5, 6]]}, "places: the dome's middle and a point on its rim"),
        ({"do": "corners", "corners": [1, 2, 3, 4]}, "corners: two numbers each"),
        ([], "a JSON object"),
    ],
)
def test_an_invalid_action_is_refused_with_a_reason(
    client: FlaskClient, calibration: FakeCalibration, body: object, message: str
) -> None:
    answer = post(client, body)
    assert answer.status_code == 400
    assert message in answer.get_json()["error"]
    assert calibration.done == []


@pytest.mark.parametrize(
    ("body", "done"),
    [
        ({"do": "face", "index": 2, "number": 5}, ("face", 2, 5)),
        ({"do": "face", "index": 0, "number": 0}, ("face", 0, 0)),
        ({"do": "confirm"}, "confirm"),
        ({"do": "discard"}, "discard"),
    ],
)
def test_an_action_on_own_dice_is_performed(
    client: FlaskClient, calibration: FakeCalibration, body: object, done: object
) -> None:
    assert post(client, body, "/calibrate/dice").status_code == 200
    assert calibration.done == [done]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"do": "save"}, "do: one of throw, face"),
        ({"do": "face", "index": 1}, "exactly the keys do, index, number"),
        ({"do": "face", "index": 1, "number": 7}, "number: a whole number from 0 to 6"),
        ({"do": "face", "index": True, "number": 3}, "index: a whole number from 0 to 50"),
        ({"do": "face", "index": -1, "number": 3}, "index: a whole number from 0 to 50"),
    ],
)
def test_an_invalid_action_on_own_dice_is_refused(
    client: FlaskClient, calibration: FakeCalibration, body: object, message: str
) -> None:
    answer = post(client, body, "/calibrate/dice")
    assert answer.status_code == 400
    assert message in answer.get_json()["error"]
    assert calibration.done == []


def test_own_dice_go_to_the_page(client: FlaskClient) -> None:
    answer = client.get("/calibrate/dice")
    assert answer.get_json() == json.loads(json.dumps(DICE))
    assert answer.headers["Cache-Control"] == "no-store"


def test_what_the_picture_says_goes_to_the_page(client: FlaskClient) -> None:
    answer = client.get("/calibrate/status")
    assert answer.get_json() == json.loads(json.dumps(SEEN))
    assert answer.headers["Cache-Control"] == "no-store"
    assert client.get("/calibrate/reading").get_json()["status"] == ""


@pytest.mark.parametrize("kind", ["pdf", "png"])
def test_the_cards_can_be_had(client: FlaskClient, kind: str) -> None:
    answer = client.get(f"/calibrate/cards.{kind}")
    assert answer.data.startswith({"pdf": b"%PDF", "png": b"\x89PNG"}[kind])
    assert kind in str(answer.mimetype)


def test_only_a_simulated_tray_has_hands(calibration: FakeCalibration) -> None:
    real = create_app(
        FakeTable().running, None, FakeAccess(), calibration=calibration.parts
    ).test_client()
    assert "data-hand" not in real.get("/calibrate").get_data(as_text=True)
    drawn = create_app(
        FakeTable().running, FakeTray(), FakeAccess(), calibration=calibration.parts
    ).test_client()
    assert "data-hand" in drawn.get("/calibrate").get_data(as_text=True)


def test_a_table_without_a_calibration_has_no_page() -> None:
    client = create_app(FakeTable().running, None, FakeAccess()).test_client()
    assert client.get("/calibrate").status_code == 404


@pytest.mark.parametrize(
    "address",
    [
        "/calibrate",
        "/calibrate/status",
        "/calibrate/reading",
        "/calibrate/dice",
        "/calibrate/cards.pdf",
    ],
)
def test_whoever_is_not_at_the_box_needs_the_pin(
    calibration: FakeCalibration, address: str
) -> None:
    app = create_app(
        FakeTable().running,
        None,
        FakeAccess(),
        calibration=calibration.parts,
        is_box=lambda asked: False,
    )
    client = app.test_client()
    assert client.get(address).status_code == 403
    assert post(client, {"do": "save"}).status_code == 403
    assert post(client, {"do": "forget"}, "/calibrate/dice").status_code == 403
    assert calibration.done == []
