# SPDX-License-Identifier: MIT
"""
Choices of Choice: two pairs, and what the jokers do to the tapped dice.

Tapped dice fill two pairs; the last die is the fifth. With the corrector, a tap selects the
die to turn. With the 3:1 and two pairs, a tap moves one of their dice to the other total; a
tap on another die moves that one instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from controller.base.languages.message import Message, join_words, message
from controller.games.choice.jokers import (
    CORRECTOR,
    JOKER_TITLES,
    JOKERS,
    TERMINATOR,
    THREE,
    TripleChoice,
    parse_corrector,
    triple_text,
)
from controller.games.choice.notation import TOTALS, choice_from_pairs, parse_choice
from controller.games.choice.rules import ChoiceState
from controller.games.ui import (
    EMPTY_SELECTION,
    DieLimit,
    OfferedChoice,
    Selection,
    SelectionResult,
    TurnContext,
    scoring_offer,
    select_action,
)

PLACES = 4
"""Of the tapped dice that many are in pairs: two and two."""

_NO_PAIRS: tuple[int | None, ...] = (None,) * PLACES


def list_offers(game: ChoiceState, player: str) -> tuple[OfferedChoice, ...]:
    """
    Return what this player may do: pairs and 3:1s, best result first, then the other jokers.

    Terminator and corrector mark nothing by themselves: they bring other dice. So they come
    last, whatever the pairs cost.
    """
    choices = [
        scoring_offer(game, player, text, classify_action(text))
        for text in game.legal_actions(player)
    ]
    return tuple(sorted(choices, key=_rank))


def classify_action(action: str) -> str:
    """Return what an action of Choice is."""
    if action.startswith(THREE):
        return "three"
    return "joker" if action.startswith((TERMINATOR, CORRECTOR)) else "pairs"


def tap_die(game: ChoiceState, player: str, turn: TurnContext, index: int) -> SelectionResult:
    """Return what a tap on the die with this index selects."""
    selection, offers = turn.selection, list_offers(game, player)
    if selection.joker == CORRECTOR:
        dice = () if selection.dice == (index,) else (index,)
        return select_action(Selection(dice, CORRECTOR), None, offers)
    if selection.joker == THREE and None not in _pairs(selection):
        return _send_over(turn, offers, index)
    joker = THREE if selection.joker == THREE else ""
    return _select_pairs(turn.faces, offers, _fill_place(_pairs(selection), index), joker)


def tap_joker(game: ChoiceState, player: str, turn: TurnContext, joker: str) -> SelectionResult:
    """
    Return what a tap on a joker selects; a second tap leaves it.

    The terminator is an action at once. The corrector waits for the die and its new face, the
    3:1 for two pairs and the die that goes over.
    """
    offers = list_offers(game, player)
    if joker == turn.selection.joker:
        return _select_pairs(turn.faces, offers, _pairs(turn.selection), "")
    problem = _find_joker_problem(game, player, joker)
    if problem:
        return SelectionResult(refusal=problem)
    if joker == THREE:
        return _select_pairs(turn.faces, offers, _pairs(turn.selection), THREE)
    action = TERMINATOR if joker == TERMINATOR else None
    return select_action(Selection(joker=joker), action, offers)


def list_limits(game: ChoiceState, player: str, turn: TurnContext) -> Mapping[int, DieLimit]:
    """
    Return which dice may be the fifth one, or must because no other is left for it.

    Empty while every die may be, and with a joker that turns or throws dice first.
    """
    faces = game.sheet_of(player).allowed_fifth(turn.faces)
    if turn.selection.joker in (TERMINATOR, CORRECTOR) or faces >= set(turn.faces):
        return {}
    in_pairs = _pairs(turn.selection)
    may = [at for at, face in enumerate(turn.faces) if face in faces and at not in in_pairs]
    return {at: "must" if len(may) == 1 else "may" for at in may}


def keep_joker(turn: TurnContext, action: str) -> Selection:
    """Return the tapped joker while the cursor is on one of its actions, with the die it turns."""
    joker = turn.selection.joker
    if not joker or not action.startswith(joker):
        return EMPTY_SELECTION
    turned = _tapped_face(turn)
    is_same_die = turned is not None and parse_corrector(action)[0] == turned
    return turn.selection if is_same_die else Selection(joker=joker)


def list_within_joker(offers: Sequence[OfferedChoice], turn: TurnContext) -> Sequence[int]:
    """
    Return the offers, by index, that the tapped joker leaves: all of them without a joker.

    With the corrector and a die, only the faces for that die are left.
    """
    joker, turned = turn.selection.joker, _tapped_face(turn)
    wanted = joker if turned is None else f"{CORRECTOR} {turned}>"
    return [index for index, one in enumerate(offers) if one.action.startswith(wanted)]


def _tapped_face(turn: TurnContext) -> int | None:
    """Return the face of the die that the corrector shall turn; None before it is tapped."""
    if turn.selection.joker != CORRECTOR:
        return None
    return next((turn.faces[one] for one in turn.selection.dice if one is not None), None)


def _rank(choice: OfferedChoice) -> tuple[int, int]:
    if choice.kind != "joker":
        return 0, -(choice.gain or 0)
    return (1 if choice.action == TERMINATOR else 2), 0


def _pairs(tapped: Selection) -> tuple[int | None, ...]:
    """Return the tapped pairs; the die of a corrector is in no pair."""
    if tapped.joker == CORRECTOR or len(tapped.dice) < PLACES:
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
    offers: Sequence[OfferedChoice],
    pairs: tuple[int | None, ...],
    joker: str,
) -> SelectionResult:
    """Select these pairs, and put the cursor on what two whole ones make."""
    selection = Selection(pairs if pairs != _NO_PAIRS else (), joker)
    first, second, third, fourth = pairs
    if joker or first is None or second is None or third is None or fourth is None:
        return select_action(selection, None, offers)
    action = choice_from_pairs(faces, (first, second), (third, fourth))
    result = select_action(selection, action, offers)
    return (
        result
        if result.cursor >= 0
        else replace(result, refusal=_fifth_words(offers), remedy=_FREE)
    )


def _send_over(turn: TurnContext, offers: Sequence[OfferedChoice], index: int) -> SelectionResult:
    """Send a die of one pair over to the other one's total."""
    pairs = [position for position in _pairs(turn.selection) if position is not None]
    if index not in pairs:
        return SelectionResult(
            refusal=message("That is the fifth die."),
            remedy=message("Tap a die of a pair to move it over."),
        )
    faces = turn.faces
    (fifth,) = set(range(len(faces))) - set(pairs)
    mate = pairs[pairs.index(index) ^ 1]
    triple = sum(faces[one] for one in pairs if one != mate)
    three = TripleChoice(triple, faces[mate], faces[fifth])
    result = select_action(Selection((*pairs, index), THREE), triple_text(three), offers)
    return result if result.cursor >= 0 else _refuse_sending(turn, three, offers)


def _refuse_sending(
    turn: TurnContext, three: TripleChoice, offers: Sequence[OfferedChoice]
) -> SelectionResult:
    """Keep the pairs as they were, and say why that die stays in its own."""
    back = select_action(Selection(_pairs(turn.selection), THREE), None, offers)
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


def _fifth_words(choices: Sequence[OfferedChoice]) -> Message:
    pairs = [parse_choice(one.action) for one in choices if one.kind == "pairs"]
    faces = sorted({str(choice.fifth) for choice in pairs})
    return message("The fifth die must be {faces}.", faces=join_words(faces, "or"))


def _find_joker_problem(game: ChoiceState, player: str, joker: str) -> str:
    """Return why this player cannot use this joker now; empty if they can."""
    if not game.options["jokers"]:
        return message("This game is played without jokers.")
    if joker not in JOKERS:
        return message("There is no such joker: {joker}.", joker=joker)
    if joker not in game.jokers_of(player):
        title = JOKER_TITLES[joker]
        return message("{player} has used the {joker} already.", player=player, joker=title)
    if not any(action.startswith(joker) for action in game.legal_actions(player)):
        return message(
            "These dice make no 3:1: both sums must be from {first} to {last}.",
            first=TOTALS[0],
            last=TOTALS[-1],
        )
    return ""


_FREE = message("Tap a die to free it.")
