# SPDX-License-Identifier: MIT
"""A journalled game as a record: replayed it leads to where the table stood, whatever happened."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.base.errors import InputError
from controller.games.contract import ActionEvent, Options, RollEvent
from controller.journal.hashchain import Body, Entry
from controller.journal.records.from_journal import (
    JournalGame,
    JournalGames,
    export_record,
    select_game,
)
from controller.journal.records.replay import replay
from controller.table.state import TableState
from tests.support.random_journal import PLAYED, RandomGame, WrittenJournal
from tests.support.table import any_event, journalled


def only_game(*entries: tuple[str, Body]) -> JournalGame:
    journal = WrittenJournal()
    journal.add("genesis")
    journal.add("game", {"game": "choice", "players": ["Ada", "Ben"], "options": {}})
    for kind, body in entries:
        journal.add(kind, body)
    (game,) = JournalGames(journal.entries)
    return game


def roll(faces: str, *, held: str = "") -> tuple[str, Body]:
    return "roll", {"by": "Ada", "held": held, "roll": faces, "by_hand": "", "lie": []}


def action(by: str, do: str) -> tuple[str, Body]:
    return "action", {"by": by, "do": do}


def undo(by: str, do: str) -> tuple[str, Body]:
    return "undo", {"by": by, "do": do}


def correction(was: str, faces: str, *undone: tuple[str, str]) -> tuple[str, Body]:
    taken = [{"by": by, "do": do} for by, do in undone]
    return "correction", {"by": "Ref", "was": was, "roll": faces, "undone": taken}


def refusal(game: JournalGame) -> str:
    with pytest.raises(InputError) as refused:
        export_record(game)
    return str(refused.value)


class TestReplayed:
    @pytest.mark.parametrize(("game", "options"), PLAYED)
    def test_finished_games_lead_to_the_journalled_result(
        self, game: str, options: Options
    ) -> None:
        happened: Counter[str] = Counter()
        for seed in range(6):
            journal = WrittenJournal()
            journal.add("genesis")
            played = RandomGame(journal, game, options=options, players=2 + seed % 2, seed=seed)
            end = played.play()
            (found,) = JournalGames(journal.entries)
            replayed = replay(export_record(found).encode().splitlines(keepends=True))
            assert replayed.state == end
            assert found.result is not None
            assert found.result["totals"] == end.totals()
            happened.update(played.happened)
        assert happened["undo"] > 0
        assert happened["correction"] > 0

    @settings(max_examples=40)
    @given(kind=st.sampled_from(PLAYED), events=st.integers(0, 40), seed=st.integers(0))
    def test_a_game_may_be_exported_at_any_moment(
        self, kind: tuple[str, Options], events: int, seed: int
    ) -> None:
        journal = WrittenJournal()
        played = RandomGame(journal, kind[0], options=kind[1], seed=seed, mischief=0.5)
        end = played.play(events)
        (found,) = JournalGames(journal.entries)
        replayed = replay(export_record(found).encode().splitlines(keepends=True))
        assert replayed.state == end

    @settings(max_examples=20)
    @given(seed=st.integers(min_value=0))
    def test_what_a_real_table_journals_is_understood(self, seed: int) -> None:
        chance = random.Random(seed)
        state, journal = TableState(), WrittenJournal()
        for _ in range(80):
            state, effects = journalled(state, any_event(state, chance))
            for effect in effects:
                journal.add(effect.kind, effect.body)
        games = JournalGames(journal.entries)
        ends = [replay(export_record(game).encode().splitlines(keepends=True)) for game in games]
        if state.play.position is not None:
            assert ends[-1].state == state.play.position


class TestEvents:
    def test_what_was_taken_back_does_not_appear(self) -> None:
        game = only_game(
            roll("13446"), action("Ada", "4+10/4"), undo("Ada", "4+10/4"), action("Ada", "5+7/6")
        )
        assert game.events() == (RollEvent("Ada", "13446"), ActionEvent("Ada", "5+7/6"))

    def test_a_corrected_roll_drops_what_followed(self) -> None:
        game = only_game(
            roll("13446"), action("Ada", "4+10/4"), correction("13446", "13456", ("Ada", "4+10/4"))
        )
        assert game.events() == (RollEvent("Ada", "13456", by_hand="Ref"),)

    def test_a_roll_that_was_corrected_twice_has_the_last_faces(self) -> None:
        game = only_game(roll("11111"), correction("11111", "22222"), correction("22222", "33333"))
        assert game.events() == (RollEvent("Ada", "33333", by_hand="Ref"),)

    def test_an_inferred_hold_is_an_action_before_the_roll(self) -> None:
        game = only_game(roll("11111", held="hold 11"))
        assert game.events() == (ActionEvent("Ada", "hold 11"), RollEvent("Ada", "11111"))

    def test_readings_reviews_and_checkpoints_are_no_events(self) -> None:
        kinds = ("reading", "review", "reviewed", "checkpoint", "key", "deleted", "pause", "closed")
        game = only_game(roll("13446"), *((kind, {}) for kind in kinds))
        assert game.events() == (RollEvent("Ada", "13446"),)


class TestRefused:
    def test_an_undo_of_what_nobody_did(self) -> None:
        text = refusal(only_game(roll("13446"), undo("Ada", "4+10/4")))
        assert text == "entry 3: expected the undo of the last action, found 'undo'"

    def test_a_correction_of_another_roll(self) -> None:
        game = only_game(roll("13446"), correction("13445", "13456"))
        assert "entry 3: expected a correction of the last roll" in refusal(game)

    def test_a_correction_that_forgets_an_action(self) -> None:
        game = only_game(roll("13446"), action("Ada", "4+10/4"), correction("13446", "13456"))
        assert "expected 1 undone actions" in refusal(game)

    def test_what_the_rules_do_not_allow(self) -> None:
        text = refusal(only_game(roll("13446"), action("Ada", "6+6/6")))
        assert text.startswith("game 1 as a record, line 3: expected")

    def test_a_result_that_does_not_follow(self) -> None:
        wrong: Body = {"totals": {"Ada": 5, "Ben": 0}, "winners": ["Ada"], "losers": []}
        kind, body = roll("13446")
        game = only_game((kind, {**body, "result": wrong}))
        assert "expected Ada 5, Ben 0, won by Ada, as journalled" in refusal(game)


class TestPicked:
    def journal(self, count: int) -> list[Entry]:
        journal = WrittenJournal()
        for seed in range(count):
            RandomGame(journal, "choice", seed=seed).play(4)
            journal.add("closed")
        return journal.entries

    def test_the_last_game_is_meant_where_nobody_names_one(self) -> None:
        assert select_game(JournalGames(self.journal(3)), None).number == 3

    @pytest.mark.parametrize("number", [0, 3])
    def test_a_wrong_number_is_told_with_the_games_that_are_there(self, number: int) -> None:
        with pytest.raises(InputError) as refused:
            select_game(JournalGames(self.journal(2)), number)
        games = "1: choice of Ada, Ben, unfinished; 2: choice of Ada, Ben, unfinished"
        expected = f"--game: expected a game from 1 to 2 ({games}), found {number}"
        assert str(refused.value) == expected

    def test_of_many_games_the_last_are_named(self) -> None:
        with pytest.raises(InputError) as refused:
            select_game(JournalGames(self.journal(15)), 99)
        assert "from 1 to 15 (..., 4: choice" in str(refused.value)

    def test_a_journal_without_a_game_has_none_to_give(self) -> None:
        journal = WrittenJournal()
        journal.add("genesis")
        assert len(JournalGames(journal.entries)) == len(JournalGames(())) == 0
        with pytest.raises(InputError, match="a journal with a game"):
            select_game((), None)
