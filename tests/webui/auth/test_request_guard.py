# SPDX-License-Identifier: MIT
"""Foreign pages press no buttons, and every error is a plain one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from controller.base.settings import Phones, WebSettings
from controller.runtime.shown_picture import EncodedPicture
from tests.webui.fakes import FakeFrames, FakeTable, FakeTray
from tests.webui.visitors import FakeAccess
from webui import create_app
from webui.auth.request_guard import LARGEST_BODY_BYTES

UNDO = {"do": "undo", "about": "lobby"}


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://localhost:81", "null", "http://["]
)
@pytest.mark.parametrize("address", ["/command", "/simulator"])
def test_a_foreign_page_is_refused(
    client: FlaskClient, table: FakeTable, tray: FakeTray, origin: str, address: str
) -> None:
    body = UNDO if address == "/command" else {"do": "throw"}
    answer = client.post(address, json=body, headers={"Origin": origin})
    assert answer.status_code == 403
    assert origin in answer.get_json()["error"]
    assert table.sent == []
    assert tray.done == []


@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
def test_a_browser_that_tells_of_a_foreign_page_is_believed(
    client: FlaskClient, table: FakeTable, site: str
) -> None:
    answer = client.post("/command", json=UNDO, headers={"Sec-Fetch-Site": site})
    assert answer.status_code == 403
    assert table.sent == []
    assert client.get("/tray.jpg", headers={"Sec-Fetch-Site": site}).status_code == 403


@pytest.mark.parametrize("site", ["same-origin", "none"])
def test_a_browser_that_tells_of_the_own_page_is_heard(client: FlaskClient, site: str) -> None:
    assert client.post("/command", json=UNDO, headers={"Sec-Fetch-Site": site}).status_code == 200


def test_a_link_from_elsewhere_may_be_followed_but_sends_nothing(client: FlaskClient) -> None:
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert client.get("/", headers=link).status_code == 200
    assert client.post("/command", json=UNDO, headers=link).status_code == 403


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "8.8.8.8", "a b"])
@pytest.mark.parametrize("address", ["/", "/healthz", "/static/css/base.css", "/nothing"])
def test_a_name_that_is_not_the_boxs_is_not_answered(
    client: FlaskClient, host: str, address: str
) -> None:
    with client.get(address, headers={"Host": host}) as answer:
        assert answer.status_code == 403


def test_further_names_stand_in_the_settings(table: FakeTable) -> None:
    web = WebSettings(host="table.lan", host_names="dice.home, Dice.Example")
    client = create_app(table.running, None, FakeAccess(), web=web).test_client()
    for name in ("dice.home", "dice.example:81", "DICE.home", "table.lan"):
        assert client.get("/healthz", headers={"Host": name}).status_code == 200
    assert client.get("/healthz", headers={"Host": "dice"}).status_code == 403


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
    class BrokenFrames(FakeFrames):
        def picture(self, *, is_small: bool = False) -> EncodedPicture:
            raise RuntimeError("secret inside")

    running = replace(FakeTable().running, frame_events=BrokenFrames())
    answer = create_app(running, None, FakeAccess()).test_client().get("/tray.jpg")
    assert answer.status_code == 500
    assert answer.get_data(as_text=True) == "500 Internal Server Error\n"


@pytest.mark.parametrize("depth", [9, 900, 990, 8000])
@pytest.mark.parametrize("opening", [b"[", b'{"do":'])
def test_a_deep_body_is_one_line_at_every_address(
    table: FakeTable, opening: bytes, depth: int
) -> None:
    """Both the decoder and what quotes a wrong value back would run out of Python's stack."""
    app = create_app(
        table.running, FakeTray(), access=FakeAccess(), web=WebSettings(phones=Phones.PLAY)
    )
    closing = b"]" if opening == b"[" else b"}"
    body = (opening * depth + b"1" + closing * depth)[:LARGEST_BODY_BYTES]
    rules = [rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())]
    addresses = [rule.rule for rule in rules if not rule.endpoint.startswith("moved.")]
    assert len(addresses) >= 8
    for address in addresses:
        answer = app.test_client().post(address, data=body, content_type="application/json")
        assert answer.status_code == 400, address
        assert "JSON" in answer.get_json()["error"]
    assert table.sent == []
