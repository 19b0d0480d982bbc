# SPDX-License-Identifier: MIT
"""The plug is pulled while people play: what they have seen is there again, and it verifies."""

from __future__ import annotations

from tests.machine.machine import Machine, MachineError
from tests.machine.scenarios.play import choose_for_all, start_game
from tests.machine.stage import Scenario, Stage, save_booted
from tests.machine.table import Table

_WRITES_MOST = 40
_FILMS = ("first", "second", "third")


def cut_power_while_playing(stage: Stage) -> str:
    cuts = [_cut_power_once(stage) for _ in range(stage.cuts)]
    cached, lost, shown = (sum(numbers) for numbers in zip(*cuts, strict=True))
    return (
        f"{stage.cuts} times, {lost} of {cached} unflushed blocks lost;"
        f" {shown} shown rolls are kept, each journal verifies"
    )


def _cut_power_once(stage: Stage) -> tuple[int, int, int]:
    """Return how many blocks were unflushed, how many of them lost, and how many rolls shown."""
    at_write = stage.rng.randint(1, _WRITES_MOST)
    with Machine(stage.build) as machine:
        machine.resume(save_booted(stage.build))
        with stage.follow(machine) as table:
            machine.cut_power_at_write(at_write)
            try:
                _play(table)
            except MachineError:
                # Nothing may fail but by the power cut.
                if not machine.wait_for_end(1):
                    raise
            cached, lost = machine.cut_power(stage.rng)
        shown = [roll for _, roll in table.rolls]
        machine.boot()
        with stage.follow(machine) as after:
            after.verify()
            kept = after.list_rolls()
            assert kept[: len(shown)] == shown, f"write {at_write}: shown {shown}, kept {kept}"
            _play_on(after)
            after.expect_no_restart()
        return cached, lost, len(shown)


def _play(table: Table) -> None:
    start_game(table)
    for film in _FILMS:
        table.throw(film)
        choose_for_all(table)


def _play_on(table: Table) -> None:
    """Go on as the table asks: in its game, or with a new one."""
    if table.view["phase"] == "lobby":
        start_game(table)
    if table.view["phase"] == "choosing":
        choose_for_all(table)
    table.throw("second" if table.rolls and table.rolls[-1][1] == "12256" else "first")


SCENARIOS = (
    Scenario("the power is cut while people play", cut_power_while_playing, is_quick=True),
)
