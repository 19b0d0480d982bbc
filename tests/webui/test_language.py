# SPDX-License-Identifier: MIT
"""Which language a screen gets, and that it gets all of it."""

from __future__ import annotations

import html
import json
import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from controller.base.languages.catalogue import Catalogue, load_catalogues
from controller.base.languages.codes import list_languages
from controller.base.settings import WebSettings
from tests.webui.fakes import FakeTable
from tests.webui.visitors import FakeAccess
from webui import create_app

LATE = "Too late: the table asks something else now, so this press did nothing."
GERMAN = Catalogue("de", {LATE: ("Zu spät.",)}, script_templates=frozenset({LATE}))
CATALOGUES = {"en": Catalogue("en", {}), "de": GERMAN}


def client_of(*, language: str = "en", is_box: bool = True) -> FlaskClient:
    web = WebSettings(language=language)
    app = create_app(
        FakeTable().running,
        None,
        FakeAccess(),
        catalogues=CATALOGUES,
        web=web,
        is_box=lambda _: is_box,
    )
    return app.test_client()


def language_of(answer: TestResponse) -> str:
    found = re.search(r'<html lang="(\w+)"', answer.text)
    assert found is not None
    return found[1]


@pytest.mark.parametrize("language", ["en", "de"])
def test_box_shows_the_language_of_its_setting(language: str) -> None:
    client = client_of(language=language)
    assert language_of(client.get("/", headers={"Accept-Language": "fr, de, en"})) == language


@pytest.mark.parametrize("is_box", [True, False])
@pytest.mark.parametrize(("accepted", "language"), [("fr, de-AT, en", "de"), ("fr", "en")])
def test_no_setting_leaves_the_language_to_browsers(
    accepted: str, language: str, *, is_box: bool
) -> None:
    client = client_of(language=WebSettings().language, is_box=is_box)
    headers = {"Accept-Language": accepted}
    assert language_of(client.get("/login", headers=headers)) == language
    client.set_cookie("dicebell-language", "en")
    assert language_of(client.get("/login", headers=headers)) == "en"


def test_screen_keeps_the_language_that_was_chosen_on_it() -> None:
    client = client_of(language="en")
    client.set_cookie("dicebell-language", "de")
    assert language_of(client.get("/")) == "de"
    client.set_cookie("dicebell-language", "xx")
    assert language_of(client.get("/")) == "en"


@pytest.mark.parametrize(
    ("accepted", "language"),
    [("fr, de-AT;q=0.8, en;q=0.7", "de"), ("en-GB, de", "en"), ("fr", "de")],
)
def test_other_browsers_choose_their_own_language(accepted: str, language: str) -> None:
    client = client_of(language="de", is_box=False)
    assert language_of(client.get("/login", headers={"Accept-Language": accepted})) == language


def test_refusal_is_told_in_the_language_of_the_screen() -> None:
    command = {"do": "press", "key": "confirm", "about": "an older question"}
    assert client_of().post("/command", json=command).json == {"error": LATE}
    assert client_of(language="de").post("/command", json=command).json == {"error": "Zu spät."}


def test_page_brings_the_texts_of_its_scripts() -> None:
    found = re.search(r'id="messages" content="([^"]*)"', client_of(language="de").get("/").text)
    assert found is not None
    assert json.loads(html.unescape(found[1])) == {LATE: ["Zu spät."]}


def test_every_language_can_be_read() -> None:
    assert list(load_catalogues()) == list(list_languages())
    assert load_catalogues()["de"].name == "Deutsch"
