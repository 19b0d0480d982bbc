# SPDX-License-Identifier: MIT
"""
What an opponent does now.

Where all choose from the same roll, opponents wait for all people, who would otherwise see how
a good player chooses. They never act while dice are to be put back.
"""

from __future__ import annotations

from controller.coach import coaches
from controller.coach.contract import Coach
from controller.coach.opponent import Opponent, draw_number, pick_action, round_values
from controller.table.choosing import may_act
from controller.table.events import ActionRequested
from controller.table.state import TableState, require_game


def find_due_opponent(state: TableState) -> Opponent | None:
    """Return the opponent who chooses next; None while people or dice are awaited."""
    play = state.play
    if not play.opponents or play.position is None or state.is_returning:
        return None
    expects, opponents = play.position.expects(), play.opponent_names
    private = expects.roll if play.position.faces else ()
    if play.is_together and {*expects.do, *private} - opponents:
        return None
    due = (name for name in expects.do if name in opponents and may_act(state, name))
    name = next(due, None)
    return next((one for one in play.opponents if one.name == name), None)


def decide_action(state: TableState) -> ActionRequested | None:
    """Return what the next opponent chooses; None if none does, or this program has no coach."""
    opponent = find_due_opponent(state)
    if opponent is None:
        return None
    game = require_game(state)
    coach = coaches.find_coach(state.play.game_key, game.options)
    if coach is None:
        return None
    action = repeat_choice(state, opponent, coach)
    return ActionRequested(opponent.name, action, position=game)


def repeat_choice(state: TableState, opponent: Opponent, coach: Coach) -> str:
    """Return the action that follows from the last roll's link and the opponent's name."""
    with coaches.IN_USE:
        values = round_values(coach.judge(require_game(state), opponent.name), coach.unit)
    return pick_action(values, opponent.t_steps, draw_for(state, opponent))


def draw_for(state: TableState, opponent: Opponent) -> int:
    """Return the number that decides an opponent's next choice."""
    index = sum(one.by == opponent.name for one in state.play.undoable)
    return draw_number(state.play.roll_link, opponent.name, index)
