# SPDX-License-Identifier: MIT
"""Another version of the program is put into use within a game."""

from __future__ import annotations

from pathlib import PurePosixPath

from tests.machine.scenarios.play import choose_for_all, start_game
from tests.machine.stage import Scenario, Stage
from tests.machine.table import Table

_VERSIONS = PurePosixPath("/opt/dicebell")


def change_version(stage: Stage) -> str:
    """The machine has no network, so both versions are on its disk already."""
    with stage.table() as table:
        start_game(table)
        table.throw("first")
        current, previous = read_versions(table)
        change = table.machine.run("dicebell update --back", longest_s=300)
        assert change.endswith(f"In use: {previous}."), change
        assert read_versions(table) == (previous, current)
        table.wait_for("it answers", lambda view: view["phase"] == "choosing", longest_s=120)
        table.wait_until_watched()
        choose_for_all(table)
        table.throw("second")
        assert table.list_rolls() == ["12256", "13344"], table.list_rolls()
        table.verify()
        return "the game goes on with its roll, the next throw is read"


def read_versions(table: Table) -> tuple[str, str]:
    """Return the folders of the version in use and of the one before."""
    links = f"readlink --canonicalize {_VERSIONS / 'current'} {_VERSIONS / 'previous'}"
    current, previous = table.machine.run(links).splitlines()
    return current, previous


SCENARIOS = (Scenario("another version within a game", change_version),)
