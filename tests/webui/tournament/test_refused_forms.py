# SPDX-License-Identifier: MIT
"""A form of the officials that was refused comes back as it was filled in, with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytest.importorskip("uvicorn", reason="make installs it")

from controller.tournament.entries.codec import KINDS
from controller.tournament.entries.entry_base import list_fields
from controller.tournament.server.form_labels import LABELS
from tests.controller.tournament.event_tables import BOX
from tests.support.office import DUPLICATE, Office, open_office

TABLES = {**DUPLICATE, "style": "tables", "game": "wuerfelspiel"}


@dataclass
class Form:
    """A form of a page: its buttons, hidden fields, and what stands in the others."""

    action: str = ""
    acts: list[str] = field(default_factory=list)
    hidden: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    choices: dict[str, list[str]] = field(default_factory=dict)

    def fill(self) -> dict[str, str]:
        return {name: self._change(name) for name in self.kinds}

    def _change(self, name: str) -> str:
        kind = self.kinds[name]
        if kind == "select":
            return self.choices[name][-1]
        return {"checkbox": "1", "number": "7"}.get(kind, f"a <{name}> & more")


class Forms(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._select = self._text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(has.get("action", "")))
        if not self.forms:
            return
        form, name, value = self.forms[-1], has.get("name", ""), has.get("value", "")
        if tag == "button" and name == "do":
            form.acts.append(value)
        elif tag == "select":
            self._select, form.kinds[name], form.choices[name] = name, "select", []
        elif tag == "option":
            form.choices[self._select].append(value)
            if "selected" in has:
                form.values[self._select] = value
        elif tag == "input" and has.get("type") == "hidden":
            form.hidden[name] = value
        elif tag == "textarea":
            self._text, form.kinds[name], form.values[name] = name, "text", ""
        elif tag == "input" and name:
            form.kinds[name] = has.get("type", "text")
            if form.kinds[name] != "checkbox" or "checked" in has:
                form.values[name] = value

    def handle_data(self, data: str) -> None:
        if self._text:
            self.forms[-1].values[self._text] += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._text = ""


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with open_office(tmp_path) as office:
        yield office


def refuse_all(office: Office) -> set[str]:
    """Send every form of the page filled in and refused; return the acts that came back filled."""
    name = office.client.cookies.pop("dicebell-official")
    found: set[str] = set()
    for form in Forms(office.page()).forms:
        for act in (each for each in form.acts if form.kinds and each not in ("refuse", "log in")):
            sent = form.fill()
            answer = office.client.post(form.action, data={"do": act, **form.hidden, **sent})
            assert answer.status_code == 400, act
            again = Forms(answer.text).forms
            (filled,) = [one for one in again if act in one.acts and one.hidden == form.hidden]
            assert {**filled.values} == sent, act
            others = [one for one in again if one is not filled]
            assert not any("more" in text for one in others for text in one.values.values())
            found.add(act)
    office.client.cookies.set("dicebell-official", name)
    return found


def prepare(office: Office, begun: dict[str, str]) -> None:
    office.must("begin", **begun)
    office.event.store.enrol(BOX, "Table 1").result()
    for number in range(8):
        office.must("enter player", name=f"Player {number + 1}")
    office.event.send(office.event.table.begin())


def test_forms_of_a_duplicate_event_come_back_filled(office: Office) -> None:
    event = office.event
    assert refuse_all(office) == {"begin"}
    prepare(office, DUPLICATE)
    event.wait_until(lambda state: state.data.boxes.lines_of(BOX).next_seq == 1)
    of_player = {
        *("rename", "name person", "pause", "return", "withdraw", "penalty", "forfeit"),
        *("set section", "set team"),
        *("play here", "seat at kiosk", "enter player", "import list"),
    }
    assert refuse_all(office) == {"open game", *of_player}
    office.must("open game", box=BOX)
    event.send(event.table.throw("13446", by_hand="Hall"))
    event.wait_until(lambda state: state.list_reviews())
    event.store.put_aside("b" * 64, "Table 1", BOX).result()
    event.wait_until(lambda state: state.is_still(BOX))
    found = refuse_all(office)
    assert found == {*of_player, "close roll", "close game", "rule", "accept"}


def test_forms_of_draws_come_back_filled(office: Office) -> None:
    event = office.event
    prepare(office, TABLES)
    assert {"announce draw", "fix table", "forbid pair"} < refuse_all(office)
    office.must("announce draw", box=BOX)
    for faces in ("13446", "22356", "12345"):
        event.throw(faces)
    event.wait_until(lambda state: state.data.rounds.draft)
    assert {"announce draw", "swap"} < refuse_all(office)
    office.must("publish draw")
    event.send(event.table.throw("12345", by_hand="Hall"))
    event.wait_until(lambda state: state.list_table_concerns())
    assert {"enter result", "rule table"} < refuse_all(office)


def test_a_refusal_names_the_field_by_its_label(office: Office) -> None:
    answer = office.do("begin", **{**DUPLICATE, "name": "x" * 81})
    said = office.said(answer)
    assert said.startswith("Name of the event: expected a text of one line, 1 to 80 characters")
    assert "event.name" not in answer.text
    office.must("begin", **DUPLICATE)
    answer = office.do("penalty", player="1", points="20", reason="late")
    assert office.said(answer) == "Player: expected a player, and none has joined yet, found 1"
    for act in ("open game", "announce draw"):
        assert office.said(office.do(act)) == "Table: expected an enrolled table, found none"


def test_every_field_that_an_official_fills_has_a_label() -> None:
    """A key without one would stand in a refusal without a name."""
    keys = {
        each.name
        for kind in KINDS.values()
        if {"by", "reason"} <= {key.name for key in list_fields(kind)}
        for each in list_fields(kind)
    }
    assert keys - set(LABELS) <= {
        "cause", "source", "since", "key", "line", "trouble", "is_lifted", "is_reserve", "until_ms"
    }  # fmt: skip
