# SPDX-License-Identifier: MIT
"""Jokers at a table: several on one roll, several players at once, whole games with them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.games.choice.game import CHOICE
from controller.games.choice.jokers import JOKER_POINTS, JOKERS, Jokers
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import ChoiceSheet
from controller.games.contract import ActionEvent, GameEvent
from controller.journal.records.replay import build_result, replay
from tests.controller.games.choice.positions import played, refused, sheet_of, table
from tests.controller.games.playing import NAMES, random_event

GOLDEN = Path(__file__).parents[3] / "records"


class TestSeveralJokersOnOneRoll:
    def test_a_corrector_after_a_terminator_turns_a_new_die(self) -> None:
        state = played(table(ChoiceSheet()), "Ada 13446", "Ada terminator", "Ada 22555")
        refused(state, "Ada corrector 1>2")
        state = played(state, "Ada corrector 5>2")
        assert state.required_dice("Ada") == ("2", "2", "2", "5", "5")
        assert played(state, "Ada 22255").player_dice("Ada") == ("2", "2", "2", "5", "5")

    def test_a_wrong_turn_is_told_with_the_players_own_dice(self) -> None:
        texts = ("Ada 13446", "Ada terminator", "Ada 22555", "Ada corrector 5>2")
        state = played(table(ChoiceSheet(), ChoiceSheet()), *texts)
        assert str(refused(state, "Ada 22555")) == (
            "expected a roll by Ada showing 22255, found 'roll 22555' by Ada,"
            " in choice, roll 13446, own dice 22555"
        )

    def test_a_terminator_after_a_corrector_rolls_freely(self) -> None:
        texts = ("Ada 13446", "Ada corrector 1>6", "Ada 34466", "Ada terminator", "Ada 11111")
        state = played(table(ChoiceSheet()), *texts)
        assert state.player_dice("Ada") == ("1",) * 5
        assert state.jokers_of("Ada") == ("3:1",)

    @pytest.mark.parametrize(
        "changes",
        [
            ("Ada terminator", "Ada 22555", "Ada corrector 5>2", "Ada 22255"),
            ("Ada corrector 4>1", "Ada 11346", "Ada terminator", "Ada 22255"),
        ],
    )
    def test_all_three_in_one_roll(self, changes: tuple[str, ...]) -> None:
        state = played(table(ChoiceSheet(), ChoiceSheet()), "Ada 13446", *changes, "Ada 3:1 9+5/2")
        assert state.sheet_of("Ada") == sheet_of({9: 1, 5: 1}, {2: 1})
        assert state.jokers_of("Ada") == ()
        assert state.jokers_of("Ben") == JOKERS

    @pytest.mark.parametrize("joker", ["terminator", "corrector 2>3"])
    def test_each_joker_serves_once_a_game(self, joker: str) -> None:
        state = played(table(ChoiceSheet()), "Ada 22446", f"Ada {joker}", "Ada 23446")
        refused(state, f"Ada {joker}")
        state = played(state, "Ada 5+8/6", "Ada 22446")
        refused(state, f"Ada {joker}")

    def test_a_3_to_1_serves_once_a_game(self) -> None:
        state = played(table(ChoiceSheet()), "Ada 22446", "Ada 3:1 8+4/6", "Ada 22446")
        refused(state, "Ada 3:1 8+4/6")


class TestTheOthers:
    def test_their_dice_stay_the_shared_ones(self) -> None:
        texts = ("Ada 13446", "Ada terminator", "Ada 22222", "Cleo corrector 1>2", "Cleo 23446")
        state = played(table(ChoiceSheet(), ChoiceSheet(), ChoiceSheet()), *texts)
        assert state.faces == (1, 3, 4, 4, 6)
        assert [state.player_dice(name) for name in state.players] == [
            tuple("22222"), tuple("13446"), tuple("23446"),
        ]  # fmt: skip
        state = played(state, "Ben 4+10/4")
        assert state.sheet_of("Ben") == sheet_of({4: 1, 10: 1}, {4: 1})

    def test_they_choose_and_use_jokers_while_somebody_waits(self) -> None:
        state = played(
            table(ChoiceSheet(), ChoiceSheet(), ChoiceSheet()), "Ada 13446", "Ada terminator"
        )
        state = played(state, "Ben 4+10/4", "Cleo corrector 1>2")
        assert state.expects().roll == ("Ada", "Cleo")
        assert state.expects().do == {}
        state = played(state, "Cleo 23446", "Cleo 5+10/4")
        assert state.expects().roll == ("Ada",)
        assert state.acted == ("Ben", "Cleo")

    def test_those_who_wait_stand_clockwise_from_the_roller(self) -> None:
        state = ChoiceState(NAMES[:4], (ChoiceSheet(),) * 4, roller=2, jokers=(Jokers(JOKERS),) * 4)
        texts = ("Cleo 13446", "Ben terminator", "Dora corrector 1>2", "Cleo terminator")
        state = played(state, *texts)
        assert state.expects().roll == ("Cleo", "Dora", "Ben")
        assert tuple(state.expects().do) == ("Ada",)

    def test_no_shared_roll_comes_before_all_have_acted(self) -> None:
        state = played(
            table(ChoiceSheet(), ChoiceSheet()), "Ada 13446", "Ada terminator", "Ben 4+10/4"
        )
        assert refused(state, "Ben 11111").expected == ("a roll by Ada",)
        state = played(state, "Ada 22222")
        assert refused(state, "Ben 11111").expected == ("an action by Ada",)
        state = played(state, "Ada 4+4/2")
        assert state.expects().roll == ("Ben",)
        assert state.faces == ()

    def test_the_next_shared_roll_is_everybodys_again(self) -> None:
        texts = ("Ada 13446", "Ada terminator", "Ada 22222", "Ada 4+4/2", "Ben 4+10/4")
        state = played(table(ChoiceSheet(), ChoiceSheet()), *texts, "Ben 33333")
        assert state.player_dice("Ada") == state.player_dice("Ben") == ("3",) * 5

    def test_a_roll_by_somebody_who_does_not_wait_is_refused(self) -> None:
        state = played(table(ChoiceSheet(), ChoiceSheet()), "Ada 13446", "Ada corrector 1>2")
        for name in ("Ben", "Zoe"):
            refusal = refused(state, f"{name} 23446")
            assert refusal.expected == ("a roll by Ada showing 23446", "an action by Ben")

    @pytest.mark.parametrize("action", ["4+10/4", "terminator", "corrector 1>2", "3:1 8+4/6"])
    def test_an_action_by_somebody_who_waits_is_refused(self, action: str) -> None:
        state = played(table(ChoiceSheet(), ChoiceSheet()), "Ada 13446", "Ada terminator")
        assert refused(state, f"Ada {action}").expected == ("a roll by Ada", "an action by Ben")

    @pytest.mark.parametrize("action", ["terminator", "corrector 1>2", "3:1 8+4/6"])
    def test_a_joker_comes_too_late_after_the_choice(self, action: str) -> None:
        state = played(table(ChoiceSheet(), ChoiceSheet()), "Ada 13446", "Ada 4+10/4")
        assert refused(state, f"Ada {action}").expected == ("an action by Ben",)

    @pytest.mark.parametrize("action", ["terminator", "corrector 1>2", "3:1 8+4/6"])
    def test_no_joker_before_a_roll(self, action: str) -> None:
        assert refused(table(ChoiceSheet()), f"Ada {action}").expected == ("a roll by Ada",)

    def test_one_who_has_finished_uses_no_joker(self) -> None:
        state = played(table(ChoiceSheet(), sheet_of({}, {1: 8})), "Ada 13446")
        assert refused(state, "Ben terminator").expected == ("an action by Ada",)
        assert state.legal_actions("Ben") == state.player_dice("Ben") == ()


class TestGoldenRecords:
    def test_several_wait_at_once_on_one_roll(self) -> None:
        with (GOLDEN / "choice-jokers-waiting.jsonl").open("rb") as lines:
            found = json.loads(json.dumps(build_result("waiting", replay(lines))))
        sums = {name: sheet["sums"] for name, sheet in found["sheets"].items()}
        marks = {name: {k: n for k, n in counts.items() if n} for name, counts in sums.items()}
        assert marks == {"Ada": {"4": 1, "8": 1}, "Ben": {"6": 2}, "Cleo": {"5": 1, "11": 1}}
        assert [sheet["jokers"] for sheet in found["sheets"].values()] == [
            ["terminator", "corrector", "3:1"], ["terminator"], [],
        ]  # fmt: skip
        assert found["totals"] == {"Ada": -100, "Ben": -100, "Cleo": -400}
        correctors = [f"corrector 3>{new}" for new in (1, 2, 4, 5, 6)]
        assert found["expects"] == {
            "roll": [],
            "do": {
                "Ben": ["6+6/3", "terminator"],
                "Cleo": ["6+6/3"],
                "Ada": ["6+6/3", "3:1 9+3/3", "terminator", *correctors],
            },
        }

    def test_three_players_play_to_the_end_with_some_jokers_left(self) -> None:
        with (GOLDEN / "choice-jokers-three-players.jsonl").open("rb") as lines:
            found = build_result("three", replay(lines))
        assert found["finished"] is True
        assert found["totals"] == {"Ada": -380, "Ben": -660, "Cleo": -130}
        assert (found["winners"], found["losers"]) == (("Cleo",), ("Ada", "Ben"))


def random_states(players: int, seed: int) -> Iterator[tuple[ChoiceState, GameEvent, ChoiceState]]:
    dice = random.Random(seed)
    state = CHOICE.start(NAMES[:players], {"jokers": True})
    while state.outcome() is None:
        happened = random_event(CHOICE, state, dice)
        after = state.apply(happened)
        yield state, happened, after
        state = after


class TestRandomGames:
    """Each game is played once, and everything that holds in all of them is looked for in it."""

    @settings(max_examples=25)
    @given(st.integers(1, 4), st.integers(0, 2**32))
    def test_what_holds_in_every_game_with_jokers(self, players: int, seed: int) -> None:
        steps = [*random_states(players, seed)]
        states = [state for state, _, _ in steps]
        for state, happened, after in steps:
            everybody_still_in_the_game_waits_acts_or_has_acted(state)
            nobody_elses_dice_sheet_or_jokers_change(state, happened, after)
        a_total_is_what_the_marks_count_and_a_hundred_a_joker(steps[-1][2])
        an_action_is_legal_exactly_when_it_is_listed(states, seed)


def everybody_still_in_the_game_waits_acts_or_has_acted(state: ChoiceState) -> None:
    expects = state.expects()
    for name in state.players if state.faces else ():
        places = [name in expects.roll, name in expects.do, name in state.acted]
        assert sum(places) == (not state.is_finished(name) or name in state.acted)
        assert bool(state.player_dice(name)) == (name in expects.do)
        assert not state.required_dice(name) or name in expects.roll


def nobody_elses_dice_sheet_or_jokers_change(
    state: ChoiceState, happened: GameEvent, after: ChoiceState
) -> None:
    for name in set(state.players) - {happened.by}:
        assert after.sheet(name) == state.sheet(name)
        if state.faces and after.faces:
            assert after.faces == state.faces
            assert after.player_dice(name) == state.player_dice(name)


def a_total_is_what_the_marks_count_and_a_hundred_a_joker(end: ChoiceState) -> None:
    for name, total in end.totals().items():
        left = end.jokers_of(name)
        assert total == end.sheet_of(name).score().total + JOKER_POINTS * len(left)
        assert left == tuple(joker for joker in JOKERS if joker in left)


def an_action_is_legal_exactly_when_it_is_listed(states: list[ChoiceState], seed: int) -> None:
    asked = {text for state in states for name in state.players
             for text in state.legal_actions(name)}  # fmt: skip
    for state in random.Random(seed).sample(states, min(8, len(states))):
        for name in state.players:
            legal = state.legal_actions(name)
            for text in asked:
                if text in legal:
                    state.apply(ActionEvent(name, text))
                else:
                    refused(state, f"{name} {text}")
