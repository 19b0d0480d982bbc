# SPDX-License-Identifier: MIT
"""
Black'n'White on a screen: stop or throw again, which colour gives the tens, and the rules in words.

A tapped die is thrown again, the other one stays. While a player chooses the tens, a tap
on a die selects its colour. Every figure in the texts is the one that the rules count with.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from controller.base.languages.message import Message, message, plural_message
from controller.games import ui
from controller.games.black_n_white.example import build_example
from controller.games.black_n_white.notation import Result, Tens, rank
from controller.games.black_n_white.round import MOST_THROWS, STOP, classify_action
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.black_n_white.view import BlackNWhiteGameView, show_ended_round
from controller.games.contract import Options
from controller.games.dice import FACES

_COLOURS = ("white", "black")
_THROWS: Sequence[Result] = [(white, black) for white in FACES for black in FACES]


class BlackNWhiteUI(ui.GameUI[BlackNWhiteState]):
    rolls_end_rounds = True
    first_cursor = -1

    def show_ended_round(self, position: BlackNWhiteState) -> ui.EndedRoundView | None:
        return show_ended_round(position)

    def list_offers(self, position: BlackNWhiteState, player: str) -> tuple[ui.OfferedChoice, ...]:
        actions = position.legal_actions(player)
        return tuple(
            ui.plain_offer(position, player, text, classify_action(text)) for text in actions
        )

    def tap_die(
        self, position: BlackNWhiteState, player: str, turn: ui.TurnContext, index: int
    ) -> ui.SelectionResult:
        """Return what a tap on the white (0) or the black die (1) selects."""
        offers = self.list_offers(position, player)
        if offers and offers[0].kind == "tens":
            return ui.select_action(ui.Selection((index,)), f"tens {_COLOURS[index]}", offers)
        view, dice = self.create_view(position, turn), position.player_dice(player)
        return ui.select_throw(view, index, dice, partial(position.hold_action, player), offers)

    def create_view(self, position: BlackNWhiteState, turn: ui.TurnContext) -> BlackNWhiteGameView:
        return BlackNWhiteGameView(position, turn)

    def explain_action(self, position: BlackNWhiteState, player: str, action: str) -> str:
        result = position.result_of(player)
        assert result is not None, "who chooses has a result"
        what, _, colour = action.partition(" ")
        if what == "tens":
            tens: Tens = "white" if colour == "white" else "black"
            return _count_higher(result, tens)
        if action == STOP:
            return _count_higher(result, position.tens)
        return _count_changes(result, position.tens, colour)

    def build_help(self, options: Options) -> list[ui.HelpPart]:
        return [
            _build_aim(int(options["chips_per_player"])),
            _build_ranking(),
            _build_round(),
            _build_first_phase(),
            _build_second_phase(),
        ]

    def build_example(self) -> list[ui.ExampleStep]:
        return list(build_example())


def _count_higher(result: Result, tens: Tens) -> Message:
    # Whoever stops while the tens are open says next which die gives them, for everybody.
    readings: Sequence[Tens] = (tens,) if tens else ("white", "black")
    higher = min(
        sum(rank(roll, each) > rank(result, each) for roll in _THROWS) for each in readings
    )
    return message(
        "{count} of {all} throws of both dice are higher.", count=higher, all=len(_THROWS)
    )


def _count_changes(result: Result, tens: Tens, colour: str) -> Message:
    white, black = result
    rolls = _THROWS
    if colour == "white":
        rolls = [(face, black) for face in FACES]
    elif colour == "black":
        rolls = [(white, face) for face in FACES]
    own, ranks = _best_rank(result, tens), [_best_rank(roll, tens) for roll in rolls]
    return message(
        "Of {all} throws {higher} are higher and {lower} lower.",
        all=len(rolls),
        higher=sum(one > own for one in ranks),
        lower=sum(one < own for one in ranks),
    )


def _best_rank(result: Result, tens: Tens) -> int:
    """Return the rank of a result; while the tens are open, the higher of both readings."""
    return rank(result, tens) if tens else max(rank(result, "white"), rank(result, "black"))


def _build_aim(chips: int) -> ui.HelpPart:
    return ui.help_part(
        message("The aim"),
        message("Get rid of your chips. Whoever does so last loses."),
        plural_message(
            "At first {count} chip for each player is in the middle.",
            "At first {count} chips for each player are in the middle.",
            chips,
        ),
    )


def _build_ranking() -> ui.HelpPart:
    return ui.help_part(
        message("What beats what"),
        message("Doubles beat everything else, from 6-6 down to 1-1."),
        message(
            "Then come the house numbers: one die gives the tens, the other one the units. 65 is "
            "the highest, 12 the lowest."
        ),
        message("The same colour gives the tens for the whole round."),
    )


def _build_round() -> ui.HelpPart:
    return ui.help_part(
        message("A round"),
        message(
            "The starter throws both dice up to {count} times. After each throw: stop, or throw "
            "white, black or both again.",
            count=MOST_THROWS,
        ),
        message("The others follow clockwise. They may throw at most as often as the starter did."),
        message(
            "The starter says which colour gives the tens. With a double, the next player who "
            "stops without one says it."
        ),
    )


def _build_first_phase() -> ui.HelpPart:
    return ui.help_part(
        message("Phase 1: hand out the chips"),
        message(
            "The lowest result takes a chip from the middle and starts the next round. If several "
            "share it, the one who threw last takes the chip."
        ),
        message("The first player starts the first round: by the booklet, the youngest."),
        message("When the last chip is taken, phase 2 begins."),
    )


def _build_second_phase() -> ui.HelpPart:
    return ui.help_part(
        message("Phase 2: get rid of the chips"),
        message("Only players with chips throw. Without chips you have won."),
        message(
            "The player with the most chips starts. If several have the most, they throw both "
            "dice once: the most pips start, equal pips throw again."
        ),
        message(
            "The highest result puts a chip out of the game. If several share it, the first one "
            "to throw it does: a result must be beaten."
        ),
        message("When only one player has chips, that player has lost."),
    )
