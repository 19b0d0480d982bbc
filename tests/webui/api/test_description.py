# SPDX-License-Identifier: MIT
"""
The real server against its description: random requests that it allows, and others that it refuses.

Schemathesis makes both from `openapi.json` and holds every answer against it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings

from controller.games.player_names import clean_line, find_line_problem
from controller.table.events import ActionRequested, GameClosed, GameStarted
from tests.support.table import throw_of
from tests.webui.api.program_table import ProgramTable
from webui.api.pages import load_openapi
from webui.server import KioskServer

schemathesis = pytest.importorskip("schemathesis", reason="make installs it")

EXAMPLES = 10
"""Requests of each kind to each address."""

DESCRIPTION = json.loads(load_openapi())
MODES = ("positive", "negative")
CASES = [
    (path, method, mode)
    for path, methods in DESCRIPTION["paths"].items()
    for method in methods
    for mode in MODES
    # A stream has no end, and nothing can be wrong in a request for the description itself.
    if path != "/events" and (path, mode) != ("/openapi.json", "negative")
]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProgramTable]:
    with ProgramTable(tmp_path_factory.mktemp("table")) as table:
        table.happen(GameStarted("dice", ("Ada", "Ben")), *throw_of("13446"))
        table.happen(ActionRequested("Ben", "dice 3"), *throw_of("346", spot=3), GameClosed())
        yield table


@pytest.fixture(scope="module")
def url(table: ProgramTable) -> Iterator[str]:
    server = KioskServer(table.app, "127.0.0.1", 0)
    server.start()
    yield f"{server.url}api/v1"
    table.runtime.loop.close()
    server.close()


def is_shown(body: object) -> bool:
    """Return whether every text shows what it holds; no pattern can say that of each character."""
    texts = body.values() if isinstance(body, dict) else ()
    return not any(
        isinstance(text, str) and find_line_problem(clean_line(text), len(text), fewest=0)
        for text in texts
    )


@pytest.mark.parametrize(("path", "method", "mode"), CASES)
def test_every_answer_is_as_described(
    table: ProgramTable, url: str, path: str, method: str, mode: str
) -> None:
    operation = schemathesis.openapi.from_dict(DESCRIPTION)[path][method]
    token = table.tokens.make_token(f"{mode} {method} {path}"[:40], ("read", "ask"))

    wanted = schemathesis.GenerationMode(mode)

    @given(operation.as_strategy(generation_mode=wanted))
    @settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))
    def ask(case: Any) -> None:
        assume(mode == "negative" or is_shown(case.body))
        table.clock.wait_s(60.0)
        case.call_and_validate(base_url=url, headers={"Authorization": f"Bearer {token}"})

    ask()
