# SPDX-License-Identifier: MIT
"""The kiosk's sign of life: who gives it, how old it is, and what the pages are made of."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from webui.kiosk_heartbeat import compute_pages_digest, heartbeat_pages

HERE = {"REMOTE_ADDR": "127.0.0.1"}
PHONE = {"REMOTE_ADDR": "192.168.1.20"}


class Time:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def client(time: Time, tmp_path: Path) -> FlaskClient:
    app = Flask(__name__)
    app.register_blueprint(heartbeat_pages(folder=tmp_path, now_s=time))
    return app.test_client()


def test_the_age_of_the_last_sign_is_told(client: FlaskClient, time: Time) -> None:
    client.post("/heartbeat", json={}, environ_base=HERE)
    time.now_s += 7.25
    assert client.get("/heartbeat").text == "7.2\n"
    client.post("/heartbeat", json={}, environ_base=HERE)
    assert client.get("/heartbeat").text == "0.0\n"


def test_before_the_first_sign_there_was_none(client: FlaskClient) -> None:
    assert client.get("/heartbeat").text == "never\n"


def test_a_phone_says_nothing_about_the_kiosk(client: FlaskClient) -> None:
    assert client.post("/heartbeat", json={}, environ_base=PHONE).status_code == 200
    assert client.get("/heartbeat").text == "never\n"


def test_pages_made_of_something_else_have_another_name(tmp_path: Path) -> None:
    (tmp_path / "static" / "js").mkdir(parents=True)
    script = tmp_path / "static" / "js" / "main.js"
    script.write_text("one")
    before = compute_pages_digest(tmp_path)
    assert compute_pages_digest(tmp_path) == before
    script.write_text("two")
    changed = compute_pages_digest(tmp_path)
    script.rename(script.with_name("other.js"))
    assert len({before, changed, compute_pages_digest(tmp_path)}) == 3
