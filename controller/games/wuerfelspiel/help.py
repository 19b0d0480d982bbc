# SPDX-License-Identifier: MIT
"""The rules of Würfelspiel in a few lines; every figure is the one that the rules count with."""

from __future__ import annotations

from controller.base.languages.message import message
from controller.games.ui import HelpPart, help_part
from controller.games.wuerfelspiel.rules import THROWS, TURNS
from controller.games.wuerfelspiel.sheet import (
    BONUS,
    BONUS_FROM,
    FIVE_EQUAL,
    FULL_HOUSE,
    LARGE_STRAIGHT,
    SMALL_STRAIGHT,
)


def build_help() -> list[HelpPart]:
    return [_build_aim(), _build_turn(), _build_upper_rows(), _build_lower_rows()]


def _build_aim() -> HelpPart:
    return help_part(
        message("The aim"),
        message("Fill all {count} cells of your sheet, one in each turn.", count=TURNS),
        message("Column 1 counts once, column 2 twice, column 3 three times."),
        message("The highest total wins; equal totals share the win."),
    )


def _build_turn() -> HelpPart:
    return help_part(
        message("A turn"),
        message("Throw all five dice."),
        message(
            "Up to {count} times you may throw dice again: take those, the others stay as they "
            "lie. You may stop after any throw.",
            count=THROWS - 1,
        ),
        message("Then fill one empty cell. A roll that does not fit the cell counts 0 there."),
    )


def _build_upper_rows() -> HelpPart:
    return help_part(
        message("Upper rows"),
        message("Ones to Sixes: the sum of the dice that show that face."),
        message(
            "Bonus: {points} points for a column whose six upper rows total {least} or more.",
            points=BONUS,
            least=BONUS_FROM,
        ),
    )


def _build_lower_rows() -> HelpPart:
    return help_part(
        message("Lower rows"),
        message("3 of a kind, 4 of a kind: the sum of all dice if at least 3 or 4 are equal."),
        message(
            "Full house: {points} points for three equal dice and two other equal ones. Five "
            "equal dice are no full house.",
            points=FULL_HOUSE,
        ),
        message(
            "Small straight: {points} points for 1234, 2345 or 3456 among the dice.",
            points=SMALL_STRAIGHT,
        ),
        message(
            "Large straight: {points} points for 12345 or 23456.",
            points=LARGE_STRAIGHT,
        ),
        message(
            "5 of a kind: {points} points. There is no bonus for further ones.",
            points=FIVE_EQUAL,
        ),
        message("Chance: the sum of all dice, whatever they show."),
    )
