# SPDX-License-Identifier: MIT
"""What the history says of dice: each set for itself, single dice, and what does not count."""

from __future__ import annotations

import random
import re

import pytest

from controller.history.history import TableHistory
from tests.controller.history.fairness.kept_dice import DICE, KeepingTable
from tests.support.history_pages import PlayedTable
from tests.webui.visitors import LAPTOP, Visitor


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Visitor:
    """Return who reads of a bad black die in the first set, and of good dice in the second."""
    folder = tmp_path_factory.mktemp("table") / "data"
    chance = random.Random(1)
    table = KeepingTable(
        lambda number: 1 if number == DICE - 1 and chance.random() < 0.4 else chance.randint(1, 6),
        by_hand=lambda number: number == 5,
    )
    table.play(games=3)
    table.journal.add("dice_set", {"name": "<i>Casino</i>"})
    table.throw = lambda number: chance.randint(1, 6)
    table.play(games=2)
    table.journal.write(folder)
    history = TableHistory(folder)
    history.index.catch_up()
    played = PlayedTable(folder, history, (), {})
    return Visitor(played.app(), LAPTOP, is_own=False)


def read_text(visitor: Visitor, address: str) -> str:
    answer = visitor.get(address)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.text))


def test_each_set_stands_for_itself_and_the_newest_first(visitor: Visitor) -> None:
    page = read_text(visitor, "/history/players")
    casino, first = page.index("&lt;i&gt;Casino&lt;/i&gt; since"), page.index("The first dice")
    assert casino < first
    said_of_casino, said_of_first = page[casino:first], page[first:]
    assert said_of_casino.count("Nothing against") == 2
    assert re.search(r"The black die: The 1 comes too often: 1 in \d\.\d", said_of_first)


def test_what_does_not_count_is_named(visitor: Visitor) -> None:
    page = read_text(visitor, "/history/player?name=Ada")
    assert re.search(r"Not counted: \d dice that were doubted or entered by hand\.", page)


def test_dice_are_judged_in_german_too(visitor: Visitor) -> None:
    page = read_text(visitor, "/history/players?language=de")
    assert "Der schwarze Würfel: Nichts spricht gegen diesen Würfel, nach " in page
    assert "Die ersten Würfel" in page
    assert "die angezweifelt oder von Hand eingegeben wurden" in page
