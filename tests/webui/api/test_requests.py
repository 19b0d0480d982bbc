# SPDX-License-Identifier: MIT
"""A request for dice that nobody answers, and one whose answer is shown, end with time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.integrations.api.request_timer import SHOWN_S
from controller.table.events import DeviceBack, DeviceLost
from controller.table.state import Phase
from tests.support.table import throw_of
from tests.webui.api.program_table import REQUEST_S, ProgramTable

ASKED = {"dice": 3, "for": "Zoe", "why": "The dragon wakes."}


@pytest.fixture
def table(tmp_path: Path) -> Iterator[ProgramTable]:
    with ProgramTable(tmp_path) as table:
        yield table


def ask(table: ProgramTable, token: str) -> int:
    answer = table.call("/requests", token, method="POST", body=ASKED)
    assert answer.json is not None
    return int(answer.json["id"])


def read(table: ProgramTable, token: str, number: int) -> dict[str, Any]:
    answer = table.call(f"/requests/{number}", token)
    assert answer.json is not None
    return dict(answer.json)


def phase_of(table: ProgramTable) -> Phase:
    return table.runtime.loop.state.phase


def test_a_request_without_dice_expires(table: ProgramTable) -> None:
    token = table.tokens.make_token("Dungeon", ("ask",))
    number = ask(table, token)
    table.pass_time(REQUEST_S - 1.0)
    assert read(table, token, number)["state"] == "open"
    table.pass_time(1.0)
    found = read(table, token, number)
    assert (found["state"], found["answer"]) == ("expired", None)
    assert phase_of(table) is Phase.LOBBY
    second = ask(table, token)
    table.pass_time(REQUEST_S - 1.0)
    assert read(table, token, second)["state"] == "open", "it has its own time"


def test_a_restart_begins_the_time_again(tmp_path: Path) -> None:
    with ProgramTable(tmp_path) as table:
        token = table.tokens.make_token("Dungeon", ("ask",))
        number = ask(table, token)
        table.pass_time(REQUEST_S - 1.0)
    with ProgramTable(tmp_path) as again:
        again.pass_time(REQUEST_S - 1.0)
        assert read(again, token, number)["state"] == "open"
        again.pass_time(1.0)
        assert read(again, token, number)["state"] == "expired"


def test_a_fault_delays_the_end(table: ProgramTable) -> None:
    """A camera that is gone refuses everything; the request ends once it is back."""
    token = table.tokens.make_token("Dungeon", ("ask",))
    number = ask(table, token)
    table.happen(DeviceLost("camera", "it is gone", "plug it in"))
    table.pass_time(REQUEST_S + 1.0)
    assert (phase_of(table), read(table, token, number)["state"]) == (Phase.FAULT, "open")
    table.happen(DeviceBack("camera"))
    table.pass_time(1.0)
    assert read(table, token, number)["state"] == "expired"


def test_an_answer_leaves_the_screens_after_a_while(table: ProgramTable) -> None:
    token = table.tokens.make_token("Dungeon", ("ask",))
    number = ask(table, token)
    table.pass_time(REQUEST_S - 1.0)
    table.happen(*throw_of("346", spot=5))
    table.pass_time(SHOWN_S - 1.0)
    assert phase_of(table) is Phase.GAME_OVER, "the answer has its own time"
    table.pass_time(1.0)
    assert phase_of(table) is Phase.LOBBY
    assert read(table, token, number)["answer"]["faces"] == [3, 4, 6]
    kinds = [entry.kind for entry in table.runtime.entries.read_from(number)]
    assert kinds == ["request", "answer", "checkpoint"], "the end is no entry, but it is signed"
