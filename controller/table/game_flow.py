# SPDX-License-Identifier: MIT
"""
The course of a game at the table: sat down, rolled, acted, taken back, closed.

The machine takes these steps when they happen, and a restart takes the same ones from
the journal; so what a table comes back to is what it was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from controller import games
from controller.errors import InputError
from controller.games.black_n_white.rules import BlackNWhiteState
from controller.games.choice.rules import ChoiceState
from controller.games.contract import ActionEvent, GameState, Option, RollEvent
from controller.games.wuerfelspiel.rules import WuerfelspielState
from controller.table.dice.positions import together
from controller.table.events import SeenDie, UndoAsked
from controller.table.state import (
    NOTHING_TAPPED,
    Confirmed,
    LastRoll,
    Lobby,
    OwnDice,
    Phase,
    TableState,
    require_game,
)
from controller.table.transitions import TRANSITIONS
from controller.table.view.types import SEATS_MOST


def phase_of(position: GameState) -> Phase:
    """Return the phase that a game's position calls for."""
    if position.outcome() is not None:
        return Phase.GAME_OVER
    if position.faces and position.expects().roll:
        return Phase.AWAITING_JOKER
    return Phase.CHOOSING if position.expects().do else Phase.AWAITING_ROLL


def opening(game: str, players: Sequence[str], options: Mapping[str, bool | int]) -> GameState:
    """
    Return the position before the first roll of a game that this table can seat.

    Raises:
        InputError: No such game or option, or names that cannot play it.
    """
    rules = games.require_game(game)
    if len(players) > SEATS_MOST:
        found = str(len(players))
        raise InputError(expected=f"1 to {SEATS_MOST} players", found=found, where="players")
    return rules.start(players, options)


def calm_phase(state: TableState) -> Phase:
    """Return where play goes on after an interruption: a throw not seen whole is thrown again."""
    return Phase.LOBBY if state.game is None else phase_of(state.game)


def seated(state: TableState, game: str, position: GameState) -> TableState:
    """Return the table with a new game on it; dice that lie in the tray are not its roll."""
    return TableState(
        phase=phase_of(position),
        confirm=state.confirm,
        see_every_throw=state.see_every_throw,
        lobby=Lobby(game, _options_set(game, position), position.players),
        known=tuple(dict.fromkeys((*position.players, *state.known))),
        game_key=game,
        game=position,
        lie=state.lie,
        stuck=state.stuck,
    )


def _options_set(game: str, position: GameState) -> tuple[tuple[str, Option], ...]:
    rules = games.require_game(game).options
    options = position.options.items()
    return tuple((name, value) for name, value in options if value != rules[name].default)


def rolled(
    state: TableState,
    *,
    by: str,
    roll: str,
    dice: tuple[SeenDie, ...],
    by_hand: str,
    reason: str = "",
) -> TableState:
    """
    Return the table with a roll taken; `state.seen` is how the dice lie.

    Raises:
        IllegalActionError: The rules do not allow this roll now.
    """
    last = LastRoll(
        by=by,
        roll=roll,
        dice=in_order(state.game_key, dice),
        before=require_game(state),
        rolled=state.rolled,
        own=state.own,
        picture=state.picture,
        shot=state.shot,
        reason=reason,
    )
    after = with_roll(state, last)
    return replace(after, rolls=state.rolls + 1, lie=state.seen, by_hand=by_hand)


def with_roll(state: TableState, last: LastRoll) -> TableState:
    """
    Return the table as this roll makes it of the position before it.

    Raises:
        IllegalActionError: The rules do not allow it there.
    """
    position = last.before.apply(RollEvent(last.by, last.roll))
    is_shared = not last.before.faces
    # While the roll that all look at lies there, a joker's dice are one player's own.
    others = tuple(own for own in last.own if own.player != last.by)
    return replace(
        _at_position(state, position),
        last_roll=last,
        undoable=(),
        rolled=last.dice if is_shared else last.rolled,
        own=() if is_shared else (*others, OwnDice(last.by, last.dice)),
        doubts=(),
    )


def in_order(game: str, dice: Sequence[SeenDie]) -> tuple[SeenDie, ...]:
    """Return dice as the record's text has them: the white one first where colours count."""
    polarities = games.require_game(game).polarities
    if "" in polarities:
        return tuple(dice)
    return tuple(sorted(dice, key=lambda die: polarities.index(die.polarity)))


def acted(state: TableState, *, by: str, action: str) -> TableState:
    """
    Return the table after a confirmed action.

    Raises:
        IllegalActionError: The rules do not allow it now.
    """
    before = require_game(state)
    position = before.apply(ActionEvent(by, action))
    confirmed = Confirmed(by, action, before)
    return replace(_at_position(state, position), undoable=(*state.undoable, confirmed))


def undo_now(state: TableState) -> Confirmed | None:
    """Return the action that can be taken back in this phase; none if there is none."""
    may_undo = UndoAsked in TRANSITIONS[state.phase]
    return state.undoable[-1] if state.undoable and may_undo else None


def taken_back(state: TableState) -> TableState:
    """Return the table as it was before the last confirmed action; there must be one."""
    *others, last = state.undoable
    return replace(
        _at_position(state, last.before),
        undoable=tuple(others),
        lie=together(state.lie, state.seen),
        doubts=(),
    )


def _at_position(state: TableState, position: GameState) -> TableState:
    """Return the table at this position of the game, with nothing looked at or set aside yet."""
    return replace(
        state,
        phase=phase_of(position),
        game=position,
        cursor=0,
        tapped=NOTHING_TAPPED,
        looked_at="",
        aside=(),
        held="",
        is_returning=False,
        notice=None,
    )


def cleared(state: TableState) -> TableState:
    """Return the empty table; the same players may sit down again."""
    lie = together(state.lie, state.seen)
    kept = TableState(confirm=state.confirm, see_every_throw=state.see_every_throw)
    return replace(kept, lobby=state.lobby, known=state.known, lie=lie, stuck=state.stuck)


def dice_by_hand(game: str, roll: str) -> tuple[SeenDie, ...]:
    """
    Return dice without a place for a roll that a person entered.

    Raises:
        InputError: The text is no roll of this game.
    """
    rules = games.require_game(game)
    dice = zip(rules.parse_roll(roll), rules.polarities, strict=True)
    return tuple(_die_by_hand(int(die[-1]), polarity or "light") for die, polarity in dice)


def _die_by_hand(face: int, polarity: str) -> SeenDie:
    return SeenDie(face, polarity, "white" if polarity == "light" else "black")


# At the end of a round the table signs what it has written so far. A round is over when the
# turn to roll has come back to the first player still in the game; Black'n'White counts its
# rounds itself. A game ends once, when it is won or when it is left.
def ends_round(before: GameState | None, after: GameState | None) -> bool:
    """
    Tell whether a round or a game ended between two positions; none is a table without a game.

    What is taken back leads to a roll that lies there, so it ends nothing; what is played
    again after it does.
    """
    if before is None or before == after:
        return False
    if after is None:
        return before.outcome() is None
    # Also where a roll is corrected that ended something: it then ended differently.
    return after.outcome() is not None or _has_come_round(before, after)


def _has_come_round(before: GameState, after: GameState) -> bool:
    match before, after:
        case BlackNWhiteState(), BlackNWhiteState():
            ended_otherwise = after.settled != before.settled and after.round == before.round
            return after.round > before.round or ended_otherwise
        case ChoiceState(), ChoiceState():
            has_passed = bool(before.faces) and not after.faces
        case WuerfelspielState(), WuerfelspielState():
            has_passed = after.throws == 0
        case _:
            return False
    return has_passed and after.roller <= before.roller
