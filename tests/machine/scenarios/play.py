# SPDX-License-Identifier: MIT
"""People play: buttons, throws, kept dice, doubts, corrections, and what the box's pins do."""

from __future__ import annotations

import re
import time

from tests.machine.stage import Scenario, Stage
from tests.machine.table import BUZZER, DATA, LAMPS, LIGHT, Table


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
        # As people do; an emulated processor sees too few pictures of a hand that throws at once.
        table.play_film("taken")
        table.wait_for("two dice are in the hand", lambda view: view["phase"] == "in hand")
        roll = table.throw("two-again")["last_roll"]
        return f"12555, two dice thrown again: {roll['roll']}"


def doubt_leaning_die(stage: Stage) -> str:
    with stage.table() as table:
        start_game(table)
        table.throw("first")
        choose_for_all(table)
        table.throw("second")
        choose_for_all(table)
        table.play_film("third")
        table.wait_for("it reads the roll", lambda view: view["phase"] == "choosing")
        choose_for_all(table)
        rolls = len(table.rolls)
        table.play_film("leaning")
        view = table.wait_for("it doubts the die", lambda view: bool(view["doubts"]))
        doubts = ", ".join(doubt["label"] for doubt in view["doubts"])
        assert len(table.rolls) == rolls, "a doubtful roll counts"
        return doubts


def correct_roll(stage: Stage) -> str:
    with stage.table() as table:
        start_game(table)
        roll = table.throw("first")["last_roll"]
        printed = table.machine.run(f"dicebell pin --new --data {DATA}")
        pin = re.findall(r"\d{6,}", printed)[0]
        reason = "The five was a four."
        command = {"do": "correct", "about": roll["name"], "roll": "12246", "by": "Eva", "pin": pin}
        table.post(**command, reason=reason)
        view = table.wait_for("the roll is corrected", lambda view: view["corrected"])
        assert view["last_roll"]["roll"] == "12246", view["last_roll"]
        assert view["last_roll"]["was"] == "12256", view["last_roll"]
        table.verify()
        return f"12256 corrected to {view['last_roll']['roll']}, the journal verifies"


def light_lamps(stage: Stage) -> str:
    """Lamps follow what the buttons do, in each phase; the light is on, the buzzer sounds."""
    with stage.table() as table:
        seen = [expect_lamps(table)]
        assert table.read_levels({"light": LIGHT})["light"], "the light is off"
        with table.expect_edges(BUZZER, 2):
            start_game(table)
        seen.append(expect_lamps(table))
        table.throw("first")
        seen.append(expect_lamps(table))
        table.post(do="pause")
        table.wait_for("it is paused", lambda view: view["phase"] == "paused")
        seen.append(expect_lamps(table))
        return f"{'; '.join(seen)}; the light is on, the buzzer sounds"


def start_game(table: Table) -> None:
    """Press what starts the game that the lobby offers; at a new table nobody sits yet."""
    table.play_film("empty")
    if not any(line["value"] for line in table.view["lobby"]["lines"] if line["kind"] == "seat"):
        for seat, name in enumerate(("Ada", "Ben")):
            table.post(do="seat", seat=seat, name=name)
    table.press_until("confirm", "a game begins", lambda view: view["phase"] == "awaiting roll")


def choose_for_all(table: Table) -> None:
    """Confirm the first choice of each player until the table waits for the next roll."""
    while table.view["phase"] != "awaiting roll":
        choose(table)


def choose(table: Table) -> None:
    """Confirm the first choice of the player who is asked."""
    asked = table.view["question"]
    table.press_until("confirm", "it is chosen", lambda view: view["question"] != asked)


def expect_lamps(table: Table) -> str:
    """Return the phase and its lit lamps, which are those of the buttons that do something."""
    view = table.view
    wanted = {name: view["buttons"][name] is not None for name in LAMPS}
    levels = table.wait_for_levels(LAMPS, wanted)
    lit = " ".join(name for name, is_lit in levels.items() if is_lit)
    return f"{view['phase']}: {lit or 'none'}"


SCENARIOS = (
    Scenario("a press starts a game, a throw is read right", start_by_button),
    Scenario("kept dice stay", keep_dice),
    Scenario("a leaning die is doubted", doubt_leaning_die),
    Scenario("an official corrects a roll", correct_roll),
    Scenario("lamps, light and buzzer", light_lamps),
)
