# SPDX-License-Identifier: MIT
"""A phone for every player: each chooses on their own, and nobody moves anybody else's cursor."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.base.settings.choices import Confirm
from controller.games.ui import EMPTY_SELECTION
from controller.table import events as on
from controller.table.effects import PendingEntry
from controller.table.events import Event, Key, TrayDie
from controller.table.journal_entries import restore_table
from controller.table.state import Phase, TableState, require_game
from controller.table.view.question import find_refusal
from controller.table.view.types import Snapshot
from controller.table.view.viewer import WATCHER
from tests.support.table import (
    BACK,
    CONFIRM,
    RIGHT,
    dice_of,
    die,
    entries_of,
    journalled,
    play,
    rest_of,
    table,
    throw_of,
    view,
)

NAMES = ("Ada", "Ben", "Cleo")
JOKERS = {"jokers": True}
SECRET = {"jokers": True, "secret": True}
VIEWERS = ("", *NAMES, WATCHER)


def phone(player: str, key: Key = Key.CONFIRM) -> on.KeyPressed:
    return on.KeyPressed(key, by=player)


def three(**options: bool) -> TableState:
    """A roll from which Ada, Ben and Cleo choose at the same time."""
    return play(table(*NAMES, options=options), *throw_of("13446"))


def said(state: TableState, *viewers: str) -> list[str]:
    """Return the kinds of the messages that these viewers see."""
    notices = [view(state, viewer)["notice"] for viewer in viewers]
    return [notice["kind"] for notice in notices if notice]


def player_state(state: TableState, name: str, viewer: str = "") -> str:
    return next(one["state"] for one in view(state, viewer)["players"] if one["name"] == name)


class TestOwnCursor:
    def test_a_phone_moves_its_own_cursor_and_no_other(self) -> None:
        state = play(three(), RIGHT, phone("Ben", Key.LEFT), phone("Cleo", Key.RIGHT))
        count = len(view(state, "Ben")["choices"])
        assert [view(state, one)["cursor"] for one in ("", "Ada", "Ben", "Cleo")] == [
            *(1, 0, count - 1, 1)
        ]
        assert (state.screen.active_chooser, state.chooser) == ("", "Ada")

    def test_taps_on_a_phone_select_there_alone(self) -> None:
        before = three(**JOKERS)
        state = play(before, on.DieTapped(0, by="Ben"), on.ChoiceTapped(3, by="Cleo"))
        state = play(state, on.JokerTapped("corrector", by="Ada"))
        assert [die["taken"] for die in view(state, "Ben")["dice"]] == [True, *[False] * 4]
        assert view(state, "Cleo")["cursor"] == 3
        assert view(state, "Ada")["joker"] == "corrector"
        assert (state.screen.selection, state.screen.cursor) == (EMPTY_SELECTION, 0)
        assert view(state) == view(before)

    def test_confirm_takes_what_its_own_cursor_shows(self) -> None:
        state = play(three(), RIGHT, phone("Ben", Key.RIGHT), phone("Ben", Key.RIGHT))
        shown = view(state, "Ben")
        after, (entry,) = journalled(state, phone("Ben"))
        assert entry.body == {"by": "Ben", "do": shown["choices"][shown["cursor"]]["action"]}
        assert (after.chooser, after.screen.cursor) == ("Ada", 1)

    def test_a_refusal_is_said_on_its_own_phone_alone(self) -> None:
        state = play(three(), phone("Ada"))
        state = play(state, *throw_after(state, "Ben", "Cleo"))
        assert state.phase is Phase.CHOOSING
        after = play(state, on.JokerTapped("terminator", by="Ben"))
        assert find_refusal(state, after)
        assert view(after, "Ben")["notice"]
        assert view(after)["notice"] is None
        assert view(after, "Ada")["notice"] is None

    def test_a_late_action_or_undo_is_refused_on_its_own_phone_alone(self) -> None:
        state = play(three(), phone("Ada"))
        state = play(state, on.ActionRequested("Ada", "11+22", from_phone=True))
        assert said(state, "Ada") == ["refused"]
        state = play(state, phone("Ben", Key.BACK))
        assert said(state, "Ben") == ["info"]
        assert said(state, "", "Cleo", WATCHER) == []

    def test_back_frees_own_dice_before_it_takes_anything_back(self) -> None:
        state = play(three(), on.DieTapped(0, by="Ben"), phone("Ben", Key.BACK))
        assert not any(die["taken"] for die in view(state, "Ben")["dice"])

    def test_who_plays_nobody_moves_nothing(self) -> None:
        state = three()
        for event in (phone("Zoe"), phone("Zoe", Key.RIGHT), on.DieTapped(0, by="Zoe")):
            assert play(state, event) is state


def throw_after(state: TableState, *players: str) -> tuple[Event, ...]:
    """Everything until the next roll lies there: these players choose, and dice are thrown."""
    return (*(phone(player) for player in players), *throw_of("22345", spot=1))


class TestQuestions:
    def test_anothers_choice_leaves_my_question_mine_does_not(self) -> None:
        state = three()
        asked = view(state, "Ada")["question"]
        others = play(state, phone("Ben"), phone("Cleo", Key.RIGHT), RIGHT)
        assert view(others, "Ada")["question"] == asked
        assert view(play(others, phone("Ada")), "Ada")["question"] != asked

    def test_the_next_roll_and_a_correction_ask_anew(self) -> None:
        state = three()
        asked = view(state, "Ada")["question"]
        corrected = play(state, on.RollCorrected("13445", "Eva", "It was misread."))
        following = play(state, phone("Ada"), *throw_after(state, "Ben", "Cleo"))
        assert asked not in (view(corrected, "Ada")["question"], view(following, "Ada")["question"])

    def test_a_throw_for_a_joker_leaves_the_others_questions(self) -> None:
        state = three(**JOKERS)
        asked = view(state, "Ben")["question"]
        for event in (on.ActionRequested("Ada", "terminator"), *throw_of("22345", spot=1)):
            state = play(state, event)
            assert view(state, "Ben")["question"] == asked
            assert view(state, "Ben")["phase"] == "choosing"
            assert view(state, "Ben")["choices"]


class TestJokersAtTheTray:
    def test_the_others_choose_in_every_phase_of_the_throw(self) -> None:
        state = play(three(**JOKERS), phone("Cleo"), on.ActionRequested("Ada", "terminator"))
        for event in (None, on.MotionStarted(), on.MotionStopped()):
            state = play(state, event) if event else state
            after, effects = journalled(state, phone("Ben", Key.RIGHT), phone("Ben"))
            assert [entry.kind for entry in effects] == ["action"]
            assert (after.phase, after.play.roller) == (state.phase, "Ada")
            back, undone = journalled(after, phone("Ben", Key.BACK))
            assert [entry.kind for entry in undone] == ["undo"]
            assert (back.phase, back.play.position) == (state.phase, state.play.position)

    def test_a_throw_is_read_although_another_chose_meanwhile(self) -> None:
        state = play(three(**JOKERS), on.ActionRequested("Ada", "terminator"), on.MotionStarted())
        state = play(state, phone("Ben"), *throw_of("22345", spot=1)[1:])
        assert require_game(state).player_dice("Ada") == ("2", "2", "3", "4", "5")
        assert state.phase is Phase.CHOOSING

    def test_players_are_called_in_the_order_in_which_they_asked(self) -> None:
        state = play(three(**JOKERS), phone("Ada", Key.RIGHT))
        for player in ("Cleo", "Ada"):
            state = play(state, on.ActionRequested(player, "terminator"))
        assert (state.phase, state.play.roller) == (Phase.AWAITING_JOKER, "Cleo")
        assert "Cleo" in view(state)["headline"]
        state = play(state, *throw_of("22345", spot=1))
        assert (state.phase, state.play.roller) == (Phase.AWAITING_JOKER, "Ada")
        state = play(state, *throw_of("33456", spot=2))
        game = require_game(state)
        assert "".join(game.player_dice("Cleo")) == "22345"
        assert "".join(game.player_dice("Ada")) == "33456"
        assert "".join(game.player_dice("Ben")) == "13446"

    def test_a_panel_brings_its_choices_during_the_call(self) -> None:
        state = play(three(**JOKERS), on.ActionRequested("Ada", "terminator"))
        assert view(state)["choices"] == []
        state = play(state, on.KeyPressed(Key.CONFIRM, 2))
        assert view(state)["choices"] == view(state, "Ben")["choices"]
        state, effects = journalled(state, on.KeyPressed(Key.CONFIRM, 2))
        assert [entry.body["by"] for entry in effects] == ["Ben"]
        assert (state.phase, view(state)["choices"]) == (Phase.AWAITING_JOKER, [])

    def test_the_shared_screen_shows_the_call_until_somebody_asks(self) -> None:
        state = play(three(**JOKERS), on.ActionRequested("Ada", "terminator"))
        for event in (CONFIRM, RIGHT, on.DieTapped(0), on.ChoiceTapped(1)):
            assert play(state, event).play.position == state.play.position
        assert view(play(state, on.PlayerTapped("Cleo")))["choices"]
        assert view(play(state, on.PlayerTapped("Cleo"), BACK))["choices"] == []
        assert play(state, on.PlayerTapped("Ada")) is state

    def test_a_call_takes_the_choices_of_another_off_the_screen(self) -> None:
        state = play(three(**JOKERS), on.PlayerTapped("Ben"))
        assert view(play(state, phone("Cleo")))["choices"] == view(state, "Ben")["choices"]
        assert view(play(state, on.ActionRequested("Ada", "terminator")))["choices"] == []


class TestTakingBack:
    def test_a_player_takes_back_what_others_chose_after(self) -> None:
        state = play(three(), phone("Ben"), phone("Cleo"))
        after, (entry,) = journalled(state, on.UndoRequested(by="Ben"))
        assert (entry.kind, entry.body["by"]) == ("undo", "Ben")
        assert require_game(after).acted == ("Cleo",)
        assert require_game(after).sheet("Cleo") == require_game(state).sheet("Cleo")
        assert require_game(after).sheet("Ben") == require_game(three()).sheet("Ben")

    def test_it_moves_nobody_elses_cursor(self) -> None:
        state = play(three(), phone("Ben"), phone("Cleo", Key.RIGHT), RIGHT)
        after = play(state, phone("Ben", Key.BACK))
        assert (after.chooser, after.screen.cursor, view(after, "Cleo")["cursor"]) == ("Ada", 1, 1)

    def test_an_own_panel_takes_back_out_of_order_too(self) -> None:
        state = play(three(), phone("Ben"), phone("Cleo"))
        after, (entry,) = journalled(state, on.KeyPressed(Key.BACK, 2))
        assert entry.kind == "undo"
        assert entry.body == {"by": "Ben", "do": entry.body["do"], "panel": 2}
        assert require_game(after).acted == ("Cleo",)

    def test_a_joker_that_was_thrown_for_stays(self) -> None:
        state = play(three(**JOKERS), phone("Ben"), on.ActionRequested("Ada", "terminator"))
        state = play(state, *throw_of("22345", spot=1))
        refused, effects = journalled(state, on.UndoRequested(by="Ada"))
        assert (effects, refused.play.position) == ((), state.play.position)
        assert refused.notice
        assert "joker" in refused.notice.text
        chosen = play(state, phone("Ada"))
        assert play(chosen, on.UndoRequested(by="Ada")).play.position == state.play.position
        assert require_game(play(state, on.UndoRequested(by="Ben"))).acted == ()

    def test_a_joker_that_nobody_threw_for_is_taken_back(self) -> None:
        before = play(three(**JOKERS), phone("Ben"))
        state = play(before, on.ActionRequested("Ada", "terminator"), phone("Cleo"))
        after = play(state, on.UndoRequested(by="Ada"))
        assert (after.phase, after.play.roller, require_game(after).acted) == (
            *(Phase.CHOOSING, None, ("Ben", "Cleo")),
        )

    def test_a_corrected_roll_leaves_the_joker_before_it_thrown_for(self) -> None:
        called = (on.ActionRequested(player, "terminator") for player in ("Cleo", "Ada"))
        state = play(three(**JOKERS), *called)
        state = play(state, *throw_of("22345", spot=1), *throw_of("33456", spot=2))
        after = play(state, on.RollCorrected("33455", by="Olga", reason="glare"))
        assert play(after, on.UndoRequested(by="Cleo")).play.position == after.play.position

    def test_nobody_takes_a_joker_back_while_its_dice_roll(self) -> None:
        state = play(three(**JOKERS), on.ActionRequested("Ada", "terminator"), on.MotionStarted())
        after, effects = journalled(state, on.UndoRequested(by="Ada"))
        assert effects == ()
        assert (after.phase, after.play.position) == (Phase.ROLLING, state.play.position)
        assert after.notice

    def test_when_all_have_chosen_only_the_last_choice_is_taken_back(self) -> None:
        state = play(three(), *map(phone, NAMES))
        assert state.phase is Phase.AWAITING_ROLL
        assert journalled(state, on.UndoRequested(by="Ben"))[1] == ()
        assert (
            play(state, on.UndoRequested(by="Cleo")).play.position
            == play(three(), phone("Ada"), phone("Ben")).play.position
        )

    def test_a_correction_of_private_dice_keeps_what_was_taken_back(self) -> None:
        state = play(three(**JOKERS), phone("Ben"), on.ActionRequested("Ada", "terminator"))
        state = play(state, *throw_of("22345", spot=1), on.UndoRequested(by="Ben"))
        after = play(state, on.RollCorrected("22346", "Eva", "It was misread."))
        assert require_game(after).acted == ()
        assert "".join(require_game(after).player_dice("Ada")) == "22346"


class TestSharedScreen:
    def test_it_offers_itself_to_players_without_a_phone(self) -> None:
        state = play(three(), RIGHT, on.PhonesBound(("Ada", "Cleo")))
        assert (view(state)["headline"], view(state)["cursor"]) == ("Ben chooses", 0)
        assert play(state, on.PhonesBound(())).screen.cursor == 1
        state = play(state, CONFIRM)
        assert view(state)["headline"] == "Everyone chooses"
        assert view(state)["choices"] == []
        assert journalled(state, CONFIRM)[1] == ()
        assert view(play(state, RIGHT))["headline"] == "Ada chooses"
        assert view(play(state, on.PlayerTapped("Cleo")))["headline"] == "Cleo chooses"
        assert view(play(state, on.PlayerTapped("Cleo"), BACK))["choices"] == []

    def test_bound_phones_are_remembered_from_game_to_game(self) -> None:
        state = play(TableState(), on.PhonesBound(("Ada",)))
        assert play(state, CONFIRM).setup.phone_players == ("Ada",)

    def test_it_says_who_is_ready(self) -> None:
        state = play(three(), on.PhonesBound(NAMES), phone("Ben"))
        assert [player_state(state, name) for name in NAMES] == ["chooses", "done", "chooses"]


class TestOtherGames:
    @pytest.mark.parametrize("game", ["black-n-white", "wuerfelspiel"])
    def test_only_the_phone_of_whose_turn_it_is_has_buttons(self, game: str) -> None:
        faces = {"black-n-white": "w4 b6", "wuerfelspiel": "13446"}[game]
        state = table("Ada", "Ben", game=game)
        for spot in range(3):
            if state.phase is Phase.CHOOSING:
                break
            state = play(state, *rest_of(*dice_for(faces, spot)))
        player = state.chooser or ""
        other = "Ben" if player == "Ada" else "Ada"
        assert view(state, player)["buttons"]["confirm"] is None
        state = play(state, on.ChoiceTapped(0, by=player))
        assert view(state, player)["buttons"]["confirm"]
        assert view(state, player)["choices"] == view(state)["choices"]
        for viewer in (other, WATCHER):
            shown = view(state, viewer)
            assert list(shown["buttons"].values()) == [None] * 4
            assert (shown["choices"], shown["cursor"]) == ([], -1)
        assert play(state, phone(other)).play.position == state.play.position
        assert len(journalled(state, phone(player))[1]) == 1

    def test_an_early_confirm_after_stop_says_nothing_of_tens(self) -> None:
        state = table("Ada", "Ben", game="black-n-white")
        for spot in range(2):
            if state.phase is not Phase.CHOOSING:
                state = play(state, *rest_of(*dice_for("w4 b6", spot)))
        state = play(state, on.ActionRequested("Ada", "stop"))
        assert [one["action"] for one in view(state)["choices"]] == ["tens white", "tens black"]
        assert view(state)["cursor"] == view(state, "Ada")["cursor"] == -1
        assert journalled(state, CONFIRM)[1] == ()

    def test_the_thrower_accepts_their_roll_on_their_phone(self) -> None:
        state = play(table(game="wuerfelspiel", confirm=Confirm.BUTTON), *throw_of("13446"))
        assert state.phase is Phase.READING
        assert view(state, "Ada")["buttons"]["confirm"]
        assert list(view(state, "Ben")["buttons"].values()) == [None] * 4
        assert play(state, phone("Ben")) is state
        assert play(state, phone("Ada")).phase is Phase.CHOOSING

    def test_the_phone_of_who_throws_says_you(self) -> None:
        state = table(game="wuerfelspiel")
        headlines = {name: view(state, name)["headline"] for name in ("", "Ada", "Ben", WATCHER)}
        assert headlines.pop("Ada") == "You: throw the dice"
        assert set(headlines.values()) == {"Ada: throw the dice"}

    @pytest.mark.parametrize("key", Key)
    def test_what_belongs_to_the_table_is_dead_on_a_phone(self, key: Key) -> None:
        for state in (TableState(), play(three(), on.PauseRequested())):
            assert play(state, phone("Ada", key)) is state
            assert list(view(state, "Ada")["buttons"].values()) == [None] * 4


def dice_for(faces: str, spot: int) -> tuple[TrayDie, ...]:
    if faces.startswith("w"):
        return die(4 + spot % 2, 100.0, 50.0 * spot), die(6, 300.0, 50.0 * spot, is_black=True)
    return dice_of(faces, spot=spot)


def in_any_mix(draw: st.DataObject, state: TableState, player: str, cursor: int) -> Sequence[Event]:
    """The presses that take one choice: on a phone, at the player's panel, at the shared screen."""
    seat = NAMES.index(player) + 1
    way = draw.draw(st.sampled_from(("phone", "panel", "screen", "program")))
    if way == "phone":
        return on.ChoiceTapped(cursor, by=player), phone(player)
    if way == "program":
        action = view(state, player)["choices"][cursor]["action"]
        return (on.ActionRequested(player, action),)
    if way == "panel":
        state = play(state, on.PlayerTapped(player))
        moves = [on.KeyPressed(Key.RIGHT, seat)] * ((cursor - state.screen.cursor) % 100)
        return on.PlayerTapped(player), *moves, on.KeyPressed(Key.CONFIRM, seat)
    return on.PlayerTapped(player), on.ChoiceTapped(cursor), CONFIRM


@settings(max_examples=25)
@given(draw=st.data(), options=st.sampled_from(({}, {"secret": True})))
def test_any_order_and_mix_gives_the_same_sheets(
    draw: st.DataObject, options: dict[str, bool]
) -> None:
    state = play(table(*NAMES, options=options), *throw_of("13446"))
    cursors = {name: draw.draw(st.integers(0, 4), label=name) for name in NAMES}
    chosen = {name: view(state, name)["choices"][cursors[name]]["action"] for name in NAMES}
    one_by_one = play(state, *(on.ActionRequested(name, chosen[name]) for name in NAMES))
    effects: tuple[PendingEntry, ...] = ()
    for name in draw.draw(st.permutations(NAMES)):
        if draw.draw(st.booleans()):
            # Somebody changes their mind first.
            state, more = journalled(
                state, phone(name, Key.RIGHT), phone(name), on.UndoRequested(name)
            )
            effects += more
        state, more = journalled(state, *in_any_mix(draw, state, name, cursors[name]))
        effects += more
    ended = require_game(state)
    assert {name: ended.sheet(name) for name in NAMES} == {
        name: require_game(one_by_one).sheet(name) for name in NAMES
    }


@settings(max_examples=12)
@given(draw=st.data(), options=st.sampled_from(({}, JOKERS, SECRET)))
def test_a_restart_at_any_point_gives_the_same_views(
    draw: st.DataObject, options: dict[str, bool]
) -> None:
    state, effects = journalled(TableState(), *start(options), *throw_of("13446"))
    again = restore_table(TableState(), entries_of(effects))
    for spot in range(1, 12):
        by = draw.draw(st.sampled_from(NAMES))
        choices = view(state, by)["choices"]
        is_choosing: bool = draw.draw(st.booleans())
        if state.phase in (Phase.AWAITING_ROLL, Phase.AWAITING_JOKER) and draw.draw(st.booleans()):
            wanted = require_game(state).required_dice(state.play.roller or "")
            events: tuple[Event, ...] = throw_of("".join(wanted) or "22345", spot=spot)
        elif choices and is_choosing:
            index = draw.draw(st.integers(0, len(choices) - 1))
            events = on.ChoiceTapped(index, by=by), phone(by)
        else:
            events = (on.UndoRequested(by=by),)
        state, more = journalled(state, *events)
        if more:
            effects += more
            again = restore_table(TableState(), entries_of(effects))
        assert (again.play.position, again.play.steps, again.play.callers, again.play.roll_log) == (
            *(state.play.position, state.play.steps, state.play.callers, state.play.roll_log),
        )
        # What is refused is told to nobody but who asked; of all others one is looked at.
        for viewer in VIEWERS if more else ("", by, draw.draw(st.sampled_from(VIEWERS))):
            assert lasting(view(again, viewer)) == lasting(view(state, viewer))


def start(options: dict[str, bool]) -> tuple[Event, ...]:
    return (on.GameStarted("choice", NAMES, options),)


def lasting(shown: Snapshot) -> dict[str, object]:
    """What of a view is not lost with the power: cursors and messages are."""
    lost = {
        "notice",
        "arrows",
        "cursor",
        "dice",
        "hint",
        "players",
        "buttons",
        "lamps",
        "choices",
        "phase",
    }
    kept = {key: value for key, value in shown.items() if key not in lost}
    states = [(one["name"], one["state"], one["total"]) for one in shown["players"]]
    return {**kept, "states": states, "actions": [one["action"] for one in shown["choices"]]}


class TestSecret:
    def test_nothing_of_a_choice_reaches_another_screen(self) -> None:
        state = three(secret=True)
        ready = play(state, phone("Ada", Key.RIGHT), phone("Ada", Key.RIGHT), phone("Ada"))
        for action in (choice["action"] for choice in view(state, "Ada")["choices"]):
            other = play(state, on.ActionRequested("Ada", action))
            for viewer in ("", "Ben", "Cleo", WATCHER):
                assert view(other, viewer) == view(ready, viewer)
                assert player_state(other, "Ada", viewer) == "done"
                assert action not in json.dumps({**view(other, viewer), "choices": []})
        assert view(ready, "Ada")["players"][0] != view(state, "Ada")["players"][0]
        assert view(ready, "Ada")["undo"]

    def test_a_face_that_ends_ones_game_is_no_tell(self) -> None:
        state = table(*NAMES, options={"secret": True})
        for spot in range(7):
            state = play(state, *throw_of("11111", spot=spot), *map(phone, NAMES))
        state = play(state, *throw_of("11111", spot=7), phone("Ada"))
        assert require_game(state).is_finished("Ada")
        assert player_state(state, "Ada", "Ben") == "done"
        assert player_state(state, "Ada", "Ada") == "finished"

    def test_all_is_shown_once_the_last_has_confirmed(self) -> None:
        actions = [on.ActionRequested(name, "4+10/4") for name in NAMES]
        hidden = play(three(secret=True), *actions[:2])
        assert [one["total"] for one in view(hidden)["players"]] == [0, 0, 0]
        told, plain = play(three(secret=True), *actions), play(three(), *actions)
        assert view(told)["players"] == view(plain)["players"]

    def test_the_shared_screen_shows_choices_on_request_alone(self) -> None:
        state = three(secret=True)
        assert view(state)["choices"] == []
        assert view(state)["headline"] == "Everyone chooses in secret"
        asked = play(state, RIGHT)
        assert view(asked)["choices"]
        for viewer in ("Ben", "Cleo", WATCHER):
            assert view(asked, viewer) == view(state, viewer)
        assert view(play(asked, CONFIRM))["choices"] == []
        assert view(play(asked, BACK)) == view(state)

    def test_a_choice_from_private_dice_is_hidden_too(self) -> None:
        state = play(three(**SECRET), on.ActionRequested("Ada", "terminator"))
        state = play(state, *throw_of("22345", spot=1))
        chosen = play(state, phone("Ada"))
        assert (
            view(chosen, "Ben")["players"][0]["sheet"] == view(state, "Ben")["players"][0]["sheet"]
        )

    def test_a_correction_does_not_tell_what_it_takes_back(self) -> None:
        state = play(three(secret=True), on.ActionRequested("Ada", "4+10/4"))
        after = play(state, on.RollCorrected("13445", "Eva", "It was misread."))
        assert "4+10" not in json.dumps(view(after)["notice"])
        assert "4+10" not in json.dumps(view(state, "Ben")["last_roll"])

    def test_it_is_journalled_when_the_game_starts_and_only_then(self) -> None:
        assert require_game(three(secret=True)).options == {"jokers": False, "secret": True}
        assert require_game(three()).options == {"jokers": False}


def test_a_phone_selects_no_other_number_of_dice_by_itself() -> None:
    state = play(table("Ada", "Ben", game="dice"), *throw_of("13446"))
    assert [view(state, one)["cursor"] for one in ("", "Ben", "Ada")] == [0, 0, -1]
    assert view(state, "Ada")["buttons"]["confirm"] is None
    assert view(play(state, phone("Ada", Key.RIGHT)), "Ada")["buttons"]["confirm"] == "one die"
