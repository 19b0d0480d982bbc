# SPDX-License-Identifier: MIT
"""
What a screen shows of Black'n'White: results and chips of the players, chips in the middle.

A result is a number once the tens are known. The one that decides the round as it stands is
marked, because all others play against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypedDict

from controller.games.black_n_white.notation import Result, Tens, is_double, rank
from controller.games.black_n_white.picking import classify_action
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.contract import ActionEvent, GameOutcome
from controller.games.ui import DieGroup, OfferedChoice, Prompt, TurnContext
from controller.games.wording import join_words

_COLOURS = ("white", "black")


class BlackNWhiteSheetView(TypedDict):
    """
    The sheet of a player of Black'n'White.

    `result` is this round's, in words ("64", "double 5"; "4 5" before the tens are chosen),
    empty before their throw; `throws` how often they threw in this round. `mark`: whether it
    decides the round as it stands (the lowest in phase 1, the highest in phase 2).
    `tens` is what this player chose. In a throw-off `result` is the total of pips.
    """

    kind: Literal["black-n-white"]
    chips: int
    is_out: bool
    white: int
    black: int
    result: str
    throws: int
    tens: Literal["white", "black"] | None
    mark: Literal["lowest", "highest"] | None
    total_after: int


class BlackNWhiteBoardView(TypedDict):
    """
    What lies in the middle, in Black'n'White.

    `limit` is how many throws everybody has in this round, 3 while the starter throws; `tens`
    the colour that gives the tens, None before it is chosen. `text` says the same in words.
    """

    kind: Literal["black-n-white"]
    phase: int
    chips: int
    chips_at_start: int
    limit: int
    tens: Literal["white", "black"] | None
    is_throw_off: bool
    text: str


@dataclass(frozen=True, slots=True)
class BlackNWhiteGameView:
    """Black'n'White on a screen."""

    game: BlackNWhiteState
    turn: TurnContext

    def sheet(self, player: str) -> BlackNWhiteSheetView:
        game = self.game
        white, black = game.result_of(player) or (0, 0)
        decides: Literal["lowest", "highest"] = "lowest" if game.phase == 1 else "highest"
        return {
            "kind": "black-n-white",
            "chips": game.chips_of(player),
            "is_out": game.phase == 2 and not game.chips_of(player),
            "white": white,
            "black": black,
            "result": self._result_of(player),
            "throws": game.throws_of(player),
            "tens": (game.tens or None) if game.tens_by == player else None,
            "mark": decides if game.decisive_player() == player else None,
            "total_after": self._after().chips_of(player),
        }

    def board(self) -> BlackNWhiteBoardView:
        """Return the chips in the middle, and what holds for everybody in this round."""
        game = self.game
        return {
            "kind": "black-n-white",
            "phase": game.phase,
            "chips": game.middle,
            "chips_at_start": game.chips_per_player * len(game.players),
            "limit": game.limit,
            "tens": game.tens or None,
            "is_throw_off": game.is_throw_off,
            "text": self._board_text(),
        }

    def throw_prompt(self) -> Prompt:
        """Return what the first throw of a round, or of a throw-off, is for."""
        if self.game.is_throw_off:
            hint = "Both dice once; the most pips start the round."
            return Prompt(f"{self.turn.roller}: throw for the start", hint)
        headline = f"{self.turn.roller}: throw both dice"
        if self.turn.roller is not None and self.game.throws_of(self.turn.roller):
            headline += " again"
        return Prompt(headline, f"{self._round_before()}{self._odds()}")

    def choose_prompt(self) -> Prompt:
        """Return what is to beat and how many throws are left, or what the tens would make."""
        player, result = self._chooser()
        if self._owes_tens():
            white, black = rank(result, "white"), rank(result, "black")
            hint = f"White makes it {white}, black {black}. It holds for the whole round."
            return Prompt(f"{player}: which die gives the tens?", hint)
        return Prompt(
            f"{player}: stop or throw again?", f"{self._odds()} Take what you throw again."
        )

    def describe_choice(self, choice: OfferedChoice) -> str:
        """Return an action in words."""
        _, result = self._chooser()
        what, _, colour = choice.action.partition(" ")
        if what == "tens":
            tens: Tens = "white" if colour == "white" else "black"
            return f"{colour} gives the tens: {rank(result, tens)}"
        if what == "throw":
            return f"throw {colour} again"
        return f"stop with {_result_words(result, self.game.tens)}"

    def confirm_label(self) -> str:
        """Return what confirm does: `stop`, `throw black again`, `say white`."""
        what, _, colour = self.turn.action.partition(" ")
        return {"tens": f"say {colour}", "throw": f"throw {colour} again"}.get(what, what)

    def groups(self) -> Mapping[int, DieGroup]:
        """Return which die is thrown again and which stays."""
        if not self.turn.action or classify_action(self.turn.action) != "throw":
            return {}
        thrown = self.turn.action.removeprefix("throw ")
        return {
            index: "thrown" if thrown in (colour, "both") else "kept"
            for index, colour in enumerate(_COLOURS)
        }

    def progress_text(self) -> str:
        """Return which round is on, and which throw of how many."""
        game, player = self.game, self.turn.thrower
        if game.is_throw_off:
            return f"Round {game.round}, throw-off"
        if player is None:
            return f"Round {game.round}"
        throw = game.throws_of(player) + (0 if game.legal_actions(player) else 1)
        return f"Round {game.round}, throw {throw} of {game.limit}"

    def outcome_text(self, outcome: GameOutcome) -> str:
        """Return who lost, and so who won."""
        have = "has" if len(outcome.winners) == 1 else "have"
        return f"{join_words(outcome.losers)} has lost; {join_words(outcome.winners)} {have} won."

    def _after(self) -> BlackNWhiteState:
        if not self.turn.action or self.turn.chooser is None:
            return self.game
        return self.game.apply(ActionEvent(self.turn.chooser, self.turn.action))

    def _chooser(self) -> tuple[str, Result]:
        player = self.turn.chooser
        result = self.game.result_of(player) if player is not None else None
        assert player is not None, "asked only while somebody chooses"
        assert result is not None, "who chooses has a result"
        return player, result

    def _owes_tens(self) -> bool:
        actions = self.game.legal_actions(self._chooser()[0])
        return any(classify_action(action) == "tens" for action in actions)

    def _odds(self) -> str:
        """Return what is to beat and how many throws are left, in one sentence."""
        player, decides = self.turn.thrower, self.game.decisive_player()
        assert player is not None, "asked only while somebody is on"
        left = self.game.limit - self.game.throws_of(player)
        throws = "1 throw" if left == 1 else f"{left} throws"
        result = self.game.result_of(decides) if decides is not None else None
        if result is None:
            return f"{throws} left; what you use is the limit for all."
        words = _result_words(result, self.game.tens)
        return f"{words[0].upper()}{words[1:]} is to beat, {throws} left."

    def _round_before(self) -> str:
        """Return whose chip the last round was, before the first throw of this one."""
        game, ended = self.game, self.game.settled
        if ended is None or any(game.throws_of(player) for player in game.players):
            return ""
        result = _result_words(ended.result, ended.tens)
        was = "lowest: a chip for" if ended.phase == 1 else "highest: a chip less for"
        return f"{result} was {was} {game.players[ended.seat]}. "

    def _result_of(self, player: str) -> str:
        if self.game.is_throw_off:
            total = self.game.throw_off_total(player)
            return "" if total is None else str(total)
        result = self.game.result_of(player)
        return _result_words(result, self.game.tens) if result else ""

    def _board_text(self) -> str:
        game = self.game
        if game.is_throw_off:
            return "Those with most chips throw once: the most pips start."
        if game.phase == 1:
            lie = "1 chip lies" if game.middle == 1 else f"{game.middle} chips lie"
            text = f"{lie} in the middle; the lowest takes one."
        else:
            text = "The highest puts a chip out of the game."
        return f"{text} {game.tens.capitalize()} gives the tens." if game.tens else text


def _result_words(result: Result, tens: Tens) -> str:
    """Return a result in words: `double 5`, `64`, or `4 5` before the tens are known."""
    white, black = result
    if is_double(result):
        return f"double {white}"
    return str(rank(result, tens)) if tens else f"{white} {black}"
