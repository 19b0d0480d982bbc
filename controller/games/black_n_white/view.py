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

from controller.base.languages.message import (
    Message,
    chain_messages,
    join_words,
    message,
    plural_message,
)
from controller.games.black_n_white.notation import Result, Tens, is_double, rank
from controller.games.black_n_white.round import classify_action
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.contract import ActionEvent, GameOutcome
from controller.games.ui import DieGroup, EndedRoundView, OfferedChoice, Prompt, TurnContext

_COLOURS = ("white", "black")

_THROW_WORDS: Mapping[str, str] = {
    "white": message("throw white again"),
    "black": message("throw black again"),
    "both": message("throw both again"),
}


class BlackNWhiteSheetView(TypedDict):
    """The sheet of a player of Black'n'White."""

    kind: Literal["black-n-white"]
    chips: int
    is_out: bool
    white: int
    black: int
    # This round's, in words: "64", "double 5"; "4 5" before the tens are chosen; empty before their
    # throw. In a throw-off it is the total of pips.
    result: str
    throws: int  # How often they threw in this round.
    tens: Literal["white", "black"] | None  # What this player chose.
    # Whether it decides the round as it stands: the lowest in phase 1, the highest in phase 2. No
    # player has it while only one has finished.
    mark: Literal["lowest", "highest"] | None
    total_after: int


class BlackNWhiteBoardView(TypedDict):
    """What lies in the middle, in Black'n'White."""

    kind: Literal["black-n-white"]
    phase: int
    chips: int
    chips_at_start: int
    limit: int  # How many throws everybody has in this round; 3 while the starter throws.
    # The colour that gives the tens; None before it is chosen.
    tens: Literal["white", "black"] | None
    is_throw_off: bool
    text: str  # The same in words.


def show_ended_round(game: BlackNWhiteState) -> EndedRoundView | None:
    """Return whose chip the last round was, before the first throw of this one."""
    ended = game.settled
    is_new = not any(
        game.throws_of(player) or game.throw_off_total(player) for player in game.players
    )
    if ended is None or not is_new or game.is_over:
        return None
    marked = game.players[ended.seat]
    values = {"player": marked, "result": _result_words(ended.result, ended.tens)}
    text = message("{player} was highest with {result} and puts a chip out.", **values)
    if ended.phase == 1:
        text = message("{player} was lowest with {result} and takes a chip.", **values)
    results = [
        (game.players[seat], _result_words(result, ended.tens)) for seat, result in ended.results
    ]
    return {
        "number": game.round - 1,
        "text": text,
        "marked": marked,
        "chips": 1 if ended.phase == 1 else -1,
        "results": results,
    }


@dataclass(frozen=True, slots=True)
class BlackNWhiteGameView:
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
            "mark": decides if self._is_decisive(player) else None,
            "total_after": self._after().chips_of(player),
        }

    def board(self) -> BlackNWhiteBoardView:
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
        roller = self.turn.roller
        if self.game.is_throw_off:
            hint = message("Both dice once; the most pips start the round.")
            return Prompt(message("{player}: throw for the start", player=roller), hint)
        headline = message("{player}: throw both dice", player=roller)
        if roller is not None and self.game.throws_of(roller):
            headline = message("{player}: throw both dice again", player=roller)
        return Prompt(headline, chain_messages([*self._round_before(), self._odds()]))

    def choose_prompt(self) -> Prompt:
        player, result = self._chooser()
        if self._owes_tens():
            white, black = rank(result, "white"), rank(result, "black")
            hint = message(
                "White makes it {white}, black {black}. This holds for the whole round.",
                white=white,
                black=black,
            )
            return Prompt(message("{player}: which die gives the tens?", player=player), hint)
        hint = chain_messages([self._odds(), message("Take or tap the dice that you throw again.")])
        return Prompt(message("{player}: stop or throw again?", player=player), hint)

    def describe_choice(self, choice: OfferedChoice) -> str:
        _, result = self._chooser()
        what, _, colour = choice.action.partition(" ")
        if what == "tens":
            if colour == "white":
                return message("white gives the tens: {result}", result=rank(result, "white"))
            return message("black gives the tens: {result}", result=rank(result, "black"))
        if what == "throw":
            return _THROW_WORDS[colour]
        return message("stop with {result}", result=_result_words(result, self.game.tens))

    def confirm_label(self) -> str:
        what, _, colour = self.turn.action.partition(" ")
        if what == "tens":
            return message("tens: white") if colour == "white" else message("tens: black")
        return _THROW_WORDS[colour] if what == "throw" else message("stop")

    def groups(self) -> Mapping[int, DieGroup]:
        if not self.turn.action or classify_action(self.turn.action) != "throw":
            return {}
        thrown = self.turn.action.removeprefix("throw ")
        return {
            index: "thrown" if thrown in (colour, "both") else "kept"
            for index, colour in enumerate(_COLOURS)
        }

    def progress_text(self) -> str:
        game, player = self.game, self.turn.thrower
        if game.is_throw_off:
            return message("Round {round}, throw-off", round=game.round)
        if player is None:
            return message("Round {round}", round=game.round)
        return message(
            "Round {round}, throw {throw} of {limit}",
            round=game.round,
            throw=game.throws_of(player) + (0 if game.legal_actions(player) else 1),
            limit=game.limit,
        )

    def outcome_text(self, outcome: GameOutcome) -> str:
        if len(outcome.losers) != 1:
            winners = join_words(outcome.winners)
            return message("{players} share the win.", players=winners)
        return plural_message(
            "{loser} has lost, {winners} has won.",
            "{loser} has lost, {winners} have won.",
            len(outcome.winners),
            loser=join_words(outcome.losers),
            winners=join_words(outcome.winners),
        )

    def _after(self) -> BlackNWhiteState:
        if not self.turn.action or self.turn.chooser is None:
            return self.game
        return self.game.apply(ActionEvent(self.turn.chooser, self.turn.action))

    def _is_decisive(self, player: str) -> bool:
        """Return whether this result stands out; the first one of a round is alone yet."""
        return len(self.game.acted) > 1 and self.game.decisive_player() == player

    def _chooser(self) -> tuple[str, Result]:
        player = self.turn.chooser
        result = self.game.result_of(player) if player is not None else None
        assert player is not None, "asked only while somebody chooses"
        assert result is not None, "who chooses has a result"
        return player, result

    def _owes_tens(self) -> bool:
        actions = self.game.legal_actions(self._chooser()[0])
        return any(classify_action(action) == "tens" for action in actions)

    def _odds(self) -> Message:
        player, decides = self.turn.thrower, self.game.decisive_player()
        assert player is not None, "asked only while somebody is on"
        left = self.game.limit - self.game.throws_of(player)
        result = self.game.result_of(decides) if decides is not None else None
        if result is None:
            return plural_message(
                "{count} throw left. The others get no more throws than you use.",
                "{count} throws left. The others get no more throws than you use.",
                left,
            )
        return plural_message(
            "To beat: {result}. {count} throw left.",
            "To beat: {result}. {count} throws left.",
            left,
            result=_result_words(result, self.game.tens),
        )

    def _round_before(self) -> list[str]:
        ended = show_ended_round(self.game)
        return [ended["text"]] if ended else []

    def _result_of(self, player: str) -> str:
        if self.game.is_throw_off:
            total = self.game.throw_off_total(player)
            return "" if total is None else str(total)
        result = self.game.result_of(player)
        return _result_words(result, self.game.tens) if result else ""

    def _board_text(self) -> str:
        game = self.game
        if game.is_throw_off:
            return message("Those with the most chips throw once; the most pips start.")
        parts = [message("The highest result puts a chip out of the game.")]
        if game.phase == 1:
            lie = plural_message(
                "{count} chip is in the middle. The lowest result takes it.",
                "{count} chips are in the middle. The lowest result takes one.",
                game.middle,
            )
            parts = [lie]
        if game.tens == "white":
            parts.append(message("White gives the tens."))
        if game.tens == "black":
            parts.append(message("Black gives the tens."))
        return chain_messages(parts)


# Each by itself, since languages name a double by the face.
_DOUBLES = (
    message("double 1"),
    message("double 2"),
    message("double 3"),
    message("double 4"),
    message("double 5"),
    message("double 6"),
)


def _result_words(result: Result, tens: Tens) -> str:
    """Return a result in words: `double 5`, `64`, or `4 5` before the tens are known."""
    white, black = result
    if is_double(result):
        return _DOUBLES[white - 1]
    return str(rank(result, tens)) if tens else f"{white} {black}"
