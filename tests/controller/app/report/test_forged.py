# SPDX-License-Identifier: MIT
"""A journal that somebody made up is told as far as it goes, or refused; it breaks no report."""

from __future__ import annotations

import random
from datetime import UTC
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from controller.app.report.making import report_of
from controller.app.report.page import page_of
from controller.errors import InputError
from controller.games import GAMES
from controller.table.effects import Body, Value
from tests.support.random_journal import RandomGame, WrittenJournal

JUNK: tuple[Value, ...] = (None, True, -1, 10**20, "", "<b>", (), (1, "x"), {"x_mpx": "a"}, "13446")


def forged(body: Body, chance: random.Random) -> Body:
    """Return a body with one of its values, or of its first die's, gone or another one."""
    lie = body.get("lie")
    if isinstance(lie, list) and lie and chance.random() < 0.4:
        return {**body, "lie": [forged(lie[0], chance), *lie[1:]]}
    key = chance.choice(sorted(body))
    others = {name: value for name, value in body.items() if name != key}
    return others if chance.random() < 0.2 else {**others, key: chance.choice(JUNK)}


@settings(
    deadline=None, max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(game=st.sampled_from(sorted(GAMES)), seed=st.integers(0))
@example(game="wuerfelspiel", seed=1629).via("a die's origin was an object")
def test_whatever_stands_in_it(tmp_path: Path, game: str, seed: int) -> None:
    chance, honest, journal = random.Random(seed), WrittenJournal(), WrittenJournal()
    honest.add("genesis", {"format": 2})
    RandomGame(honest, game, seed=seed, mischief=0.5).play(6)
    for entry in honest.entries:
        is_forged = entry.body and chance.random() < 0.15
        journal.add(entry.kind, forged(entry.body, chance) if is_forged else entry.body)
    journal.write(tmp_path)
    try:
        told = report_of(tmp_path, None, now_ms=0, zone=UTC, made_by="dicebell 1.2")
    except InputError:
        return
    assert page_of(told).endswith("</html>")
