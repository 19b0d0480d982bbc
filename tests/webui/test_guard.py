# SPDX-License-Identifier: MIT
"""Foreign pages press no buttons, and every error is a plain one."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.webui.fakes import FakeTable, FakeTray
from webui import create_app

UNDO = {"do": "undo", "about": "lobby"}


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def tray() -> FakeTray:
    return FakeTray()


@pytest.fixture
def client(table: FakeTable, tray: FakeTray) -> FlaskClient:
    return create_app(table, tray).test_client()


@pytest.mark.parametrize("origin", ["http://evil.example", "http://localhost:81", "null"])
@pytest.mark.parametrize("address", ["/command", "/tray"])
def test_a_foreign_page_is_refused(
    client: FlaskClient, table: FakeTable, tray: FakeTray, origin: str, address: str
) -> None:
    body = UNDO if address == "/command" else {"do": "throw"}
    answer = client.post(address, json=body, headers={"Origin": origin})
    assert answer.status_code == 403
    assert origin in answer.get_json()["error"]
    assert table.sent == []
    assert tray.done == []


def test_the_own_page_is_heard(client: FlaskClient, table: FakeTable) -> None:
    own = {"Origin": "http://localhost"}
    assert client.post("/command", json=UNDO, headers=own).status_code == 200
    assert len(table.sent) == 1


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_only_json_is_taken(client: FlaskClient, table: FakeTable, kind: str | None) -> None:
    answer = client.post("/command", data='{"do": "undo"}', content_type=kind)
    assert answer.status_code == 415
    assert "expected Content-Type application/json" in answer.get_json()["error"]
    assert table.sent == []


@pytest.mark.parametrize("body", ["", "{", "\xff", "null", '{"do": NaN'])
def test_broken_json_is_a_400(client: FlaskClient, body: str) -> None:
    answer = client.post("/command", data=body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.get_json()["error"].startswith("expected a JSON object")


def test_a_huge_body_is_refused(client: FlaskClient) -> None:
    answer = client.post("/command", json={"do": "x" * 20_000})
    assert answer.status_code == 413


@pytest.mark.parametrize("address", ["/", "/healthz", "/nothing", "/static/css/base.css"])
def test_every_answer_carries_the_security_headers(client: FlaskClient, address: str) -> None:
    with client.get(address) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "unsafe-inline" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["X-Frame-Options"] == "DENY"


def test_an_unknown_address_is_a_plain_404(client: FlaskClient) -> None:
    answer = client.get("/nothing/<script>")
    assert (answer.status_code, answer.mimetype) == (404, "text/plain")
    assert answer.get_data(as_text=True) == "404 Not Found\n"


def test_a_wrong_method_is_a_plain_405(client: FlaskClient) -> None:
    assert client.get("/command").status_code == 405
    assert client.head("/command").data == b""


def test_a_slip_of_ours_is_a_plain_500_without_its_inside() -> None:
    class BrokenTable(FakeTable):
        def picture(self) -> tuple[int, bytes]:
            raise RuntimeError("secret inside")

    answer = create_app(BrokenTable(), None).test_client().get("/tray.jpg")
    assert answer.status_code == 500
    assert answer.get_data(as_text=True) == "500 Internal Server Error\n"
