# SPDX-License-Identifier: MIT
"""What the screen says while a tournament has a part for the table, and what it leaves out."""

from __future__ import annotations

import pytest

from controller.table import events as on
from controller.table.events import PartChanged, PlayersSeated
from controller.table.state import Phase, TableState
from tests.support.table import CONFIRM, LEFT, notice_of, play, table, throw_of, view

RESULT = "https://cup.example.org/result"
ROUND = PlayersSeated("Autumn cup", 1, 1, "choice", (), ("Ada", "Ben"))


def part(state: str, number: int = 1) -> PartChanged:
    return PartChanged(state, "Autumn cup", number, 3, 1, RESULT)


def dealing() -> TableState:
    return play(table("Hall", game="dice"), on.DealingChanged(True), part("deals"))


def seated() -> TableState:
    return play(TableState(), ROUND, part("seated"))


def said(state: TableState) -> tuple[str, str]:
    shown = view(state)
    return shown["headline"], shown["hint"]


def named(state: TableState) -> tuple[str, str]:
    shown = view(state)
    return shown["title"], shown["progress"]


@pytest.mark.parametrize(
    ("state", "headline", "hint"),
    [
        ("before", "Wait for the draw", "The draw says who sits here."),
        ("played", "Round 2 is played", "What comes next appears here."),
        ("free", "Round 2: this table is free", "What comes next appears here."),
        ("over", "The event is over", f"The result: {RESULT}"),
    ],
)
def test_the_lobby_says_where_the_event_stands(state: str, headline: str, hint: str) -> None:
    shown = said(play(TableState(), part(state, 2)))
    assert shown[0] == headline
    assert shown[1].startswith(f"Autumn cup: {hint}")


def test_a_table_without_a_part_says_nothing_of_events() -> None:
    left = play(TableState(), part("free"), PartChanged())
    assert view(left) == view(TableState())


def test_a_game_of_a_round_names_event_round_and_table() -> None:
    assert said(seated())[0] == "Table 1: Ada and Ben"
    running = play(seated(), CONFIRM, *throw_of("13446"))
    assert named(running) == ("Autumn cup", "Round 1 of 3, table 1")
    assert view(running)["players"][0]["heading"] == ""
    paused = play(running, on.PauseRequested())
    assert named(paused) == ("Autumn cup", "Round 1 of 3, table 1")
    assert not view(paused)["may_count"]


def test_the_game_after_a_round_is_the_players_own() -> None:
    state, spot = play(seated(), CONFIRM), 0
    while state.phase is not Phase.GAME_OVER:
        if state.phase is Phase.AWAITING_ROLL:
            spot += 1
            state = play(state, *throw_of("11111", spot=spot))
        state = play(state, CONFIRM)
    assert named(state) == ("Autumn cup", "Round 1 of 3, table 1")
    over = play(state, part("played"))
    assert said(over)[0] == "Round 1 is played"
    assert named(play(over, CONFIRM))[0] == "Choice"


def test_a_table_that_deals_is_named_and_offers_only_throws() -> None:
    before = dealing()
    assert named(before) == ("Autumn cup", "Game 1 of 3")
    assert view(before)["players"][0]["heading"] == "Table 1"
    assert view(before)["joiners"] is None
    after = play(before, *throw_of("13446"))
    shown = view(after)
    assert said(after) == ("All players choose", "Throw again when all have chosen.")
    assert [choice["kind"] for choice in shown["choices"]] == ["throw"]
    assert shown["buttons"]["left"] is None
    counts = "This game counts in a tournament."
    refused = (on.GameCounted(), on.PlayerJoined("Zoe"), on.ActionRequested("Hall", "dice 4"))
    assert [notice_of(play(after, event)).text for event in refused] == [counts] * 3
    assert len(view(play(before, LEFT))["polarities"]) == 5


def test_a_table_that_draws_says_what_for() -> None:
    drawing = play(dealing(), part("draws"))
    assert named(drawing) == ("Autumn cup", "Draw of round 1")
    assert said(drawing)[1] == "The rolls decide who sits where."
    assert said(play(drawing, *throw_of("13446")))[0] == "Throw again"


def test_a_dealt_game_waits_for_the_next_and_the_result() -> None:
    thrown = play(dealing(), *throw_of("13446"), on.DealingChanged(False))
    assert said(play(thrown, part("dealt"))) == ("Game 1 is over", "The next game appears here.")
    last = play(thrown, part("dealt", 3))
    assert said(last) == ("Game 3 is over", "What comes next appears here.")
    assert not view(last)["may_count"]
    assert (view(last)["choices"], view(last)["buttons"]["confirm"]) == ([], None)
    assert (play(last, CONFIRM).phase, play(last, CONFIRM).notice) == (last.phase, None)
    over = play(last, part("over", 3), part("over", 3))
    assert said(over) == ("The event is over", f"The result: {RESULT}")
    assert view(over)["joiners"] is None
    start = on.GameStarted("dice", ("Zoe",), {"dice": 5})
    own = play(TableState(), part("deals"), part("over"), start)
    assert view(own)["joiners"] is not None
    assert named(own)[0] == "Just dice"


def test_a_game_beyond_those_of_the_event_is_a_play_off() -> None:
    deals = play(dealing(), part("deals", 4), *throw_of("13446"))
    assert named(deals) == ("Autumn cup", "Play-off")
    dealt = play(deals, on.DealingChanged(False), part("dealt", 4))
    assert said(dealt)[0] == "The play-off is over"


def test_a_table_of_an_older_desk_still_deals() -> None:
    """An older desk says only that the table deals."""
    state = play(table("Hall", game="dice"), on.DealingChanged(True), *throw_of("13446"))
    assert said(state)[0] == "All players choose"
    assert named(state)[0] == "Just dice"
    assert view(state)["players"][0]["heading"] == ""
    assert view(state)["joiners"] is None
