# SPDX-License-Identifier: MIT
"""Other versions of the program are put into use within a game; one of them does not start."""

from __future__ import annotations

from pathlib import PurePosixPath

from tests.machine.scenarios.play import choose_for_all, start_game
from tests.machine.stage import Scenario, Stage
from tests.machine.table import Table

_VERSIONS = PurePosixPath("/opt/dicebell")
_RUN = "lib/python3*/site-packages/controller/cli/run.py"


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
        refuse_version(table)
        table.verify()
        return (
            "the game goes on with its roll, the next throw is read; a version that does not start"
            " gives way by itself"
        )


def refuse_version(table: Table) -> None:
    """The version before is spoilt; the one in use comes back, with its game."""
    before = read_versions(table)
    table.machine.run(f"sed -i '1i raise SystemExit(3)' {before[1]}/{_RUN}")
    status, change = table.machine.try_run("dicebell update --back", longest_s=300)
    assert status == 1, change
    assert change.endswith(f"In use: {before[0]}."), change
    assert read_versions(table) == before
    table.wait_for("it answers", lambda view: view["phase"] == "choosing", longest_s=120)
    # systemd counts the spoilt one's attempts.
    table.machine.run("systemctl reset-failed dicebell")


def read_versions(table: Table) -> tuple[str, str]:
    """Return the folders of the version in use and of the one before."""
    links = f"readlink --canonicalize {_VERSIONS / 'current'} {_VERSIONS / 'previous'}"
    current, previous = table.machine.run(links).splitlines()
    return current, previous


SCENARIOS = (Scenario("another version within a game", change_version),)
