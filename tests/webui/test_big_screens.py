# SPDX-License-Identifier: MIT
"""The pages for a big screen and for streaming programs: who may open them, and their addresses."""

from __future__ import annotations

import json

import pytest

from controller.base.settings import Phones
from tests.support.page_table import PageTable
from tests.support.table import play, table, throw_of
from tests.webui.fakes import FakeTable
from tests.webui.visitors import PHONE, FakeAccess, Visitor, app_of
from webui import create_app


@pytest.mark.parametrize("page", ["/tv", "/overlay"])
def test_who_may_watch_may_open_them(page: str) -> None:
    access = FakeAccess()
    for phones, status in ((Phones.PLAY, 200), (Phones.WATCH, 200), (Phones.OFF, 403)):
        assert (
            Visitor(app_of(FakeTable(), access, phones=phones), PHONE).get(page).status_code
            == status
        )


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("width=19", "width: expected 200 to 3840 pixels, found '19'"),
        ("width=wide", "width: expected 200 to 3840 pixels, found 'wide'"),
        ("width=99999999", "width: expected 200 to 3840 pixels"),
        ("show=dice,weather", "show: expected some of turn, dice, totals, ranking, found"),
        ("show=", "show: expected some of turn"),
    ],
)
def test_wrong_addresses_are_refused_with_the_reason(query: str, told: str) -> None:
    answer = (
        create_app(FakeTable().running, None, FakeAccess()).test_client().get(f"/overlay?{query}")
    )
    assert answer.status_code == 400
    assert answer.get_json()["error"].startswith(told)


def test_the_address_chooses_size_parts_and_language() -> None:
    client = create_app(FakeTable().running, None, FakeAccess()).test_client()
    page = client.get("/overlay?width=640&show=totals,dice&language=de").get_data(as_text=True)
    assert 'data-width="640"' in page
    assert 'data-parts="dice totals"' in page
    assert '<html lang="de"' in page
    assert '<html lang="en"' in client.get("/overlay?language=tlh").get_data(as_text=True)


def test_their_stream_is_that_of_a_watcher_even_on_the_box() -> None:
    live = PageTable(play(table("Ada", "Ben", options={"secret": True}), *throw_of("13446")))
    client = create_app(live.running, None, FakeAccess()).test_client()
    for query, viewer in (("", ""), ("?watch&language=de", None)):
        answer = client.get(f"/events{query}", buffered=False)
        chunks = (chunk.decode() for chunk in answer.iter_encoded())
        data = next(chunk for chunk in chunks if "event: snapshot" in chunk)
        view = json.loads(data.partition("data: ")[2])
        assert view["viewer"] == viewer
        answer.close()
    assert view["choices"] == []
