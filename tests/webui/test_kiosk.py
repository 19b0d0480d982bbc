# SPDX-License-Identifier: MIT
"""The page and the tray picture, and that all parts of the page fit each other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import webui
from controller.games import GAMES
from tests.webui.fakes import FakeTable, FakeTray
from webui import create_app

STATIC = Path(webui.__file__).parent / "static"
SCRIPTS = sorted(STATIC.glob("js/**/*.js"))
SHEETS = sorted(STATIC.glob("css/*.css"))


@pytest.fixture
def table() -> FakeTable:
    return FakeTable()


@pytest.fixture
def client(table: FakeTable) -> FlaskClient:
    return create_app(table, FakeTray()).test_client()


@pytest.fixture
def page(client: FlaskClient) -> str:
    return client.get("/").get_data(as_text=True)


def test_every_file_of_the_page_is_there(client: FlaskClient, page: str) -> None:
    files = re.findall(r'(?:src|href)="(/[^"]+)"', page)
    assert len(files) > 10
    for file in files:
        with client.get(file) as answer:
            assert answer.status_code == 200, file


def test_every_style_sheet_is_used(page: str) -> None:
    assert all(f"css/{sheet.name}" in page for sheet in SHEETS)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_import_of_a_script_exists(script: Path) -> None:
    for names, file in re.findall(r"import \{ ([^}]*) \} from \"(.*)\";", script.read_text()):
        imported = (script.parent / file).read_text()
        for name in names.split(", "):
            assert re.search(
                rf"export (async )?(function|const|class) {re.escape(name)}\s*[({{=]", imported
            ), name


def test_every_script_is_reached_from_the_main_one() -> None:
    reached: set[Path] = set()
    waiting = {STATIC / "js/main.js"}
    while waiting:
        script = waiting.pop()
        reached.add(script)
        files = re.findall(r"from \"(.*)\";", script.read_text())
        waiting |= {(script.parent / file).resolve() for file in files} - reached
    assert sorted(reached) == SCRIPTS


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_sheet_of_its_own(game: str) -> None:
    kinds = re.search(r"const KINDS = \{(.*)\};", (STATIC / "js/sheets.js").read_text())
    assert kinds is not None
    assert re.search(rf"(^|\W){game}(\W|$)", kinds[1])


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_element_that_a_script_asks_for_is_on_the_page(script: Path, page: str) -> None:
    for name in re.findall(r'\$\("([^"]+)"\)', script.read_text()):
        assert f'id="{name}"' in page, name


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_no_script_writes_markup(script: Path) -> None:
    text = script.read_text()
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", text)


def test_ids_on_the_page_are_unique(page: str) -> None:
    names = re.findall(r'\bid="([^"]+)"', page)
    assert sorted(set(names)) == sorted(names)


def test_page_has_no_inline_script_or_style_and_nothing_from_outside(page: str) -> None:
    assert not re.search(r"<script(?![^>]*src=)|<style|\sstyle=|\son\w+=", page)
    assert not re.search(r"https?://", page)


def test_picture_comes_with_its_number(client: FlaskClient, table: FakeTable) -> None:
    table.tray_picture = (7, b"\xff\xd8picture")
    answer = client.get("/tray.jpg")
    assert (answer.status_code, answer.data) == (200, b"\xff\xd8picture")
    assert answer.mimetype == "image/jpeg"
    assert answer.headers["X-Picture-Number"] == "7"
    assert answer.headers["Cache-Control"] == "no-store"


def test_picture_that_the_page_has_is_not_sent_again(client: FlaskClient, table: FakeTable) -> None:
    table.tray_picture = (7, b"\xff\xd8picture")
    assert client.get("/tray.jpg?after=7").status_code == 204
    assert client.get("/tray.jpg?after=6").status_code == 200


def test_before_the_first_picture_there_is_none(client: FlaskClient) -> None:
    answer = client.get("/tray.jpg")
    assert (answer.status_code, answer.data) == (204, b"")
