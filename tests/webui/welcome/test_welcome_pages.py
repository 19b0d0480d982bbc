# SPDX-License-Identifier: MIT
"""Who gets the demonstration and the guide, and who may decline it."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask

from controller.appliance.welcome.parts import WelcomeParts, create_welcome
from controller.base.settings import (
    DataSettings,
    IdleSettings,
    NightSettings,
    Phones,
    Settings,
    WebSettings,
)
from hardware.clock import SteppedClock
from tests.webui.fakes import FakeTable
from tests.webui.visitors import LAPTOP, PHONE, PIN, FakeAccess, Visitor
from webui import create_app

GAME = "/welcome/demonstration/7.json"
DECLINE = {"do": "decline"}


@pytest.fixture
def welcome(tmp_path: Path) -> WelcomeParts:
    settings = Settings(
        data=DataSettings(tmp_path),
        night=NightSettings(from_hour=21, to_hour=6),
        idle=IdleSettings(night_brightness_percent=15),
    )
    return create_welcome(settings, SteppedClock(), lambda: True)


@pytest.fixture
def app(welcome: WelcomeParts) -> Flask:
    web = WebSettings(host="0.0.0.0", phones=Phones.PLAY, host_names="dicebell.lan")
    return create_app(FakeTable().running, None, access=FakeAccess(), web=web, welcome=welcome)


@pytest.fixture
def box(app: Flask) -> Visitor:
    return Visitor(app, "127.0.0.1", "localhost:8080")


def test_box_gets_a_game_and_the_hours_of_the_night(box: Visitor) -> None:
    found = box.get(GAME).get_json()
    assert found["night"] == {"from_hour": 21, "to_hour": 6, "percent": 15}
    assert found["replay"]["game"] == "wuerfelspiel"
    assert found["replay"]["steps"]
    # Any number has a game, and as many as wanted.
    assert box.get(f"/welcome/demonstration/{10**30}.json").status_code == 200


def test_other_screens_get_no_demonstration(app: Flask) -> None:
    laptop, phone = Visitor(app, LAPTOP, is_own=False), Visitor(app, PHONE, is_own=False)
    laptop.enters(pin=PIN)
    phone.enters(code="51234")
    for visitor in (laptop, phone):
        assert visitor.get(GAME).status_code == 403
        assert 'id="idle"' not in visitor.opens("/watch").text
    assert 'id="guide"' in laptop.opens("/").text
    assert 'id="guide"' not in phone.opens("/watch").text


def test_pages_without_these_parts_are_as_before() -> None:
    client = create_app(FakeTable().running, None, FakeAccess()).test_client()
    assert 'id="idle"' not in client.get("/").text
    assert 'id="guide"' not in client.get("/").text
    assert client.get(GAME).status_code == 404


def test_box_declines_the_guide(app: Flask, box: Visitor, welcome: WelcomeParts) -> None:
    assert "data-offered" in box.opens("/").text
    phone = Visitor(app, PHONE, is_own=False)
    phone.enters(code="51234")
    assert phone.post("/welcome/guide", DECLINE).status_code == 403
    assert box.post("/welcome/guide", {"do": "more"}).status_code == 400
    offered = [welcome.guide.is_offered]
    assert box.post("/welcome/guide", DECLINE).status_code == 200
    assert [*offered, welcome.guide.is_offered] == [True, False]
    assert "data-offered" not in box.opens("/").text
    assert "data-starts" in box.opens("/?guide").text
