# SPDX-License-Identifier: MIT
"""
Choice by cursor and by tap: two pairs, and what the jokers do to the tapped dice.

Tapped dice fill two pairs; the die that is left over is the fifth. With the corrector a
tap names the die to turn instead. With the 3:1, once two pairs stand, a tap sends one
of their dice over to the other total; tapping another die sends that one instead.
"""

from __future__ import annotations

from collections.abc import Sequence

from controller.games.choice.jokers import (
    CORRECTOR,
    JOKERS,
    TERMINATOR,
    THREE,
    TripleChoice,
    parse_corrector,
    triple_text,
)
from controller.games.choice.notation import TOTALS, choice_from_pairs, parse_choice
from controller.games.choice.rules import ChoiceState
from controller.table.game_ui.offers import OfferedChoice, OfferKind, scoring_offer
from controller.table.pointing import select_action, with_refusal
from controller.table.state import Selection, TableState
from controller.table.wording import join_words

PLACES = 4
"""Of the tapped dice so many are in pairs: two and two."""

_NO_PAIRS: tuple[int | None, ...] = (None,) * PLACES


def list_offers(game: ChoiceState, player: str) -> tuple[OfferedChoice, ...]:
    """
    Return what this player may do: pairs and 3:1s, best result first, then the other jokers.

    A terminator or corrector marks nothing by itself: it brings other dice to choose from. So
    they come last, whatever the pairs cost, the corrector's many ways after the terminator.
    """
    choices = [
        scoring_offer(game, player, text, classify_action(text))
        for text in game.legal_actions(player)
    ]
    return tuple(sorted(choices, key=_rank))


def classify_action(action: str) -> OfferKind:
    """Return what an action of Choice is."""
    if action.startswith(THREE):
        return "three"
    return "joker" if action.startswith((TERMINATOR, CORRECTOR)) else "pairs"


def tap_die(state: TableState, game: ChoiceState, player: str, index: int) -> TableState:
    """Return the state after the die with this index among the shown ones was tapped."""
    tapped = state.selection
    choices = list_offers(game, player)
    if tapped.joker == CORRECTOR:
        dice = () if tapped.dice == (index,) else (index,)
        return select_action(state, Selection(dice, CORRECTOR), None, choices)
    if tapped.joker == THREE and None not in _pairs(tapped):
        return _send_over(state, choices, index)
    joker = THREE if tapped.joker == THREE else ""
    return _select_pairs(state, choices, _fill_place(_pairs(tapped), index), joker)


def tap_joker(state: TableState, game: ChoiceState, player: str, joker: str) -> TableState:
    """Return the state after a joker was tapped: it is taken up, or left if it was already."""
    choices = list_offers(game, player)
    if joker == state.selection.joker:
        return _select_pairs(state, choices, _pairs(state.selection), "")
    reason = _find_joker_problem(game, player, joker)
    if reason:
        return with_refusal(state, reason)
    if joker == THREE:
        return _select_pairs(state, choices, _pairs(state.selection), THREE)
    action = TERMINATOR if joker == TERMINATOR else None
    return select_action(state, Selection(joker=joker), action, choices)


def keeps_turned_die(tapped: Selection, action: str, faces: Sequence[int]) -> bool:
    """Tell whether the cursor is on a way to turn just the die that was tapped."""
    if tapped.joker != CORRECTOR or not tapped.dice or not action.startswith(CORRECTOR):
        return False
    (index,) = tapped.dice
    return index is not None and parse_corrector(action)[0] == faces[index]


def _rank(choice: OfferedChoice) -> tuple[int, int]:
    if choice.kind != "joker":
        return 0, -(choice.gain or 0)
    return (1 if choice.action == TERMINATOR else 2), 0


def _pairs(tapped: Selection) -> tuple[int | None, ...]:
    """Return the tapped pairs; a corrector's die is in none."""
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
    state: TableState, choices: Sequence[OfferedChoice], pairs: tuple[int | None, ...], joker: str
) -> TableState:
    """Return the state with these pairs, and the cursor on what two whole ones make."""
    tapped = Selection(pairs if pairs != _NO_PAIRS else (), joker)
    first, second, third, fourth = pairs
    if joker or first is None or second is None or third is None or fourth is None:
        return select_action(state, tapped, None, choices)
    faces = [die.face for die in state.shown_dice]
    action = choice_from_pairs(faces, (first, second), (third, fourth))
    after = select_action(state, tapped, action, choices)
    return after if after.cursor >= 0 else with_refusal(after, _fifth_words(choices), _FREE)


def _send_over(state: TableState, choices: Sequence[OfferedChoice], index: int) -> TableState:
    """Return the state after a die of one pair went over to the other one's total."""
    pairs = [place for place in _pairs(state.selection) if place is not None]
    if index not in pairs:
        return with_refusal(state, "That is the fifth die.", "Tap a die of a pair to send it over.")
    faces = [die.face for die in state.shown_dice]
    (fifth,) = set(range(len(faces))) - set(pairs)
    mate = pairs[pairs.index(index) ^ 1]
    triple = sum(faces[one] for one in pairs if one != mate)
    three = TripleChoice(triple, faces[mate], faces[fifth])
    after = select_action(state, Selection((*pairs, index), THREE), triple_text(three), choices)
    return after if after.cursor >= 0 else _refuse_sending(state, three, choices)


def _refuse_sending(
    state: TableState, three: TripleChoice, choices: Sequence[OfferedChoice]
) -> TableState:
    """Return the state in which the pairs stand as before, and why that die stays in its own."""
    back = select_action(state, Selection(_pairs(state.selection), THREE), None, choices)
    if three.triple > TOTALS[-1]:
        reason = f"The three dice make {three.triple}: the sheet ends at {TOTALS[-1]}."
    elif three.single < TOTALS[0]:
        reason = f"A single {three.single} is no total: the sheet begins at {TOTALS[0]}."
    else:
        reason = _fifth_words(choices)
    return with_refusal(back, reason, "Send another die over, or leave the joker.")


def _fifth_words(choices: Sequence[OfferedChoice]) -> str:
    pairs = [parse_choice(one.action) for one in choices if one.kind == "pairs"]
    faces = sorted({str(choice.fifth) for choice in pairs})
    return f"The fifth die must be {join_words(faces, 'or')}."


def _find_joker_problem(game: ChoiceState, player: str, joker: str) -> str:
    """Return why this player cannot use this joker now; empty if they can."""
    if not game.options["jokers"]:
        return "This game is played without jokers."
    if joker not in JOKERS:
        return f"There is no joker called {joker}."
    if joker not in game.jokers_of(player):
        return f"{player} has used the {joker.capitalize()} already."
    if not any(action.startswith(joker) for action in game.legal_actions(player)):
        return "These dice make no 3:1: both totals must be from 2 to 12."
    return ""


_FREE = "Tap a die to free it."
