# SPDX-License-Identifier: MIT
"""The kiosk's page and the tray picture."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import webui
from controller.games import GAMES
from tests.webui.fakes import FakeTable

STATIC = Path(webui.__file__).parent / "static"


@pytest.fixture
def page(client: FlaskClient) -> str:
    return client.get("/").get_data(as_text=True)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_sheet_of_its_own(game: str) -> None:
    kinds = re.search(r"const KINDS = \{(.*)\};", (STATIC / "js/sheets/kinds.js").read_text())
    assert kinds is not None
    assert re.search(rf"(^|\W){game}(\W|$)", kinds[1])


def test_picture_comes_with_its_number(client: FlaskClient, table: FakeTable) -> None:
    table.frames.shown = (7, b"\xff\xd8picture")
    answer = client.get("/tray.jpg")
    assert (answer.status_code, answer.data) == (200, b"\xff\xd8picture")
    assert answer.mimetype == "image/jpeg"
    assert answer.headers["X-Picture-Number"] == "7"
    assert answer.headers["Cache-Control"] == "no-store"


def test_picture_that_the_page_has_is_not_sent_again(client: FlaskClient, table: FakeTable) -> None:
    table.frames.shown = (7, b"\xff\xd8picture")
    assert client.get("/tray.jpg?after=7").status_code == 204
    assert client.get("/tray.jpg?after=6").status_code == 200


def test_a_small_screen_learns_the_scale_of_its_picture(
    client: FlaskClient, table: FakeTable
) -> None:
    table.frames.shown = (7, b"\xff\xd8picture")
    assert client.get("/tray.jpg?after=6&small").headers["X-Picture-Scale"] == "2"
    assert client.get("/tray.jpg?after=6").headers["X-Picture-Scale"] == "1"


def test_before_the_first_picture_there_is_none(client: FlaskClient) -> None:
    answer = client.get("/tray.jpg")
    assert (answer.status_code, answer.data) == (204, b"")
