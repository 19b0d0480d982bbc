# SPDX-License-Identifier: MIT
"""People play: buttons, throws, and kept dice."""

from __future__ import annotations

import time

from tests.machine.stage import Scenario, Stage
from tests.machine.table import Table


def start_by_button(stage: Stage) -> str:
    with stage.table() as table:
        assert table.view["phase"] == "lobby"
        start_game(table)
        table.throw("first")
        choose_for_all(table)
        begun_s = time.monotonic()
        roll = table.throw("second")["last_roll"]
        took_s = time.monotonic() - begun_s
        found = table.verify()
        return (
            f"12256, then {roll['roll']} {took_s:.1f} s after the hand went in;"
            f" {found['entries']} entries verify"
        )


def keep_dice(stage: Stage) -> str:
    with stage.table() as table:
        table.play_film("third")
        table.post(do="start", game="wuerfelspiel", players=["Ada", "Ben"], options={})
        table.wait_for("the game begins", lambda view: view["phase"] == "awaiting roll")
        table.throw("fives")
        roll = table.throw("two-again")["last_roll"]
        return f"12555, two dice thrown again: {roll['roll']}"


def start_game(table: Table) -> None:
    """Press what starts the game that the lobby offers."""
    table.play_film("empty")
    table.press_until("confirm", "a game begins", lambda view: view["phase"] == "awaiting roll")


def choose_for_all(table: Table) -> None:
    """Confirm the first choice of each player until the table waits for the next roll."""
    table.press_until(
        "confirm", "everybody has chosen", lambda view: view["phase"] == "awaiting roll"
    )


SCENARIOS = (
    Scenario("a press starts a game, a throw is read right", start_by_button, is_quick=True),
    Scenario("kept dice stay", keep_dice),
)
