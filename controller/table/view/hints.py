# SPDX-License-Identifier: MIT
"""
Hints of a coach, for a game that does not count.

They are made on request only, from the table as a viewer sees it, and are no part of the view.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.base.errors import InputError
from controller.base.languages.message import Message, Number, chain_messages, message
from controller.coach import coaches
from controller.coach.contract import Coach, Unit
from controller.coach.hints import RankedAction, rank_actions
from controller.games.contract import ActionEvent, GameState
from controller.games.wording import format_signed
from controller.table.choosing import create_view, list_choices
from controller.table.state import TableState, require_game
from controller.table.view.question import name_question
from controller.table.view.types import HintsView
from controller.table.view.viewer import as_viewed, shows_choices


def build_hints(state: TableState, viewer: str) -> HintsView:
    """
    Return the choices that a viewer sees, the best first.

    Raises:
        InputError: The game counts, or no choices are shown there now.
    """
    if not state.play.has_hints:
        raise InputError(
            expected=message("a game for training"), found=message("one that counts, without hints")
        )
    seen = as_viewed(state, viewer)
    choices = list_choices(seen) if shows_choices(state, viewer) else ()
    coach = coaches.find_coach(state.play.game_key, require_game(state).options)
    game, player = create_view(seen, ""), seen.chooser
    if not choices or coach is None or game is None or player is None:
        raise InputError(expected=message("a player who chooses here"), found=message("none now"))
    offers = {choice.action: (index, choice) for index, choice in enumerate(choices)}
    ui, position = state.play.rules.ui, require_game(state)
    with coaches.IN_USE:
        ranked = rank_actions(coach, position, player)
    return {
        "question": name_question(state, viewer),
        "player": player,
        "note": _describe_coach(coach),
        "hints": [
            {
                "index": offers[one.action][0],
                "text": game.describe_choice(offers[one.action][1]),
                "equal": one.is_equal,
                "cost": _describe_cost(one, coach.unit),
                "why": chain_messages(
                    [
                        *_split_value(position, player, one, coach.unit),
                        ui.explain_action(position, player, one.action),
                    ]
                ),
            }
            for one in ranked
            if one.action in offers
        ],
    }


def _describe_cost(ranked: RankedAction, unit: Unit) -> Message:
    if ranked.cost == 0:
        return message("best")
    if ranked.is_equal:
        return message("as good as the best")
    if unit is Unit.POINTS:
        return message("costs {points} points", points=f"{ranked.cost:.0f}")
    return message("chance \u2212{percent}\u00a0%", percent=Number(100 * ranked.cost, ".1f"))


def _split_value(
    position: GameState, player: str, ranked: RankedAction, unit: Unit
) -> Iterator[Message]:
    """Say what an action counts now, and what its value leaves for the rest of the game."""
    if unit is Unit.POINTS:
        before = position.totals()[player]
        after = position.apply(ActionEvent(player, ranked.action)).totals()[player]
        yield message(
            "Now {now} points, later {later} on average.",
            now=format_signed(after - before),
            later=format_signed(round(ranked.value - after)),
        )


def _describe_coach(coach: Coach) -> Message:
    if not coach.equal_below:
        return message(
            "Chance means: not to lose the game. Calculated exactly, if everybody goes on as well "
            "as possible."
        )
    return message(
        "What a choice costs is lost on average, against the best one known. Choices less than "
        "{points} points apart count as equally good.",
        points=f"{coach.equal_below:g}",
    )
