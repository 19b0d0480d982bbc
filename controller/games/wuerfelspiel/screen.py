# SPDX-License-Identifier: MIT
"""
Würfelspiel on a screen: a cell to fill, or dice to keep for another throw; and the rules in words.

A tapped die is thrown again; all others stay. Every figure in the texts is the one
that the rules count with.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, partial
from itertools import product

from controller.base.languages.message import (
    Message,
    Number,
    chain_messages,
    message,
    plural_message,
)
from controller.games import ui
from controller.games.contract import Options
from controller.games.dice import FACES, Roll, make_roll
from controller.games.wording import dice_words
from controller.games.wuerfelspiel.example import build_example
from controller.games.wuerfelspiel.notation import CELLS, DICE_COUNT, Cell, parse_hold
from controller.games.wuerfelspiel.rules import THROWS, TURNS, WuerfelspielState
from controller.games.wuerfelspiel.sheet import (
    BONUS,
    BONUS_FROM,
    COLUMNS,
    FACTORS,
    FIVE_EQUAL,
    FULL_HOUSE,
    LARGE_STRAIGHT,
    ROWS,
    SMALL_STRAIGHT,
    UPPER_ROWS,
    WuerfelspielSheet,
    score_row,
)
from controller.games.wuerfelspiel.view import LABELS, WuerfelspielGameView, describe_fill

_AIMS = ("three", "four", "fullhouse", "small", "large", "five")
_MOST_AIMS = 2
_LEAST_CHANCE = 0.01


class WuerfelspielUI(ui.GameUI[WuerfelspielState]):
    first_cursor = -1

    def list_offers(self, position: WuerfelspielState, player: str) -> tuple[ui.OfferedChoice, ...]:
        """
        Return what this player may do: cells that count, what may be kept, cells for nothing.

        Cells are sorted by what they add to the total, with factor and bonus. Holds are sorted by
        the dice that match, as equal faces or as a row, then by how few others they keep. Equal
        faces come before a row, high faces before low ones, and a hold of nothing comes last.
        """
        actions = position.legal_actions(player)
        cells = [ui.scoring_offer(position, player, one, "fill") for one in actions if one in CELLS]
        cells.sort(key=lambda cell: -(cell.gain or 0))
        holds = [
            ui.plain_offer(position, player, one, "throw") for one in actions if one not in CELLS
        ]
        holds.sort(key=lambda hold: _rank_hold(parse_hold(hold.action)), reverse=True)
        counting = [cell for cell in cells if cell.gain]
        return (*counting, *holds, *(cell for cell in cells if not cell.gain))

    def tap_die(
        self, position: WuerfelspielState, player: str, turn: ui.TurnContext, index: int
    ) -> ui.SelectionResult:
        if position.throws >= THROWS:
            return ui.SelectionResult(
                refusal=message("All {count} throws are used.", count=THROWS),
                remedy=message("Choose a cell and enter the roll."),
            )
        view, offers = self.create_view(position, turn), self.list_offers(position, player)
        dice = [str(face) for face in turn.faces]
        return ui.select_throw(view, index, dice, partial(position.hold_action, player), offers)

    def find_arrows(
        self, offers: Sequence[ui.OfferedChoice], turn: ui.TurnContext, cursor: int
    ) -> ui.Arrows:
        """
        Lead along rows and columns of the sheet.

        Up and down go along a column of empty cells. Left and right go along a row; if the row has
        no other empty cell, they lead to the nearest one of the next column. The holds are one more
        row below the sheet. So down and right alone reach every offer. While nothing is selected,
        each arrow leads to the first empty cell.
        """
        cells = {CELLS[one.action]: at for at, one in enumerate(offers) if one.action in CELLS}
        holds = [at for at, one in enumerate(offers) if one.action not in CELLS]
        here = next((cell for cell, at in cells.items() if at == cursor), None)
        if here is not None:
            return {**_find_sides(cells, here), **_find_ends(cells, here, holds)}
        column = [cells[cell] for cell in _list_column(cells, min(cell.column for cell in cells))]
        if cursor < 0:
            return {"up": column[0], "down": column[0], "left": column[0], "right": column[0]}
        return {**ui.step_arrows(holds, cursor), "up": column[-1], "down": column[0]}

    def label_arrows(self, turn: ui.TurnContext) -> tuple[str | None, str | None]:
        return message("next row"), message("next column")

    def create_view(
        self, position: WuerfelspielState, turn: ui.TurnContext
    ) -> WuerfelspielGameView:
        return WuerfelspielGameView(position, turn)

    def describe_action(self, action: str) -> Message | None:
        return describe_fill(action)

    def without_offers(self, sheet: ui.SheetView) -> object:
        return [[cell["points"] for cell in row["cells"]] for row in sheet["rows"]]

    def explain_action(self, position: WuerfelspielState, player: str, action: str) -> str:
        if action not in CELLS:
            return _explain_hold(position, position.sheet_of(player), action)
        cell, sheet = CELLS[action], position.sheet_of(player)
        points = score_row(cell.row, position.faces)
        if not points:
            return message("Gives up this row of the column: it counts nothing.")
        factor = FACTORS[cell.column - 1]
        counts = message(
            "{points} points, times {factor} in this column.", points=points, factor=factor
        )
        return chain_messages([counts, *_explain_bonus(sheet, cell, points)])

    def build_help(self, options: Options) -> list[ui.HelpPart]:
        return [_build_aim(), _build_turn(), _build_upper_rows(), _build_lower_rows()]

    def build_example(self) -> list[ui.ExampleStep]:
        return list(build_example())


def _rank_hold(kept: Sequence[int]) -> tuple[int, int, bool, int]:
    """Return the sort key of a hold, the higher the better."""
    equal = max((kept.count(face) for face in kept), default=0)
    together = max(equal, _longest_row(kept))
    return together, together - len(kept), equal == together, sum(kept)


def _longest_row(faces: Sequence[int]) -> int:
    """Return how many of these faces are neighbours in a row, such as 3 in 1 3 4 5."""
    longest = row = 0
    for face in range(1, 7):
        row = row + 1 if face in faces else 0
        longest = max(longest, row)
    return longest


def _find_ends(cells: Mapping[Cell, int], here: Cell, holds: Sequence[int]) -> ui.Arrows:
    """Return the arrows up and down; below the lowest cell is the best hold."""
    column = [cells[cell] for cell in _list_column(cells, here.column)]
    around = ui.step_arrows([*column, *holds[:1]], cells[here])
    return {"up": around["left"], "down": around["right"]}


def _find_sides(cells: Mapping[Cell, int], here: Cell) -> ui.Arrows:
    """Return the arrows left and right, to the nearest cell of each column."""
    row = ROWS.index(here.row)
    columns = sorted({cell.column for cell in cells})
    nearest = [
        min(_list_column(cells, column), key=lambda cell: abs(ROWS.index(cell.row) - row))
        for column in columns
    ]
    return ui.step_arrows([cells[cell] for cell in nearest], cells[here])


def _list_column(cells: Mapping[Cell, int], column: int) -> list[Cell]:
    """Return the empty cells of a column from the top."""
    return [cell for cell in CELLS.values() if cell in cells and cell.column == column]


def _explain_hold(game: WuerfelspielState, sheet: WuerfelspielSheet, action: str) -> Message:
    kept = parse_hold(action)
    left = THROWS - game.throws - 1
    after = message("After it no throw is left.")
    if left:
        after = plural_message(
            "After it {count} throw is left.", "After it {count} throws are left.", left
        )
    aims = _explain_aims(sheet, kept)
    if not kept:
        return chain_messages([message("Throws all dice again."), *aims, after])
    throws = plural_message(
        "Keeps {dice} and throws one die.",
        "Keeps {dice} and throws {count} dice.",
        DICE_COUNT - len(kept),
        dice=dice_words([str(face) for face in kept]),
    )
    return chain_messages([throws, *aims, after])


def _explain_aims(sheet: WuerfelspielSheet, kept: Roll) -> list[Message]:
    """Return how likely the next throw makes the open rows that it brings most points in."""
    thrown = [
        (make_roll((*kept, *dice)), chance)
        for dice, chance in _list_throws(DICE_COUNT - len(kept)).items()
    ]
    found = []
    for at, row in enumerate(ROWS):
        is_open = any(sheet.column(column)[at] is None for column in range(1, COLUMNS + 1))
        if row in _AIMS and is_open:
            scores = [(score_row(row, faces), chance) for faces, chance in thrown]
            mean = sum(points * chance for points, chance in scores)
            found.append((mean, row, sum(chance for points, chance in scores if points)))
    aims = [
        message("{row} {percent}\u00a0%", row=LABELS[row], percent=Number(100 * chance, ".0f"))
        for _, row, chance in sorted(found, reverse=True)[:_MOST_AIMS]
        if chance >= _LEAST_CHANCE
    ]
    if not aims:
        return []
    return [message("Chances of the next throw: {aims}.", aims=chain_messages(aims, ", "))]


@cache
def _list_throws(count: int) -> Mapping[Roll, float]:
    """Return the chance of each throw of this many dice, in any order."""
    orders = Counter(make_roll(dice) for dice in product(FACES, repeat=count))
    return {roll: number / len(FACES) ** count for roll, number in orders.items()}


def _explain_bonus(sheet: WuerfelspielSheet, cell: Cell, points: int) -> list[Message]:
    before = sheet.upper(cell.column)
    if cell.row not in UPPER_ROWS or before >= BONUS_FROM:
        return []
    missing = BONUS_FROM - before - points
    if missing <= 0:
        return [message("It wins the bonus of the column: {bonus} points.", bonus=BONUS)]
    return [
        message(
            "The column then lacks {missing} points for its bonus of {bonus}.",
            missing=missing,
            bonus=BONUS,
        )
    ]


def _build_aim() -> ui.HelpPart:
    return ui.help_part(
        message("The aim"),
        message("Fill all {count} cells of your sheet, one in each turn.", count=TURNS),
        message("Column 1 counts once, column 2 twice, column 3 three times."),
        message("The highest total wins; equal totals share the win."),
    )


def _build_turn() -> ui.HelpPart:
    return ui.help_part(
        message("A turn"),
        message("Throw all five dice."),
        message(
            "Up to {count} times you may throw dice again: take those, the others stay as they "
            "lie. You may stop after any throw.",
            count=THROWS - 1,
        ),
        message("Then fill one empty cell. A roll that does not fit the cell counts 0 there."),
    )


def _build_upper_rows() -> ui.HelpPart:
    return ui.help_part(
        message("Upper rows"),
        message("Ones to Sixes: the sum of the dice that show that face."),
        message(
            "Bonus: {points} points for a column whose six upper rows total {least} or more.",
            points=BONUS,
            least=BONUS_FROM,
        ),
    )


def _build_lower_rows() -> ui.HelpPart:
    return ui.help_part(
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
        message("Large straight: {points} points for 12345 or 23456.", points=LARGE_STRAIGHT),
        message(
            "5 of a kind: {points} points. There is no bonus for further ones.", points=FIVE_EQUAL
        ),
        message("Chance: the sum of all dice, whatever they show."),
    )
