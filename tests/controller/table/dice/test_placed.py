# SPDX-License-Identifier: MIT
"""Dice that a hand set: a doubt of their own, unless the table asked for that very hand."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from controller.base.settings.choices import Confirm
from controller.journal.hashchain import Body
from controller.table import events as on
from controller.table.effects import PendingEntry
from controller.table.events import Event, TrayDie, TrayDoubt
from controller.table.journal_entries import game_entry, restore_table
from controller.table.machine import step
from controller.table.state import Phase, Setup, TableState, require_game
from tests.support.table import (
    COCKED,
    CONFIRM,
    die,
    entries_of,
    kinds_of,
    only,
    pushed,
    table,
    thrown,
    view,
)

DICE = thrown("13446")
FIVE = 4
"""The index of the die that a hand sets."""

COUNT = TrayDoubt("count", "4 of 5 dice are read.")
COIN = TrayDoubt("foreign object", "Something that is no die lies here.", (300.0, 40.0), 30.0)


def rest(*dice: TrayDie, picture: str = "") -> tuple[Event, ...]:
    """Return what the camera tells of dice whose ways to where they lie are known."""
    return on.MotionStarted(), on.MotionStopped(), on.DiceRead(dice, picture)


def doubtful(*dice: TrayDie, doubt: TrayDoubt = COCKED) -> tuple[Event, ...]:
    return on.MotionStarted(), on.MotionStopped(), on.ReadingDoubtful((doubt,), dice)


def placed(*dice: TrayDie) -> tuple[TrayDie, ...]:
    return tuple(replace(one, origin="placed") for one in dice)


def with_placed(dice: tuple[TrayDie, ...], *indices: int) -> tuple[TrayDie, ...]:
    return tuple(placed(one)[0] if i in indices else one for i, one in enumerate(dice))


def unseen(*dice: TrayDie) -> tuple[TrayDie, ...]:
    return tuple(replace(one, origin="unseen") for one in dice)


def journalled(state: TableState, *events: Event) -> tuple[TableState, tuple[PendingEntry, ...]]:
    """Play events in which the origin of every die is told already."""
    effects: tuple[PendingEntry, ...] = ()
    for event in events:
        state, more = step(state, event)
        effects += more
    return state, effects


def play(state: TableState, *events: Event) -> TableState:
    return journalled(state, *events)[0]


def origins_in(body: Body) -> list[str]:
    return [str(one["origin"]) for one in json.loads(json.dumps(body["lie"]))]


class TestNobodyAskedForIt:
    @pytest.mark.parametrize("confirm", Confirm)
    def test_a_placed_die_is_a_doubt_and_no_roll(self, confirm: Confirm) -> None:
        state, effects = journalled(table(confirm=confirm), *rest(*with_placed(DICE, FIVE)))
        assert (state.phase, state.play.rolls) == (Phase.STRAIGHTEN, 0)
        assert kinds_of(effects) == ["reading"]
        (doubt,) = state.reading.doubts
        assert (doubt.kind, doubt.center_px) == ("placed", DICE[FIVE].center_px)
        assert doubt.text.startswith("The 6 here was set by a hand. Throw it again")

    def test_thrown_again_it_is_the_roll(self) -> None:
        doubted = play(table(), *rest(*with_placed(DICE, FIVE)))
        after, effects = journalled(doubted, *rest(*DICE[:FIVE], *thrown("2", spot=7)))
        assert (after.phase, after.play.rolls) == (Phase.CHOOSING, 1)
        assert (only(effects).body["roll"], only(effects).body["doubts"]) == ("12344", [])

    def test_a_confirmed_die_keeps_its_doubt_in_the_journal(self) -> None:
        doubted = play(table(), *rest(*with_placed(DICE, FIVE), picture="abc"))
        after, effects = journalled(doubted, CONFIRM)
        assert (after.phase, after.play.rolls) == (Phase.CHOOSING, 1)
        entry = only(effects)
        assert (entry.picture, entry.body["by_hand"]) == ("abc", "")
        assert origins_in(entry.body) == ["thrown"] * 4 + ["placed"]
        assert str(entry.body["doubts"]).startswith("['placed: The 6 here was set by a hand")

    @pytest.mark.parametrize("by_px", [0.0, 25.0])
    def test_it_stays_placed_when_another_die_is_touched(self, by_px: float) -> None:
        doubted = play(table(), *rest(*with_placed(DICE, FIVE)))
        other = pushed(DICE[0], 20.0)
        after = play(doubted, *rest(other, *DICE[1:FIVE], pushed(DICE[FIVE], by_px)))
        assert after.phase is Phase.STRAIGHTEN
        assert [doubt.kind for doubt in after.reading.doubts] == ["placed"]

    def test_a_doubt_of_another_kind_does_not_excuse_it(self) -> None:
        doubted = play(table(), *rest(*with_placed(DICE, FIVE)), *doubtful(*DICE[1:]))
        after = play(doubted, *rest(*with_placed(DICE, 0)))
        assert [doubt.center_px for doubt in after.reading.doubts] == [DICE[FIVE].center_px]

    @pytest.mark.parametrize("doubt", [COUNT, COIN], ids=["missing", "no die"])
    def test_what_no_hand_is_needed_for_excuses_no_hand(self, doubt: TrayDoubt) -> None:
        state = play(table(), *doubtful(*DICE[:FIVE], doubt=doubt))
        assert play(state, *rest(*with_placed(DICE, FIVE))).phase is Phase.STRAIGHTEN

    def test_a_missing_die_is_thrown_not_set(self) -> None:
        state = play(table(), *rest(*DICE[:FIVE]))
        assert play(state, *rest(*with_placed(DICE, FIVE))).phase is Phase.STRAIGHTEN
        assert play(state, *rest(*DICE)).play.rolls == 1

    def test_the_place_where_it_may_hide_changes_no_doubt(self) -> None:
        hider = TrayDoubt("count", "4 of 5", DICE[0].center_px, 30.0)
        *motion, read = rest(*DICE[:FIVE])
        assert isinstance(read, on.DiceRead)
        plain, marked = (play(table(), *motion, replace(read, hider=at)) for at in (None, hider))
        reading = replace(plain.reading, hider=hider)
        assert marked == replace(plain, reading=reading, last_reported=reading)
        assert view(marked)["doubts"] == [
            {
                **view(plain)["doubts"][0],
                "label": "hidden here?",
                "center_px": DICE[0].center_px,
                "radius_px": 30.0,
            }
        ]
        assert play(marked, *rest(*with_placed(DICE, FIVE))).phase is Phase.STRAIGHTEN
        assert play(marked, *rest(*DICE)).play.rolls == 1

    def test_dice_that_wait_before_the_game_are_no_doubt(self) -> None:
        state = play(TableState(), on.DiceRead(placed(*DICE)))
        assert (state.phase, state.reading.doubts) == (Phase.LOBBY, ())


class TestTheTableAsked:
    def leaning(self) -> TableState:
        return play(table(), *doubtful(*DICE[:FIVE]))

    def test_a_die_laid_flat_is_journalled_as_placed(self) -> None:
        after, effects = journalled(self.leaning(), *rest(*with_placed(DICE, FIVE), picture="abc"))
        assert (after.phase, after.play.rolls) == (Phase.CHOOSING, 1)
        entry = only(effects)
        assert entry.picture == "abc"
        assert origins_in(entry.body)[FIVE] == "placed"
        assert entry.body["doubts"] == ["placed: The 6 here was set by a hand. It was asked for."]

    def test_it_may_be_laid_anywhere_as_long_as_the_others_lie(self) -> None:
        far = replace(DICE[FIVE], center_px=(700.0, 300.0))
        beside = pushed(DICE[0], 25.0)
        dice = (beside, *DICE[1:FIVE], *placed(far))
        assert play(self.leaning(), *rest(*dice)).play.rolls == 1

    def test_taken_out_first_it_may_still_be_laid_flat(self) -> None:
        in_the_hand = play(self.leaning(), *rest(*DICE[:FIVE]))
        assert "One die is missing" in in_the_hand.reading.doubts[0].text
        assert play(in_the_hand, *rest(*with_placed(DICE, FIVE))).play.rolls == 1

    def test_a_die_that_was_certain_may_not_be_set_along_with_it(self) -> None:
        other = replace(DICE[0], face=6)
        dice = (*placed(other), *DICE[1:FIVE], *placed(DICE[FIVE]))
        after = play(self.leaning(), *rest(*dice))
        assert after.phase is Phase.STRAIGHTEN
        assert len(after.reading.doubts) == 2

    def test_two_leaning_dice_are_laid_flat_one_after_the_other(self) -> None:
        state = play(table(), *doubtful(*DICE[:3]))
        once = play(state, *doubtful(*with_placed(DICE[:FIVE], 3)))
        # What was set first lies there still; the camera saw only the second one being set.
        after, effects = journalled(once, *rest(*with_placed(DICE, FIVE)))
        assert after.play.rolls == 1
        assert origins_in(only(effects).body) == ["thrown"] * 3 + ["placed"] * 2

    def test_asking_holds_for_this_throw_only(self) -> None:
        lifted = play(play(table(), *rest(*DICE), CONFIRM, CONFIRM), *doubtful(*DICE[:FIVE]))
        assert lifted.phase is Phase.STRAIGHTEN
        empty = play(lifted, *rest())
        assert empty.phase is Phase.AWAITING_ROLL
        again = play(empty, *rest(*with_placed(thrown("22345", spot=3), FIVE)))
        assert again.phase is Phase.STRAIGHTEN

    def test_where_a_press_confirms_it_is_confirmed_as_any_roll(self) -> None:
        leaning = self.leaning()
        state = replace(leaning, setup=replace(leaning.setup, confirm=Confirm.BUTTON))
        shown = play(state, *rest(*with_placed(DICE, FIVE)))
        assert shown.phase is Phase.READING
        _, effects = journalled(shown, CONFIRM)
        assert "It was asked for." in str(only(effects).body["doubts"])


class TestWhereDiceStay:
    ROLL = thrown("13445")
    KEPT = tuple(replace(one, origin="kept") for one in ROLL[2:])

    def wuerfelspiel(self) -> TableState:
        return play(table(game="wuerfelspiel"), *rest(*self.ROLL))

    def test_a_die_placed_beside_kept_ones_is_a_doubt(self) -> None:
        new = (*thrown("2", spot=3), *placed(die(6, 100.0, 300.0)))
        state = play(self.wuerfelspiel(), *rest(*self.KEPT, *new))
        assert state.phase is Phase.STRAIGHTEN
        assert (state.play.rolls, state.reading.held_action) == (1, "hold 445")
        after, effects = journalled(state, CONFIRM)
        assert (only(effects).body["held"], after.play.rolls) == ("hold 445", 2)
        assert "placed" in str(only(effects).body["doubts"])

    def test_so_it_is_where_the_hold_was_announced(self) -> None:
        announced = play(self.wuerfelspiel(), on.ActionRequested("Ada", "hold 445"))
        new = (*thrown("2", spot=3), *placed(die(6, 100.0, 300.0)))
        state = play(announced, *rest(*self.KEPT, *new))
        assert state.phase is Phase.STRAIGHTEN
        assert play(state, CONFIRM).play.rolls == 2

    def test_dice_that_hands_only_moved_are_no_throw(self) -> None:
        before = self.wuerfelspiel()
        elsewhere = placed(*(replace(one, center_px=(600.0, 80.0 * one.face)) for one in self.ROLL))
        for dice in (elsewhere, (*elsewhere[:2], *self.KEPT)):
            after = play(before, *rest(*dice))
            assert after.phase is Phase.CHOOSING
            assert (after.play.position, after.reading.doubts) == (before.play.position, ())
            assert after.dice_on_felt == dice

    def test_dice_of_the_roll_that_changed_places_are_no_throw(self) -> None:
        before = self.wuerfelspiel()
        one, three, *others = self.ROLL
        swapped = (
            replace(three, center_px=one.center_px, origin="turned", was=1),
            replace(one, center_px=three.center_px, origin="turned", was=3),
        )
        kept = (replace(die, origin="kept") for die in others)
        after = play(before, *rest(*swapped, *kept))
        assert after.phase is Phase.CHOOSING
        assert (after.play.position, after.reading.doubts) == (before.play.position, ())

    def test_a_die_that_the_corrector_turns_is_no_doubt(self) -> None:
        jokers = table("Ada", options={"jokers": True})
        state = play(jokers, *rest(*DICE), on.ActionRequested("Ada", "corrector 1>2"))
        turned = (replace(DICE[0], face=2, origin="placed"), *DICE[1:])
        assert play(state, *rest(*turned)).play.rolls == 2


class TestOnTheScreen:
    def test_the_doubt_says_what_to_do_and_confirm_lets_it_count(self) -> None:
        shown = view(play(table(), *rest(*with_placed(DICE, FIVE))))
        assert shown["headline"] == "Ada: throw that die again"
        assert "marked as set by hand" in shown["hint"]
        assert shown["buttons"]["confirm"] == "let it count"
        assert [doubt["kind"] for doubt in shown["doubts"]] == ["placed"]
        assert [one["placed"] for one in shown["dice"]] == [False] * 4 + [True]

    def test_several_are_told_as_several(self) -> None:
        shown = view(play(table(), *rest(*placed(*DICE))))
        assert shown["headline"] == "Ada: throw those dice again"

    def test_the_die_stays_marked_while_the_roll_counts(self) -> None:
        roll = with_placed(DICE, FIVE)
        state = play(table(), *rest(*roll), CONFIRM)
        read_again = play(state, on.DiceRead(tuple(replace(one, origin="kept") for one in roll)))
        for shown in (view(state), view(read_again)):
            assert [one["placed"] for one in shown["dice"]] == [False] * 4 + [True]

    def test_a_restart_finds_the_mark(self) -> None:
        start = table("Ada")
        state, effects = journalled(start, *rest(*with_placed(DICE, FIVE), picture="abc"), CONFIRM)
        game = game_entry("choice", require_game(start))
        again = restore_table(TableState(), entries_of((game, *effects)))
        assert again.play.roll_dice == state.play.roll_dice
        assert [one["placed"] for one in view(again)["dice"]] == [False] * 4 + [True]


class TestUnseenDice:
    def test_dice_that_were_not_seen_count_and_the_journal_says_so(self) -> None:
        after, effects = journalled(table(), *rest(*DICE[:FIVE], *unseen(DICE[FIVE])))
        assert (after.phase, after.play.rolls) == (Phase.CHOOSING, 1)
        assert origins_in(only(effects).body) == ["thrown"] * 4 + ["unseen"]
        assert only(effects).body["doubts"] == []

    def test_a_placed_die_beside_unseen_ones_is_still_a_doubt(self) -> None:
        state = play(table(), *rest(*unseen(*DICE[:FIVE]), *placed(DICE[FIVE])))
        assert [doubt.kind for doubt in state.reading.doubts] == ["placed"]


class TestEveryThrowIsToBeSeen:
    def strict(self) -> TableState:
        return replace(table(), setup=Setup(see_every_throw=True))

    def test_an_unseen_die_is_a_doubt(self) -> None:
        state = play(self.strict(), *rest(*DICE[:FIVE], *unseen(DICE[FIVE])))
        (doubt,) = state.reading.doubts
        assert (state.phase, doubt.kind) == (Phase.STRAIGHTEN, "unseen")
        assert doubt.text.startswith("The 6 here was not seen to be thrown. Throw it again")
        assert "not seen" in view(state)["hint"]

    def test_a_press_lets_it_count_and_the_journal_keeps_the_doubt(self) -> None:
        doubted = play(self.strict(), *rest(*DICE[:FIVE], *unseen(DICE[FIVE])))
        after, effects = journalled(doubted, CONFIRM)
        assert (after.phase, after.play.rolls) == (Phase.CHOOSING, 1)
        assert "unseen: The 6 here" in str(only(effects).body["doubts"])

    def test_it_stays_unseen_while_other_dice_are_touched(self) -> None:
        doubted = play(self.strict(), *rest(*DICE[:FIVE], *unseen(DICE[FIVE])))
        after = play(doubted, *rest(pushed(DICE[0], 20.0), *DICE[1:]))
        assert [doubt.kind for doubt in after.reading.doubts] == ["unseen"]

    def test_the_setting_lasts_into_the_next_game(self) -> None:
        cleared = play(self.strict(), on.GameClosed())
        again = play(cleared, on.GameStarted("choice", ("Ada", "Ben"), {}))
        assert (cleared.setup.see_every_throw, again.setup.see_every_throw) == (True, True)
