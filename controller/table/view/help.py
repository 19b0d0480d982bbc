# SPDX-License-Identifier: MIT
"""
The rules of each game in a few lines, for people who sit at the table.

Every figure is the one that the rules themselves count with.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from controller.games import GAMES
from controller.games.black_n_white.round import MOST_THROWS
from controller.games.choice.jokers import JOKER_POINTS
from controller.games.choice.sheet import FIFTH_BOXES, PAID_MARKS, PAR_MARKS, PENALTY, VALUES
from controller.games.contract import Options
from controller.games.wuerfelspiel.rules import THROWS, TURNS
from controller.games.wuerfelspiel.sheet import (
    BONUS,
    BONUS_FROM,
    FIVE_EQUAL,
    FULL_HOUSE,
    LARGE_STRAIGHT,
    SMALL_STRAIGHT,
)
from controller.table.view.types import HelpPart, HelpView


def build_help(game: str, options: Options) -> HelpView:
    """Return the rules of a game as it is played with these options, and who settles a doubt."""
    return {"title": GAMES[game].title, "parts": [*_RULES[game](options), _doubtful_roll()]}


def _doubtful_roll() -> HelpPart:
    return _part(
        "A roll that somebody doubts",
        "Review, R, or left held for a second: see it once more while play waits.",
        "An official corrects it with the PIN; what was chosen since is taken back.",
    )


def _choice(options: Options) -> list[HelpPart]:
    parts = [
        _part(
            "What it is about",
            "One roll of five dice serves everybody; each marks a sheet of their own.",
            "The highest result wins, even if it is negative. Alone, 0 or more is a win.",
        ),
        _part(
            "A roll",
            "Make two pairs and leave one die, the fifth. Each pair's total gets a mark.",
            "When all have chosen, the next player still in the game throws.",
        ),
        _part(
            "The fifth die",
            "The first three faces that you leave out get a row each.",
            "After that, if the roll shows one of your three, you must leave one of them.",
            "If it shows none, it is a free roll: leave any die, without a mark.",
            f"Your game ends with the {_ordinal(FIFTH_BOXES)} mark of a face; others play on.",
        ),
        _part(
            "Points for each total",
            f"No mark 0, one to {PAR_MARKS - 1} marks −{PENALTY}, {PAR_MARKS} marks 0.",
            f"Each mark from the {_ordinal(PAR_MARKS + 1)} to the {_ordinal(PAID_MARKS)} counts "
            "the value of the total; more count nothing.",
            _values(),
        ),
    ]
    return [*parts, _jokers()] if options["jokers"] else parts


def _jokers() -> HelpPart:
    return _part(
        "Jokers",
        f"You have one of each for the whole game; each unused one counts {JOKER_POINTS} at the "
        "end. Several may be used on one roll.",
        "Terminator: throw all five dice again, for you alone.",
        "Corrector: turn one die to any other face, for you alone.",
        "3:1: three dice and one die instead of two pairs; both totals must be from 2 to 12.",
    )


def _black_n_white(options: Options) -> list[HelpPart]:
    chips = options["chips_per_player"]
    lie = "1 chip per player lies" if chips == 1 else f"{chips} chips per player lie"
    return [
        _part(
            "What it is about",
            f"Whoever is the last to hold chips loses. {lie} in the middle.",
        ),
        _part(
            "What beats what",
            "Doubles beat everything, 6-6 is the highest. Then the numbers, from 65 down to 12.",
            "One die gives the tens, the same colour for all in a round.",
        ),
        _part(
            "A round",
            f"The starter throws up to {MOST_THROWS} times: stop, or throw one die or both again. "
            "As many throws as the starter used, all others have.",
            "Without a double the starter says which colour gives the tens; after a double the "
            "next player without one says it.",
        ),
        _part(
            "Phase 1: chips are handed out",
            "The lowest takes a chip and starts the next round; of equal lowest, who threw last.",
            "When the last chip is taken, phase 2 begins.",
        ),
        _part(
            "Phase 2: chips go out of the game",
            "The highest puts a chip out; of equal highest, the first to throw it: a result must "
            "be beaten.",
            "Only players with chips play. Most chips start; equal ones throw off, most pips "
            "start, equal pips throw again.",
            "Without chips you have won. Who alone still holds chips has lost.",
        ),
    ]


def _wuerfelspiel(options: Options) -> list[HelpPart]:
    return [
        _part(
            "What it is about",
            f"Fill all {TURNS} cells of your sheet, one a turn. The highest total wins.",
            "The columns count once, twice and three times.",
        ),
        _part(
            "A turn",
            f"Throw five dice, then up to {THROWS - 1} times again those that you do not keep: "
            "take them, leave the others.",
            "Then fill one empty cell; after an earlier throw too. What does not fit counts 0.",
        ),
        _part(
            "Upper rows",
            "Ones to sixes: the sum of the dice that show that face.",
            f"{BONUS_FROM} or more in the six upper rows of a column: {BONUS} more in it.",
        ),
        _part(
            "Lower rows",
            "3 or 4 of a kind and chance: the sum of all five dice.",
            f"Full house {FULL_HOUSE}: three equal and two others equal; five equal are none.",
            f"Small straight, four in a row, {SMALL_STRAIGHT}; large straight, five in a row, "
            f"{LARGE_STRAIGHT}.",
            f"5 of a kind {FIVE_EQUAL}; there is no bonus for further ones.",
        ),
    ]


def _values() -> str:
    """Return what a mark on each total is worth, totals of one value together."""
    pairs = [f"{low} and {14 - low}: {VALUES[low]}" for low in range(2, 7)]
    return f"Values: {', '.join(pairs)}, 7: {VALUES[7]}."


def _ordinal(number: int) -> str:
    words = {6: "sixth", 8: "eighth", 10: "tenth"}
    return words[number]


def _part(heading: str, *lines: str) -> HelpPart:
    return {"heading": heading, "lines": list(lines)}


_RULES: Mapping[str, Callable[[Options], list[HelpPart]]] = {
    "choice": _choice,
    "black-n-white": _black_n_white,
    "wuerfelspiel": _wuerfelspiel,
}
