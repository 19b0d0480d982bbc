# SPDX-License-Identifier: MIT
"""Panels of the players' own: each decides for its player, and only when that player may."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.base.settings.choices import Confirm
from controller.table.choosing import step_cursor
from controller.table.events import (
    PLACED,
    ActionRequested,
    ButtonReleased,
    ButtonStuck,
    ChoiceTapped,
    DieTapped,
    Event,
    GameClosed,
    GameStarted,
    Key,
    KeyPressed,
    MotionStarted,
    PauseRequested,
    ResumeRequested,
    UndoRequested,
)
from controller.table.machine import step
from controller.table.state import Phase, TableState, require_game
from tests.support.table import (
    CONFIRM,
    RIGHT,
    finished_table,
    journalled,
    play,
    rest_of,
    rolled_table,
    table,
    throw_of,
    thrown,
)

ADA, BEN, CLEO, NOBODY = 1, 2, 3, 4


def on(panel: int, key: Key = Key.CONFIRM) -> KeyPressed:
    return KeyPressed(key, panel)


def hint(state: TableState) -> str:
    """What the table says to whoever pressed."""
    return state.notice.text if state.notice and state.notice.kind == "info" else ""


def three() -> TableState:
    """A roll of Choice from which Ada, Ben and Cleo choose at the same time."""
    return rolled_table("13446", "Ada", "Ben", "Cleo")


def written(faces: str = "13446") -> TableState:
    """A roll of Ada's where one player after the other is on; a cell is selected."""
    return play(table("Ada", "Ben", game="wuerfelspiel"), *throw_of(faces), ChoiceTapped(0))


class TestOneAfterTheOther:
    def test_the_panel_of_whose_turn_it_is_moves_and_confirms(self) -> None:
        state = play(written(), on(ADA, Key.RIGHT))
        before = written()
        assert (
            state.screen.cursor
            == step_cursor(before, Key.RIGHT).screen.cursor
            != before.screen.cursor
        )
        after = play(state, on(ADA))
        assert len(after.play.undoable) == 1
        assert after == play(state, CONFIRM)

    @pytest.mark.parametrize("key", [Key.LEFT, Key.RIGHT, Key.CONFIRM])
    def test_another_players_panel_only_says_whose_turn_it_is(self, key: Key) -> None:
        state = written()
        after, effects = journalled(state, on(BEN, key))
        assert after.play.position == state.play.position
        assert (after.screen.cursor, effects) == (state.screen.cursor, ())
        assert hint(after) == "It is Ada's turn."

    def test_a_hint_that_stands_there_already_is_no_news(self) -> None:
        state = play(written(), on(BEN))
        assert step(state, on(BEN)) == (state, ())
        assert play(state, on(BEN)) is state

    def test_the_hint_goes_with_the_next_press_that_counts(self) -> None:
        assert play(written(), on(BEN), on(ADA, Key.RIGHT)).notice is None

    def test_a_panel_at_which_nobody_plays_is_not_obeyed(self) -> None:
        after = play(written(), on(NOBODY))
        assert after.play.position == written().play.position
        assert hint(after) == "No player sits at panel 4."

    def test_a_reading_is_confirmed_by_whose_roll_it_is(self) -> None:
        state = play(table(confirm=Confirm.BUTTON), *throw_of("13446"))
        assert state.phase is Phase.READING
        assert hint(play(state, on(BEN))) == "It is Ada's turn."
        assert play(state, on(BEN)).phase is Phase.READING
        assert play(state, on(ADA)).play.rolls == 1

    def test_a_placed_die_is_let_count_by_whose_roll_it_is(self) -> None:
        first, *others = thrown("13446")
        state = play(table(), *rest_of(replace(first, origin=PLACED), *others))
        assert state.reading.is_only_placed
        assert play(state, on(BEN)).play.rolls == 0
        assert play(state, on(ADA)).play.rolls == 1

    def test_dice_in_the_hand_are_put_back_by_who_took_them(self) -> None:
        state = play(written(), *rest_of())
        assert state.phase is Phase.IN_HAND
        assert play(state, on(BEN, Key.BACK)).phase is Phase.IN_HAND
        assert play(state, on(ADA, Key.BACK)).phase is Phase.CHOOSING

    @pytest.mark.parametrize("key", [Key.LEFT, Key.RIGHT, Key.CONFIRM])
    def test_a_key_that_does_nothing_now_gives_no_hint(self, key: Key) -> None:
        state = table()
        assert play(state, on(ADA, key)) is play(state, on(BEN, key)) is state


class TestTakingBack:
    def test_who_chose_takes_it_back_though_it_is_anothers_turn(self) -> None:
        state = play(written(), on(ADA))
        assert state.phase is Phase.AWAITING_ROLL
        after, effects = journalled(state, on(ADA, Key.BACK))
        assert (after.phase, after.play.undoable) == (Phase.CHOOSING, ())
        assert [(one.kind, one.body["panel"]) for one in effects] == [("undo", ADA)]

    def test_nobody_takes_anothers_choice_back(self) -> None:
        state = play(written(), on(ADA))
        after = play(state, on(BEN, Key.BACK))
        assert after.play.undoable == state.play.undoable
        assert hint(after) == "Ada chose last, so only Ada can undo it here."

    def test_first_chooser_can_undo_while_the_next_one_chooses(self) -> None:
        state = play(three(), on(ADA), on(BEN, Key.RIGHT))
        after = play(state, on(ADA, Key.BACK))
        assert after.play.undoable == ()
        assert "Ada" in require_game(after).expects().do

    def test_back_frees_only_the_dice_of_the_shown_player(self) -> None:
        state = play(three(), on(ADA), DieTapped(0))
        assert state.chooser == "Ben"
        assert play(state, on(BEN, Key.BACK)).screen.selection.is_any is False
        after = play(state, on(CLEO, Key.BACK))
        assert after.screen.selection == state.screen.selection
        assert after.play.undoable == state.play.undoable

    def test_the_end_of_a_game_is_taken_back_by_who_brought_it(self) -> None:
        state = finished_table("Ada", "Ben")
        last = state.play.undoable[-1].by
        panels = {"Ada": ADA, "Ben": BEN}
        other = next(panel for name, panel in panels.items() if name != last)
        assert play(state, on(other, Key.BACK)).phase is Phase.GAME_OVER
        assert play(state, on(panels[last], Key.BACK)).phase is Phase.CHOOSING


class TestSeveralAtOnce:
    def test_a_first_press_only_shows_the_players_choices(self) -> None:
        for key in (Key.LEFT, Key.RIGHT, Key.CONFIRM):
            after, effects = journalled(three(), on(BEN, key))
            assert (after.chooser, after.screen.cursor) == ("Ben", 0)
            assert (after.play.position, effects) == (three().play.position, ())

    def test_each_panel_decides_for_its_own_player(self) -> None:
        state, effects = journalled(three(), on(CLEO), on(CLEO), on(ADA))
        assert [one.body["by"] for one in effects] == ["Cleo", "Ada"]
        assert tuple(require_game(state).expects().do) == ("Ben",)

    def test_how_far_the_others_had_come_is_kept(self) -> None:
        state = play(three(), on(ADA, Key.RIGHT), on(ADA, Key.RIGHT), on(BEN), on(BEN, Key.RIGHT))
        assert (state.chooser, state.screen.cursor) == ("Ben", 1)
        state = play(state, on(ADA))
        assert (state.chooser, state.screen.cursor) == ("Ada", 2)
        state = play(state, on(BEN))
        assert (state.chooser, state.screen.cursor) == ("Ben", 1)

    def test_who_has_chosen_is_not_obeyed_any_more(self) -> None:
        state = play(three(), on(BEN), on(BEN))
        after = play(state, on(BEN, Key.RIGHT))
        assert (after.chooser, after.screen.cursor) == (state.chooser, state.screen.cursor)
        assert hint(after) == "It is Ada's turn."

    def test_a_choice_from_a_page_does_not_change_the_screen(self) -> None:
        state = play(three(), on(BEN), on(BEN, Key.RIGHT))
        after = play(state, ActionRequested("Ada", "4+10/4"))
        assert (after.chooser, after.screen.cursor) == ("Ben", 1)

    def test_the_next_roll_begins_with_the_first_again(self) -> None:
        state = three()
        for panel in (CLEO, BEN, ADA):
            state = play(state, on(panel), on(panel)) if panel != ADA else play(state, on(panel))
        state = play(state, *throw_of("22345", spot=1))
        assert (state.screen.active_chooser, state.screen.others, state.chooser) == ("", (), "Ben")

    def test_taking_back_forgets_whose_choices_were_shown(self) -> None:
        state = play(three(), on(BEN), on(BEN), on(CLEO), UndoRequested())
        assert (state.screen.active_chooser, state.screen.others, state.chooser) == ("", (), "Ada")


class TestNobodysTurn:
    def test_every_panel_puts_a_game_together(self) -> None:
        state = play(TableState(), on(5, Key.BACK), on(6, Key.RIGHT), on(5))
        assert state == play(TableState(), KeyPressed(Key.BACK), RIGHT, CONFIRM)

    @pytest.mark.parametrize("panel", [ADA, BEN, NOBODY])
    def test_every_panel_ends_a_pause_and_a_game_that_is_over(self, panel: int) -> None:
        for state, phase in (
            (play(written(), PauseRequested()), Phase.CHOOSING),
            (finished_table("Ada", "Ben"), Phase.AWAITING_ROLL),
        ):
            assert play(state, on(panel)).phase is phase
        assert play(finished_table("Ada"), on(panel, Key.LEFT)).phase is Phase.LOBBY


class TestPause:
    @pytest.mark.parametrize("events", [(), (MotionStarted(),)], ids=["awaiting", "rolling"])
    def test_a_pause_is_asked_for_by_whose_turn_it_is(self, events: tuple[Event, ...]) -> None:
        state = play(table(), *events)
        assert play(state, PauseRequested(ADA)).phase is Phase.PAUSED
        after, effects = journalled(state, PauseRequested(BEN))
        assert (after.phase, effects) == (state.phase, ())
        assert hint(after) == "It is Ada's turn."

    def test_all_who_choose_may_pause(self) -> None:
        for panel in (ADA, BEN, CLEO):
            assert play(three(), PauseRequested(panel)).phase is Phase.PAUSED
        assert play(three(), PauseRequested(NOBODY)).phase is Phase.CHOOSING

    def test_what_the_others_were_about_to_choose_outlasts_a_pause(self) -> None:
        state = play(three(), on(BEN), on(BEN, Key.RIGHT))
        after = play(state, PauseRequested(BEN), ResumeRequested())
        assert (after.chooser, after.screen.cursor) == ("Ben", 1)


class TestStuck:
    LEFT, OTHER = ButtonStuck(Key.LEFT), ButtonStuck(Key.LEFT, BEN)

    def test_a_stuck_button_is_shown_until_it_is_released(self) -> None:
        start = GameStarted("choice", ("Cleo",))
        state = play(written(), self.LEFT, self.OTHER, CONFIRM, GameClosed(), start)
        assert state.troubles.stuck_buttons == (self.LEFT, self.OTHER)
        assert play(state, ButtonReleased(Key.LEFT)).troubles.stuck_buttons == (self.OTHER,)

    def test_what_is_known_already_is_no_news(self) -> None:
        state = play(written(), self.LEFT)
        assert play(state, self.LEFT) is state
        assert play(state, ButtonReleased(Key.LEFT, BEN)) is state
