# SPDX-License-Identifier: MIT
"""Opponents at the table: when they choose, who acts for them, and what an undo takes back."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from controller.coach import coaches
from controller.coach.chances import ROLLS
from controller.coach.opponent import GRADES
from controller.games.dice import roll_text
from controller.table import events as on
from controller.table.decisions import decide_action, find_due_opponent
from controller.table.events import Key
from controller.table.journal_entries import restore_from_journal
from controller.table.state import Phase, TableState, require_game
from tests.support.opponent_table import OpponentTable, findings_of, give_coaches, played
from tests.support.table import BACK, CONFIRM, LEFT, RIGHT, lobby_of, play, view

GAMES_WITH_OPPONENTS = ("choice", "wuerfelspiel", "black-n-white")
FIND_COACH = coaches.find_coach


@pytest.fixture(autouse=True)
def all_games_have_coaches(monkeypatch: pytest.MonkeyPatch) -> None:
    give_coaches(monkeypatch)


class TestTurns:
    def test_opponents_choose_after_all_people(self) -> None:
        """Who chooses later from the same roll would see how a good player chooses."""
        table = OpponentTable()
        table.start("choice", "Pia", "Ada", "Ben")
        table.throw("13446")
        assert find_due_opponent(table.state) is None
        table.do(CONFIRM)
        assert (table.answer(), table.state.chooser) == ("", "Ben")
        table.do(CONFIRM)
        assert table.answer()
        assert table.state.phase is Phase.AWAITING_ROLL

    @pytest.mark.parametrize("game", GAMES_WITH_OPPONENTS)
    def test_a_game_goes_on_by_opponents_and_people(self, game: str) -> None:
        table = played(game, "Ada", "Pia", "Paul", steps=100)
        acted = {str(one.body["by"]) for one in table.journal.entries if one.kind == "action"}
        assert acted == {"Ada", "Pia", "Paul"}
        assert findings_of(table.journal.entries) == []

    def test_nobody_chooses_for_an_opponent(self) -> None:
        table = OpponentTable()
        table.start("choice", "Ada", "Pia")
        table.throw("13446")
        table.do(CONFIRM)
        shown = view(table.state)
        assert (shown["headline"], shown["choices"]) == ("Pia is choosing", [])
        assert shown["buttons"] == dict.fromkeys(("left", "right", "confirm")) | {"back": "undo"}
        action = require_game(table.state).legal_actions("Pia")[0]
        presses = (LEFT, CONFIRM, on.PlayerTapped("Pia"), on.KeyPressed(Key.CONFIRM, 2))
        assert table.do(*presses, on.KeyPressed(Key.CONFIRM, by="Pia")) == ()
        assert table.do(on.ActionRequested("Pia", action)) == ()
        assert "chooses alone" in (table.state.notice.text if table.state.notice else "")

    def test_a_choice_of_another_position_does_not_count(self) -> None:
        table = OpponentTable()
        table.start("choice", "Ada", "Pia")
        table.throw("13446")
        table.do(CONFIRM)
        event = decide_action(table.state)
        assert event is not None
        assert table.do(replace(event, position=None)) == ()
        table.do(on.UndoRequested())
        assert table.do(event) == ()

    def test_a_person_throws_for_an_opponent(self, monkeypatch: pytest.MonkeyPatch) -> None:
        # Who looks at the present total alone never throws again.
        monkeypatch.setattr(coaches, "find_coach", FIND_COACH)
        table = OpponentTable()
        table.start("wuerfelspiel", "Pia", "Ada")
        shown = view(table.state)
        assert shown["headline"] == "For Pia: throw the dice"
        assert view(table.state, "Ada")["headline"] == shown["headline"]
        table.throw("13446")
        assert table.do(on.MotionStarted()) == ()
        assert table.state.phase is Phase.CHOOSING, "hands decide nothing for an opponent"
        answers = []
        for number, faces in enumerate(map(roll_text, ROLLS[::7])):
            table = OpponentTable()
            table.start("wuerfelspiel", f"Pia {number}", "Ada", grade="beginner")
            table.throw(faces)
            answers.append(table.answer())
            if answers[-1].startswith("hold "):
                break
        assert answers[-1].startswith("hold "), "no opponent threw again"
        shown = view(table.state)
        assert f"For Pia {number}: throw the other" in shown["headline"]
        assert shown["hint"].startswith("Leave ")


class TestUndo:
    def test_an_undo_goes_back_to_the_last_choice_of_a_person(self) -> None:
        table = OpponentTable()
        table.start("choice", "Ada", "Pia", "Paul")
        table.throw("13446")
        before = table.state.play.position
        table.do(RIGHT, CONFIRM)
        answers = [table.answer(), table.answer()]
        assert (view(table.state)["undo"] or "").startswith("Ada: ")
        (undo,) = table.do(BACK)
        assert undo.body["by"] == "Ada"
        assert undo.body["undone"] == [
            {"by": name, "do": action}
            for name, action in zip(("Pia", "Paul"), answers, strict=True)
        ]
        assert table.state.play.position == before
        assert table.do(BACK) == ()
        table.do(CONFIRM)
        assert [table.answer(), table.answer()] == answers
        assert findings_of(table.journal.entries) == []

    def test_dice_thrown_for_an_opponents_joker_stay(self) -> None:
        """Its throw cannot be repeated, so only what it chose from it is undone."""
        for seed in range(300):
            table = played(
                "choice", "Ada", "Pia", steps=4 + seed % 12, seed=seed, options={"jokers": True}
            )
            if any(
                one.by == "Pia" and not hasattr(one, "action") for one in table.state.play.steps
            ):
                table.do(on.UndoRequested("Ada"))
                assert table.journal.entries[-1].kind == "undo"
                break
        else:
            pytest.fail("no opponent used a joker that needs dice")
        assert findings_of(table.journal.entries) == []


class TestRestart:
    @pytest.mark.parametrize("game", GAMES_WITH_OPPONENTS)
    def test_an_opponent_goes_on_with_the_same_choice(self, game: str) -> None:
        table, chance = OpponentTable(), random.Random(3)
        table.start(game, "Ada", "Pia")
        for _ in range(40):
            restored = restore_from_journal(TableState(), iter(table.journal.entries))
            wanted = decide_action(table.state)
            found = decide_action(restored)
            assert (found and found.action) == (wanted and wanted.action)
            table.play_on(chance)


class TestLobby:
    def test_four_buttons_seat_an_opponent_of_any_grade(self) -> None:
        state = play(lobby_of("Ada", "Ben"), on.SeatTaken(1, "Finn"))
        found = []
        for _ in GRADES:
            state = play(state, RIGHT)
            lobby = view(state)["lobby"]
            assert lobby is not None
            seat = [one for one in lobby["lines"] if one["kind"] == "seat"][1]
            found.append((seat["value"], seat["opponent"]))
        assert found == [("Pascal", grade.label) for grade in GRADES.values()]
        assert play(state, RIGHT).lobby.seats == ("Ada",)
        assert play(state, *[LEFT] * len(GRADES)).lobby.seats == ("Ada", "Finn")

    def test_a_game_with_an_opponent_says_who_it_is(self) -> None:
        table = OpponentTable()
        table.do(
            on.GamePicked("choice"),
            on.SeatTaken(0, "Ada"),
            on.SeatTaken(1, "", "master"),
            on.OptionPicked("hints", True),
        )
        (entry,) = table.do(on.StartRequested())
        assert entry.body["players"] == ["Ada", "Pascal"]
        assert entry.body["opponents"] == [
            {"name": "Pascal", "grade": "master", "t_steps": 3_000, "weights": "0" * 64}
        ]
        assert entry.body["hints"] is True
        shown = view(table.state)
        assert [one["opponent"] for one in shown["players"]] == ["", "Master"]
        assert shown["training"]
        assert table.state.setup.known_players == ("Ada",), (
            "an opponent is offered to no seat as a person"
        )

    def test_a_rematch_has_the_same_opponents(self) -> None:
        table = played("black-n-white", "Ada", "Pia", steps=900, options={"chips_per_player": 2})
        assert table.state.phase is Phase.GAME_OVER
        (entry,) = table.do(CONFIRM)
        assert entry.body["players"] == ["Pia", "Ada"]
        assert table.state.play.opponent_names == {"Pia"}

    def test_a_person_takes_the_seat_of_an_opponent(self) -> None:
        state = play(
            lobby_of("Ada", "Ben"), on.SeatTaken(1, "", "master"), on.SeatTaken(1, "Pascal")
        )
        assert (state.lobby.seats, state.lobby.grades) == (("Ada", "Pascal"), ())

    def test_an_opponent_keeps_its_seat_and_name_with_another_grade(self) -> None:
        state = play(
            lobby_of("Ada", "Ben"), on.SeatTaken(1, "", "master"), on.SeatTaken(2, "", "casual")
        )
        state = play(state, on.SeatTaken(1, "", "strong"), on.NamesChanged(frozenset({"pascal"})))
        assert state.lobby.seats == ("Ada", "Pascal", "Fermat")
        assert dict(state.lobby.grades) == {"Pascal": "strong", "Fermat": "casual"}

    def test_a_game_without_a_coach_has_no_opponents(self) -> None:
        state = play(
            lobby_of("Ada", "Ben"),
            on.SeatTaken(1, "", "master"),
            on.GamePicked("dice"),
            on.StartRequested(),
        )
        assert state.phase is Phase.LOBBY
        assert "has no opponents" in (state.notice.text if state.notice else "")
        refused = play(state, on.GamePicked("dice"), on.SeatTaken(0, "", "master")).notice
        assert refused is not None
        assert refused.kind == "refused"

    def test_a_tournament_seats_people_only(self) -> None:
        seated = on.PlayersSeated("Cup", 1, 1, "choice", (), ("Eva", "Finn"))
        state = play(TableState(), on.OptionPicked("hints", True), seated)
        assert not state.lobby.has_hints
        asked = play(state, on.SeatTaken(1, "", "master"), on.OptionPicked("hints", True))
        assert (asked.lobby.grades, asked.lobby.has_hints) == ((), False)
        shown = view(state)["lobby"]
        assert shown is not None
        assert (shown["grades"], "hints" in shown["option_values"]) == ([], False)
