# SPDX-License-Identifier: MIT
"""The service page: every address takes the PIN, every wish is one that can be."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from controller.appliance.backup.create import BackupSource
from controller.appliance.live_readings import LiveReadings
from controller.appliance.power import PowerControl
from controller.appliance.service_page import DiagnosisRun, ServiceParts
from controller.appliance.settings_editor import SettingsEditor
from controller.appliance.views import (
    CameraView,
    DoctorView,
    LiveReadingView,
    PowerAction,
    SettingsView,
    TraceView,
)
from controller.base.errors import InputError
from controller.base.logs import RecentLines
from controller.base.qr_code import render_qr_svg
from controller.base.settings import Phones, WebSettings
from controller.history.history import TableHistory
from controller.journal.entry_reader import EntryReader
from controller.journal.hashchain import Body
from controller.journal.journal import JOURNAL_FILE
from controller.journal.tlog.checkpoint_note import derive_origin, is_signed_by
from controller.journal.tlog.signed_note import parse_note
from controller.runtime.devices.panel_monitor import PanelMonitor, PanelsView
from controller.tournament.sending.uplink import TournamentUplink
from tests.support.history_pages import played_table
from tests.support.recorded_event import RecordedTable
from tests.webui.fakes import FakeTable
from tests.webui.visitors import CODE, PHONE, PIN, FakeAccess, Visitor
from webui import create_app

READING: LiveReadingView = {
    "frame": 7,
    "picture_wh": (1280, 720),
    "status": "empty",
    "dice": [],
    "doubts": [],
    "rejected": [],
    "stages": [{"stage": "finder", "ms": 4.5}],
}


class FakeReadings(LiveReadings):
    def __init__(self) -> None:
        pass

    def read_newest(self) -> LiveReadingView:
        return READING

    def make_trace(self) -> TraceView:
        return {"number": 3, "pictures": ["1-finder"], "reading": READING}

    def trace_picture(self, number: int, name: str) -> bytes | None:
        return b"png" if (number, name) == (3, "1-finder") else None


class FakePanels(PanelMonitor):
    def __init__(self, done: list[object]) -> None:
        self.done = done

    def status(self) -> PanelsView:
        return {"panels": [], "light": False, "buzzer": False, "lost": [], "apart": False}

    def enter_test_mode(self) -> None:
        self.done.append("stay apart")

    def press(self, seat: int, button: str) -> None:
        self.done.append(("press", seat, button))

    def try_lamp(self, seat: int, button: str) -> None:
        self.done.append(("lamp", seat, button))

    def try_light(self) -> None:
        self.done.append("light")

    def try_sound(self, name: str) -> None:
        self.done.append(("sound", name))


class FakeSettings(SettingsEditor):
    def __init__(self, done: list[object]) -> None:
        self.done = done

    def camera(self) -> CameraView:
        return {"name": "simulated", "exposure": {"gain": 2.0}}

    def view(self) -> SettingsView:
        return {"file": "f", "problem": "", "sections": []}

    def change(self, name: str, value: bool | int | float | str) -> str:
        if name == "camera.fly":
            raise InputError(expected="one of the keys gain", found="fly", where="f, line 3")
        self.done.append((name, value))
        return "Written."


class FakeDiagnosis(DiagnosisRun):
    def __init__(self, done: list[object]) -> None:
        self.done = done

    def start(self) -> None:
        self.done.append("examine")

    def view(self) -> DoctorView:
        return {"running": False, "findings": []}


class FakePower(PowerControl):
    def __init__(self, done: list[object]) -> None:
        self.done = done

    def unavailable_reasons(self) -> dict[PowerAction, str]:
        return {"restart table": "nobody", "reboot": "", "power off": ""}

    def perform(self, act: PowerAction) -> None:
        self.done.append(act)


class FakeBackup(BackupSource):
    def stream(self, *, with_pictures: bool) -> tuple[str, Iterator[bytes]]:
        return "dicebell-1.zip", iter([b"zip", b"!" if with_pictures else b"."])


class PhoneAccess(FakeAccess):
    def __init__(self, done: list[object]) -> None:
        super().__init__()
        self.done = done

    def new_code(self) -> None:
        self.done.append("new code")

    def revoke_phone_tickets(self) -> None:
        self.done.append("send phones away")


class FakeService:
    """The parts of a service page, which note what they are asked to do."""

    def __init__(self, folder: Path) -> None:
        self.done: list[object] = []
        lines, entries = RecentLines(), EntryReader(folder / JOURNAL_FILE, lambda: 0)
        lines.emit(logging.LogRecord("dicebell.app", logging.INFO, "", 0, "start", (), None))
        self.parts = ServiceParts(
            readings=FakeReadings(),
            panels=FakePanels(self.done),
            settings=FakeSettings(self.done),
            diagnosis=FakeDiagnosis(self.done),
            power=FakePower(self.done),
            lines=lines,
            backup=FakeBackup(Path(), None),
            access=PhoneAccess(self.done),
            phones=Phones.PLAY,
            history=TableHistory(folder, in_memory=True),
            uplink=TournamentUplink(folder, entries, lambda _: True, self._write_entry),
            entries=entries,
            write_entry=self._write_entry,
        )

    def _write_entry(self, kind: str, body: Body) -> None:
        self.done.append((kind, body))


ADDRESSES = [
    "/service",
    "/service/reading",
    "/service/board",
    "/service/camera",
    "/service/settings",
    "/service/dice",
    "/service/people",
    "/service/log",
    "/service/doctor",
    "/service/machine",
    "/service/note",
    "/service/trace/3/1-finder.png",
    "/service/backup.zip",
]
POSTS = [("/service", {"do": "examine"}), ("/service/trace", {})]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[FakeService]:
    made = FakeService(tmp_path / "service")
    yield made
    made.parts.history.index.close()


@pytest.fixture
def client(service: FakeService) -> FlaskClient:
    return create_app(FakeTable().running, None, FakeAccess(), service=service.parts).test_client()


@pytest.fixture
def phone(service: FakeService) -> Visitor:
    web = WebSettings(host="0.0.0.0", phones=Phones.PLAY, host_names="dicebell.lan")
    app = create_app(FakeTable().running, None, access=FakeAccess(), web=web, service=service.parts)
    return Visitor(app, PHONE)


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_takes_the_pin_and_the_code_is_not_enough(
    client: FlaskClient, phone: Visitor, address: str
) -> None:
    assert client.get(address).status_code == 200
    assert phone.get(address).status_code == 403
    assert phone.enters(code=CODE).status_code == 200
    assert phone.get(address).status_code == 403
    assert phone.enters(pin=PIN).status_code == 200
    assert phone.get(address).status_code == 200


def test_a_phone_without_a_seat_calls_no_official(phone: Visitor) -> None:
    assert phone.post("/official", {}).status_code == 403
    phone.enters(code=CODE)
    assert phone.post("/official", {}).status_code == 403
    phone.enters(pin=PIN)
    answer = phone.post("/official", {})
    assert "expected a table that has joined" in answer.get_data(as_text=True)


@pytest.mark.parametrize(("address", "body"), POSTS)
def test_nothing_is_done_without_the_pin(
    phone: Visitor, service: FakeService, address: str, body: object
) -> None:
    phone.enters(code=CODE)
    assert phone.post(address, body).status_code == 403
    assert service.done == []
    phone.enters(pin=PIN)
    assert phone.post(address, body).status_code == 200


def test_opening_the_page_elsewhere_redirects_to_login(phone: Visitor) -> None:
    answer = phone.opens("/service")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/login?to=%2Fservice")


@pytest.mark.parametrize(
    ("body", "done", "said"),
    [
        ({"do": "stay apart"}, "stay apart", ""),
        ({"do": "press", "seat": 0, "button": "left"}, ("press", 0, "left"), ""),
        ({"do": "lamp", "seat": 2, "button": "back"}, ("lamp", 2, "back"), ""),
        ({"do": "light"}, "light", ""),
        ({"do": "sound", "sound": "end"}, ("sound", "end"), ""),
        ({"do": "set", "name": "camera.gain", "value": 2.5}, ("camera.gain", 2.5), "Written."),
        ({"do": "set", "name": "web.host", "value": ""}, ("web.host", ""), "Written."),
        ({"do": "examine"}, "examine", ""),
        ({"do": "machine", "act": "power off"}, "power off", "The machine is shutting down."),
        ({"do": "new code"}, "new code", ""),
        ({"do": "send phones away"}, "send phones away", ""),
    ],
)
def test_an_action_is_performed(
    client: FlaskClient, service: FakeService, body: object, done: object, said: str
) -> None:
    answer = client.post("/service", json=body)
    assert answer.status_code == 200
    assert answer.get_json()["said"].startswith(said)
    assert service.done == [done]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"do": "fly"}, "do: one of stay apart, press"),
        ({"do": ["light"]}, "do: one of stay apart"),
        ({"do": "light", "now": True}, "exactly the keys do"),
        ({"do": "press", "seat": True, "button": "left"}, "seat: a whole number"),
        ({"do": "press", "seat": 0, "button": 1}, "button: a text"),
        ({"do": "set", "name": "camera.gain", "value": [2]}, "value: true, false, a number"),
        ({"do": "set", "name": "camera.path", "value": "x" * 501}, "at most 500 characters"),
        ({"do": "set", "name": "camera.fly", "value": 1}, "f, line 3: expected one of the keys"),
        ({"do": "machine", "act": "explode"}, "act: one of restart table, reboot, power off"),
        ([], "a JSON object"),
    ],
)
def test_an_invalid_action_is_refused_with_a_reason(
    client: FlaskClient, service: FakeService, body: object, message: str
) -> None:
    answer = client.post("/service", json=body)
    assert answer.status_code == 400
    assert message in answer.get_json()["error"]
    assert service.done == []


def test_what_the_page_asks_for_is_answered_anew_each_time(client: FlaskClient) -> None:
    answer = client.get("/service/reading")
    assert answer.get_json() == json.loads(json.dumps(READING))
    assert answer.headers["Cache-Control"] == "no-store"
    machine = client.get("/service/machine").get_json()
    assert machine["code"] == "51234"
    assert machine["acts"]["restart table"] == "nobody"
    assert machine["broker"].startswith("The table sends to no broker.")


def test_pictures_of_the_last_trace_alone_can_be_had(client: FlaskClient) -> None:
    assert client.post("/service/trace", json={}).get_json()["pictures"] == ["1-finder"]
    assert client.get("/service/trace/3/1-finder.png").data == b"png"
    assert client.get("/service/trace/2/1-finder.png").status_code == 404
    assert client.get("/service/trace/3/..%2Fetc.png").status_code == 404


def test_a_backup_comes_as_a_file_with_its_name(client: FlaskClient) -> None:
    answer = client.get("/service/backup.zip")
    assert answer.data == b"zip!"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="dicebell-1.zip"'
    assert client.get("/service/backup.zip?no-pictures").data == b"zip."


def test_the_help_leads_to_it_where_somebody_may_open_it(
    client: FlaskClient, phone: Visitor
) -> None:
    assert 'href="/service"' in client.get("/").get_data(as_text=True)
    assert 'href="/service"' not in phone.get("/").get_data(as_text=True)
    phone.enters(pin=PIN)
    assert 'href="/service"' in phone.get("/").get_data(as_text=True)


def test_a_table_without_a_service_has_neither_page_nor_way() -> None:
    client = create_app(FakeTable().running, None, FakeAccess()).test_client()
    assert client.get("/service").status_code == 404
    assert 'href="/service"' not in client.get("/").get_data(as_text=True)


def test_an_official_renames_forgets_and_undoes(service: FakeService, tmp_path: Path) -> None:
    table = played_table(tmp_path / "data")
    parts = replace(service.parts, history=table.history)
    client = create_app(FakeTable().running, None, FakeAccess(), service=parts).test_client()

    def act(**body: str) -> None:
        answer = client.post("/service", json=body)
        assert answer.status_code == 200, answer.text

    def people() -> dict[str, tuple[str, bool]]:
        found = client.get("/service/people").get_json()["people"]
        return {one["name"]: (one["shown"], one["forgotten"]) for one in found}

    assert people()["Ben"] == ("Ben", False)
    act(do="rename person", name="Ada", shown="Anna")
    act(do="forget person", name="Ben")
    assert (people()["Ada"], people()["Ben"]) == (("Anna", False), ("", True))
    assert {one.name for one in table.history.list_players()} >= {"Anna", "Cleo"}
    for name in ("Ada", "Ben"):
        act(do="restore name", name=name)
    assert (people()["Ada"], people()["Ben"]) == (("Ada", False), ("Ben", False))
    refused = client.post("/service", json={"do": "forget person", "name": "Nobody"})
    assert refused.status_code == 400
    assert "somebody who played here" in refused.get_json()["error"]


def test_other_dice_are_written_to_the_journal(service: FakeService, tmp_path: Path) -> None:
    table = played_table(tmp_path / "table")
    parts = replace(service.parts, history=table.history)
    client = create_app(FakeTable().running, None, FakeAccess(), service=parts).test_client()
    reply = client.post("/service", json={"do": "other dice", "name": " Casino "}).get_json()
    assert reply["said"] == "From now on every throw counts for “Casino”."
    assert service.done == [("dice_set", {"name": "Casino"})]
    (first,) = client.get("/service/dice").get_json()["sets"]
    assert (first["label"], first["is_current"]) == ("The first dice", True)
    assert first["said"][0].startswith("Nothing against these dice in ")
    for name in ("   ", "a\nb", "x" * 41):
        refused = client.post("/service", json={"do": "other dice", "name": name})
        assert refused.status_code == 400
    assert len(service.done) == 1


def test_the_newest_checkpoint_is_shown_as_a_note(service: FakeService, tmp_path: Path) -> None:
    table = RecordedTable(tmp_path / "table")
    path = tmp_path / JOURNAL_FILE
    entries = EntryReader(path, lambda: path.stat().st_size)
    app = create_app(
        FakeTable().running, None, FakeAccess(), service=replace(service.parts, entries=entries)
    )
    client = app.test_client()
    table.write(tmp_path)
    assert client.get("/service/note").json == {"note": None}
    assert client.get("/service/note.svg").status_code == 404
    table.sign()
    table.write(tmp_path)
    note: str = client.get("/service/note").get_json()["note"]
    assert is_signed_by(
        parse_note(note.encode()), derive_origin(table.key.public), table.key.public
    )
    assert client.get("/service/note.svg").data == render_qr_svg(note)
