# SPDX-License-Identifier: MIT
"""
Choice on a screen: two pairs, what the jokers do to the tapped dice, and the rules in words.

Tapped dice fill two pairs; the last die is the fifth. With the corrector, a tap selects the
die to turn. With the 3:1 and two pairs, a tap moves one of their dice to the other total; a
tap on another die moves that one instead. Every figure in the texts is the one that the rules
count with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from controller.base.languages.message import (
    Message,
    chain_messages,
    join_words,
    message,
    plural_message,
)
from controller.games import ui
from controller.games.choice import jokers
from controller.games.choice.example import build_example
from controller.games.choice.notation import DICE_COUNT, TOTALS, choice_from_pairs, parse_choice
from controller.games.choice.rules import ChoiceState
from controller.games.choice.sheet import (
    FIFTH_BOXES,
    FIFTH_ROWS,
    PAID_MARKS,
    PAR_MARKS,
    PENALTY,
    VALUES,
    ChoiceSheet,
    FifthDieRow,
    count_points,
)
from controller.games.choice.view import PLACES, ChoiceGameView
from controller.games.contract import ActionEvent, Options
from controller.games.dice import FACES
from controller.games.wording import format_signed

_NO_PAIRS: tuple[int | None, ...] = (None,) * PLACES
_FREE = message("Tap a die to free it.")
_FEW_TOTALS = 3


class ChoiceUI(ui.GameUI[ChoiceState]):
    def list_offers(self, position: ChoiceState, player: str) -> tuple[ui.OfferedChoice, ...]:
        """
        Return what this player may do: pairs and 3:1s, best result first, then the other jokers.

        Terminator and corrector mark nothing by themselves: they bring other dice. So they come
        last, whatever the pairs cost.
        """
        choices = [
            ui.scoring_offer(position, player, text, jokers.classify_action(text))
            for text in position.legal_actions(player)
        ]
        return tuple(sorted(choices, key=_rank))

    def tap_die(
        self, position: ChoiceState, player: str, turn: ui.TurnContext, index: int
    ) -> ui.SelectionResult:
        selection, offers = turn.selection, self.list_offers(position, player)
        if selection.joker == jokers.CORRECTOR:
            dice = () if selection.dice == (index,) else (index,)
            return ui.select_action(ui.Selection(dice, jokers.CORRECTOR), None, offers)
        if selection.joker == jokers.THREE and None not in _pairs(selection):
            return _send_over(turn, offers, index)
        joker = jokers.THREE if selection.joker == jokers.THREE else ""
        return _select_pairs(turn.faces, offers, _fill_place(_pairs(selection), index), joker)

    def tap_joker(
        self, position: ChoiceState, player: str, turn: ui.TurnContext, joker: str
    ) -> ui.SelectionResult:
        """
        Return what a tap on a joker selects; a second tap leaves it.

        The terminator is an action at once. The corrector waits for the die and its new face, the
        3:1 for two pairs and the die that goes over.
        """
        offers = self.list_offers(position, player)
        if joker == turn.selection.joker:
            return _select_pairs(turn.faces, offers, _pairs(turn.selection), "")
        problem = _find_joker_problem(position, player, joker)
        if problem:
            return ui.SelectionResult(refusal=problem)
        if joker == jokers.THREE:
            return _select_pairs(turn.faces, offers, _pairs(turn.selection), jokers.THREE)
        action = jokers.TERMINATOR if joker == jokers.TERMINATOR else None
        return ui.select_action(ui.Selection(joker=joker), action, offers)

    def list_limits(
        self, position: ChoiceState, player: str, turn: ui.TurnContext
    ) -> Mapping[int, ui.DieLimit]:
        """Return which dice may be the fifth; empty while all may, or a joker comes first."""
        faces = position.sheet_of(player).allowed_fifth(turn.faces)
        if turn.selection.joker in (jokers.TERMINATOR, jokers.CORRECTOR) or faces >= set(
            turn.faces
        ):
            return {}
        in_pairs = _pairs(turn.selection)
        may = [at for at, face in enumerate(turn.faces) if face in faces and at not in in_pairs]
        return {at: "must" if len(may) == 1 else "may" for at in may}

    def keep_selection(self, turn: ui.TurnContext, action: str) -> ui.Selection:
        """Keep the joker while the cursor is on one of its actions, with the die it turns."""
        joker = turn.selection.joker
        if not joker or not action.startswith(joker):
            return ui.EMPTY_SELECTION
        turned = _tapped_face(turn)
        is_same_die = turned is not None and jokers.parse_corrector(action)[0] == turned
        return turn.selection if is_same_die else ui.Selection(joker=joker)

    def find_arrows(
        self, offers: Sequence[ui.OfferedChoice], turn: ui.TurnContext, cursor: int
    ) -> ui.Arrows:
        """Lead along the offers that the tapped joker and its die leave; all without a joker."""
        joker, turned = turn.selection.joker, _tapped_face(turn)
        wanted = joker if turned is None else f"{jokers.CORRECTOR} {turned}>"
        left = [index for index, one in enumerate(offers) if one.action.startswith(wanted)]
        return ui.step_arrows(left, cursor)

    def label_arrows(self, turn: ui.TurnContext) -> tuple[str | None, str | None]:
        if turn.selection.joker == jokers.TERMINATOR:
            return None, None
        return super().label_arrows(turn)

    def create_view(self, position: ChoiceState, turn: ui.TurnContext) -> ChoiceGameView:
        return ChoiceGameView(position, turn)

    def explain_action(self, position: ChoiceState, player: str, action: str) -> str:
        if jokers.classify_action(action) == "joker":
            return chain_messages([_explain_joker(action), _explain_use()])
        before, after = position.sheet_of(player), position.apply(ActionEvent(player, action))
        sheet = after.sheet_of(player)
        parts = [*_explain_totals(before, sheet), *_explain_open(before, sheet)]
        parts += _explain_fifth(before, sheet)
        if after.jokers_of(player) != position.jokers_of(player):
            parts.append(_explain_use())
        return chain_messages(parts)

    def build_help(self, options: Options) -> list[ui.HelpPart]:
        parts = [_build_aim(), _build_roll(), _build_fifth_die(), _build_points()]
        return [*parts, _build_jokers()] if options["jokers"] else parts

    def build_example(self) -> list[ui.ExampleStep]:
        return list(build_example())


def _tapped_face(turn: ui.TurnContext) -> int | None:
    """Return the face of the die that the corrector shall turn; None before it is tapped."""
    if turn.selection.joker != jokers.CORRECTOR:
        return None
    return next((turn.faces[one] for one in turn.selection.dice if one is not None), None)


def _rank(choice: ui.OfferedChoice) -> tuple[int, int]:
    if choice.kind != "joker":
        return 0, -(choice.gain or 0)
    return (1 if choice.action == jokers.TERMINATOR else 2), 0


def _pairs(tapped: ui.Selection) -> tuple[int | None, ...]:
    """Return the tapped pairs; the die of a corrector is in no pair."""
    if tapped.joker == jokers.CORRECTOR or len(tapped.dice) < PLACES:
        return _NO_PAIRS
    return tapped.dice[:PLACES]


def _fill_place(pairs: Sequence[int | None], index: int) -> tuple[int | None, ...]:
    """Return the pairs after a tap: a taken die is freed, a free one fills a place."""
    places = list(pairs)
    if index in places:
        places[places.index(index)] = None
    elif None in places:
        places[places.index(None)] = index
    return tuple(places)


def _select_pairs(
    faces: Sequence[int],
    offers: Sequence[ui.OfferedChoice],
    pairs: tuple[int | None, ...],
    joker: str,
) -> ui.SelectionResult:
    selection = ui.Selection(pairs if pairs != _NO_PAIRS else (), joker)
    first, second, third, fourth = pairs
    if joker or first is None or second is None or third is None or fourth is None:
        return ui.select_action(selection, None, offers)
    action = choice_from_pairs(faces, (first, second), (third, fourth))
    result = ui.select_action(selection, action, offers)
    return (
        result
        if result.cursor >= 0
        else replace(result, refusal=_fifth_words(offers), remedy=_FREE)
    )


def _send_over(
    turn: ui.TurnContext, offers: Sequence[ui.OfferedChoice], index: int
) -> ui.SelectionResult:
    """Send a die of one pair over to the other one's total."""
    pairs = [position for position in _pairs(turn.selection) if position is not None]
    if index not in pairs:
        return ui.SelectionResult(
            refusal=message("That is the fifth die."),
            remedy=message("Tap a die of a pair to move it over."),
        )
    faces = turn.faces
    (fifth,) = set(range(len(faces))) - set(pairs)
    mate = pairs[pairs.index(index) ^ 1]
    triple = sum(faces[one] for one in pairs if one != mate)
    three = jokers.TripleChoice(triple, faces[mate], faces[fifth])
    result = ui.select_action(
        ui.Selection((*pairs, index), jokers.THREE), jokers.triple_text(three), offers
    )
    return result if result.cursor >= 0 else _refuse_sending(turn, three, offers)


def _refuse_sending(
    turn: ui.TurnContext, three: jokers.TripleChoice, offers: Sequence[ui.OfferedChoice]
) -> ui.SelectionResult:
    """Keep the pairs as they were, and say why that die stays in its own."""
    back = ui.select_action(ui.Selection(_pairs(turn.selection), jokers.THREE), None, offers)
    if three.triple > TOTALS[-1]:
        reason = message(
            "The three dice make {sum}: the sheet ends at {last}.",
            sum=three.triple,
            last=TOTALS[-1],
        )
    elif three.single < TOTALS[0]:
        reason = message(
            "A single {face} is no sum: the sheet begins at {first}.",
            face=three.single,
            first=TOTALS[0],
        )
    else:
        reason = _fifth_words(offers)
    remedy = message("Move another die over, or put the joker back.")
    return replace(back, refusal=reason, remedy=remedy)


def _fifth_words(choices: Sequence[ui.OfferedChoice]) -> Message:
    pairs = [parse_choice(one.action) for one in choices if one.kind == "pairs"]
    faces = sorted({str(choice.fifth) for choice in pairs})
    return message("The fifth die must be {faces}.", faces=join_words(faces, "or"))


def _find_joker_problem(game: ChoiceState, player: str, joker: str) -> str:
    """Return why this player cannot use this joker now; empty if they can."""
    if not game.options["jokers"]:
        return message("This game is played without jokers.")
    if joker not in jokers.JOKERS:
        return message("There is no such joker: {joker}.", joker=joker)
    if joker not in game.jokers_of(player):
        title = jokers.JOKER_TITLES[joker]
        return message("{player} has used the {joker} already.", player=player, joker=title)
    if not any(action.startswith(joker) for action in game.legal_actions(player)):
        return message(
            "These dice make no 3:1: both sums must be from {first} to {last}.",
            first=TOTALS[0],
            last=TOTALS[-1],
        )
    return ""


def _explain_joker(action: str) -> Message:
    if action == jokers.TERMINATOR:
        return message("Throws five new dice.")
    old, new = jokers.parse_corrector(action)
    return message("Makes the {old} a {new}.", old=old, new=new)


def _explain_use() -> Message:
    return message(
        "The joker is used up: unused it counts {points} points at the end.",
        points=jokers.JOKER_POINTS,
    )


def _explain_totals(before: ChoiceSheet, after: ChoiceSheet) -> Iterator[Message]:
    for total in TOTALS:
        had, has = before.marks_on(total), after.marks_on(total)
        gained = count_points(total, has) - count_points(total, had)
        if had == has:
            continue
        if has < PAR_MARKS and not had:
            yield plural_message(
                "Begins the {total} with {count} cross: minus {penalty} until it has {par}.",
                "Begins the {total} with {count} crosses: minus {penalty} until it has {par}.",
                has,
                total=total,
                penalty=PENALTY,
                par=PAR_MARKS,
            )
        elif has < PAR_MARKS:
            yield message(
                "Brings the {total} to {marks} of {par} crosses.",
                total=total,
                marks=has,
                par=PAR_MARKS,
            )
        elif had < PAR_MARKS:
            yield message(
                "Completes {par} crosses on the {total}: plus {points} points.",
                par=PAR_MARKS,
                total=total,
                points=gained,
            )
        elif gained:
            yield message("Plus {points} points on the {total}.", points=gained, total=total)
        else:
            yield message("The {total} is full: its cross counts nothing.", total=total)


def _explain_open(before: ChoiceSheet, after: ChoiceSheet) -> Iterator[Message]:
    """Name the last totals without a cross, if the choice begins none of them."""
    was_open, is_open = (
        [total for total in TOTALS if not of.marks_on(total)] for of in (before, after)
    )
    if was_open == is_open and 0 < len(is_open) <= _FEW_TOTALS:
        yield message("Keeps {totals} open.", totals=join_words([*map(str, is_open)]))


def _explain_fifth(before: ChoiceSheet, after: ChoiceSheet) -> Iterator[Message]:
    if before.fifth == after.fifth:
        yield message("A free roll: no fifth die is crossed off.")
        return
    new = next(row for row in after.fifth if row not in before.fifth)
    begun = len(after.fifth)
    if begun == len(before.fifth):
        yield _explain_cross(new)
    elif begun == FIFTH_ROWS:
        first, second, third = sorted(row.face for row in after.fifth)
        yield message(
            "Makes {face} the last fifth die: from now on it is {first}, {second} or {third}, "
            "if the roll has one.",
            face=new.face,
            first=first,
            second=second,
            third=third,
        )
    else:
        yield message(
            "Makes {face} fifth die number {count} of {most}.",
            face=new.face,
            count=begun,
            most=FIFTH_ROWS,
        )
        yield _explain_next(sorted(row.face for row in after.fifth))


def _explain_next(begun: Sequence[int]) -> Message:
    """Say how often a roll shows no fifth die that is begun, so that the next one must begin."""
    has_none = (1 - len(begun) / len(FACES)) ** DICE_COUNT
    return message(
        "In {rolls} of 100 rolls there is no {faces}: then number {next} begins.",
        rolls=round(100 * has_none),
        faces=join_words([*map(str, begun)], "or"),
        next=len(begun) + 1,
    )


def _explain_cross(row: FifthDieRow) -> Message:
    if row.marks >= FIFTH_BOXES:
        return message("The fifth die {face} is full: the game ends here.", face=row.face)
    if row.marks == FIFTH_BOXES - 1:
        return message("One more fifth die {face} ends the game.", face=row.face)
    return message(
        "The fifth die {face} has {marks} of {boxes} crosses.",
        face=row.face,
        marks=row.marks,
        boxes=FIFTH_BOXES,
    )


def _build_aim() -> ui.HelpPart:
    return ui.help_part(
        message("The aim"),
        message("One roll of five dice counts for everybody. You all mark sheets of your own."),
        message("The highest result wins, even if it is negative; equal results share the win."),
        message("If you play alone, a negative result is a defeat."),
    )


def _build_roll() -> ui.HelpPart:
    return ui.help_part(
        message("A roll"),
        message(
            "Make two pairs and leave one die, the fifth die. Cross off the sum of each pair on "
            "your sheet. Each die is used once."
        ),
        message("When all have chosen, the next player clockwise who is still in the game throws."),
    )


def _build_fifth_die() -> ui.HelpPart:
    return ui.help_part(
        message("The fifth die"),
        message(
            "The first three different faces that you leave get a row each. Until you have "
            "three, you may leave any die. Each fifth die crosses off a box in its row."
        ),
        message(
            "Once you have three: if the roll shows one of them, you must leave that die. If it "
            "shows several, you choose one of them."
        ),
        message("If it shows none of them, it is a free roll: leave any die, without a cross."),
        message(
            "Your game ends when one of your three has {boxes} crosses. The others play on.",
            boxes=FIFTH_BOXES,
        ),
    )


def _build_points() -> ui.HelpPart:
    return ui.help_part(
        message("Points for each sum"),
        message(
            "No cross: 0. 1 to {few} crosses: {penalty}. {par} crosses: 0.",
            few=PAR_MARKS - 1,
            penalty=format_signed(-PENALTY),
            par=PAR_MARKS,
        ),
        message(
            "Cross number {first} to {last}: each counts the points of its sum. More crosses "
            "are allowed, but count nothing.",
            first=PAR_MARKS + 1,
            last=PAID_MARKS,
        ),
        message("Points: {list}.", list=_list_values()),
    )


def _build_jokers() -> ui.HelpPart:
    return ui.help_part(
        message("Jokers"),
        message(
            "You have each joker once in the game. Each unused one counts {points} points at the "
            "end. You may use several on one roll.",
            points=jokers.JOKER_POINTS,
        ),
        message("Terminator: you throw all five dice again, for yourself alone."),
        message("Corrector: you turn one die to any other face, for yourself alone."),
        message(
            "3:1: three dice and one die instead of two pairs. Both sums must be from {low} to "
            "{high}.",
            low=TOTALS[0],
            high=TOTALS[-1],
        ),
    )


def _list_values() -> Message:
    """Return what a cross on each sum is worth, sums of one value together."""
    first, last = TOTALS[0], TOTALS[-1]
    pairs = [
        message("{low} and {high}: {points}", low=low, high=first + last - low, points=VALUES[low])
        for low in range(first, (first + last) // 2)
    ]
    middle = message("{sum}: {points}", sum=(first + last) // 2, points=VALUES[(first + last) // 2])
    return chain_messages([*pairs, middle], ", ")
