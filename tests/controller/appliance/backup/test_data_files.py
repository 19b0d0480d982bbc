# SPDX-License-Identifier: MIT
"""Every file that the program writes into a data folder has a rule, with its reason."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.appliance.backup.data_files import (
    RULES,
    Handling,
    find_rule,
    is_archived,
    was_archived,
)
from tests.controller.conftest import Dicebell

ROOT = Path(__file__).parents[4]
OTHER_FOLDERS = (
    *("controller/cli/bench_reader", "controller/coach", "controller/tournament/archive"),
    *("controller/tournament/results", "controller/appliance/updates"),
    *(
        "controller/appliance/doctor/checks/network.py",
        "controller/appliance/backup",
        "controller/cli/demo.py",
    ),
)
"""Modules that also name other folders than a table's: archives, versions, public pages, a desk."""


def find_named_files() -> Iterator[tuple[str, str]]:
    """Yield module and name of each `folder / NAME` and `folder / "name"` of the controller."""
    for path in sorted((ROOT / "controller").rglob("*.py")):
        module = path.relative_to(ROOT).as_posix()
        if module.startswith(OTHER_FOLDERS):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)):
                continue
            if not ast.unparse(node.left).endswith(("folder", "data")):
                continue
            if isinstance(node.right, ast.Name) and node.right.id.isupper():
                loaded = importlib.import_module(module.removesuffix(".py").replace("/", "."))
                yield module, getattr(loaded, node.right.id)
            elif isinstance(node.right, ast.Constant) and isinstance(node.right.value, str):
                yield module, node.right.value


def test_every_file_of_the_data_folder_has_a_rule() -> None:
    found = list(find_named_files())
    assert {name for _, name in found} >= {"journal.jsonl", "tournament.json", "seats.json"}
    assert [each for each in found if each[1] not in RULES] == []


def test_a_played_table_leaves_only_files_with_a_rule(dicebell: Dicebell, tmp_path: Path) -> None:
    # With one chip each, this seed ends the game after eight rolls.
    game = ("--game", "black-n-white", "--option", "chips_per_player=1", "--seed", "3")
    arguments = ["demo", "--autoplay", "1", "--no-web", *game]
    assert dicebell(*arguments, "--data", str(tmp_path / "data")).status == 0
    names = {path.name for path in (tmp_path / "data").iterdir()}
    assert names >= {"journal.jsonl", "pictures", "table.key"}
    assert names - RULES.keys() == set()


def test_every_rule_has_a_reason() -> None:
    assert all(rule.why for rule in RULES.values())


@pytest.mark.parametrize(
    ("name", "handling"),
    [
        ("journal.jsonl", Handling.GAMES),
        ("pictures/ab/cd.jpg", Handling.GAMES),
        ("people.json", Handling.GAMES),
        ("settings.toml", Handling.MACHINE),
        ("calibration.json", Handling.MACHINE),
        ("tournament.json", Handling.STAYS),
        ("table.key", Handling.STAYS),
        ("old/table.key", Handling.STAYS),
        ("old/journal.jsonl", Handling.MACHINE),
        ("journal.jsonl/pictures", Handling.MACHINE),
        ("pictures/table.signed", Handling.STAYS),
        ("events/2/event.sqlite", Handling.MACHINE),
        ("events/2/table.key", Handling.STAYS),
        ("history.db-wal", Handling.MADE_AGAIN),
        ("invented.json", Handling.MACHINE),
    ],
)
def test_what_becomes_of_a_file(name: str, handling: Handling) -> None:
    assert find_rule(name).handling is handling
    assert is_archived(name) is (handling in (Handling.GAMES, Handling.MACHINE))


def test_backups_of_earlier_versions_are_read() -> None:
    assert {name for name in RULES if was_archived(name) and not is_archived(name)} == {
        *("tournament.json", "tournament.seen", "seats.json", "table.pub")
    }
