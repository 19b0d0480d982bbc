# SPDX-License-Identifier: MIT
"""
Held dice without buttons: which dice stayed, and what that amounts to.

Players take the dice that they want to throw again and leave the others. The dice
that stayed are held, so the action follows from the tray alone. Where it was
announced with the buttons first, the tray must agree with it. Whatever the rules do
not allow is told in words, and the dice that are known to lie there stay known: so
putting things right is all that is ever asked for.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from controller.games import GAMES
from controller.games.contract import GameState
from controller.table.events import KEPT, PLACED, TURNED, DiceRead, SeenDie, SeenDoubt
from controller.table.game_flow import phase_of
from controller.table.state import Notice, Phase, TableState, require_game
from controller.table.wording import listed, spoken_dice, spoken_die


@dataclass(frozen=True, slots=True)
class Taken:
    """
    The dice at rest are a new roll.

    `held` is the action that follows from the dice that stayed, where nobody announced it.
    """

    held: str = ""


@dataclass(frozen=True, slots=True)
class _Rest:
    """Dice at rest, sorted by how they came to lie there; `thrown` are all that are new there."""

    dice: tuple[SeenDie, ...]
    stayed: tuple[SeenDie, ...]
    turned: tuple[SeenDie, ...]
    thrown: tuple[SeenDie, ...]


def throws_again(game: GameState, player: str | None) -> bool:
    """Tell whether this player may take dice out of the tray and throw them again."""
    if player is None:
        return False
    action = game.keeping(player, ())
    return action is not None and action in game.legal_actions(player)


def die_texts(state: TableState, dice: Sequence[SeenDie]) -> tuple[str, ...]:
    """Return dice as they stand in a roll, in an order of their own."""
    rules = GAMES[state.game_key]
    return tuple(sorted(rules.die_text(die.face, die.polarity) for die in dice))


def lies_whole(state: TableState) -> bool:
    """Tell whether the tray shows just the dice that the player who is on decides about."""
    player = state.chooser
    if state.game is None or player is None:
        return True
    return _is_same(die_texts(state, state.lie), state.game.dice_of(player))


def judged_announced(state: TableState, event: DiceRead) -> TableState | Taken:
    """Return whether the dice that were to stay did, and all others were thrown."""
    staying = require_game(state).staying(_player(state))
    rest = _sorted(event)
    missing = Counter(staying) - Counter(die_texts(state, rest.stayed))
    if missing:
        return _gone(state, rest, tuple(missing.elements()))
    extra = Counter(die_texts(state, rest.stayed)) - Counter(staying)
    if not rest.thrown and not rest.turned:
        return _calm(state, rest, Phase.AWAITING_ROLL)
    if extra:
        dice = tuple(extra.elements())
        text = f"{_are(dice)} to be thrown again too."
        mend = f"Take {_them(dice)} and throw {_them(dice)}."
        return _refused(_calm(state, rest, Phase.AWAITING_ROLL), text, mend)
    return Taken()


def judged_unannounced(state: TableState, event: DiceRead) -> TableState | Taken:
    """Return what the dice that stayed amount to, for a player who may throw again."""
    game, player, rest = require_game(state), _player(state), _sorted(event)
    if _is_put_back(rest, die_texts(state, rest.dice), game.dice_of(player)):
        return _calm(state, replace(rest, stayed=rest.dice), phase_of(game))
    if rest.thrown and not rest.stayed:
        # Nothing stayed where it was: the whole throw came down anew.
        rest = replace(rest, turned=(), thrown=rest.dice)
    if not rest.thrown and not rest.turned:
        return _lifted(state, rest)
    held = game.keeping(player, die_texts(state, rest.stayed)) or ""
    is_legal = held in game.legal_actions(player) and len(rest.dice) == _count(state)
    if rest.turned:
        return _disputed(state, rest, held if is_legal else "", _turned_doubts(rest))
    gone = Counter(die_texts(state, state.lie)) - Counter(die_texts(state, rest.stayed))
    if gone and len(state.lie) < _count(state):
        return _disputed(state, rest, held if is_legal else "", _gone_doubts(state, rest, gone))
    return Taken(held) if is_legal else _not_these(state, rest)


def judged_return(state: TableState, event: DiceRead) -> TableState:
    """Return whether the dice that were taken lie in the tray again as they were."""
    wanted = require_game(state).dice_of(_player(state))
    rest = _sorted(event)
    if _is_same(die_texts(state, rest.dice), wanted):
        return replace(_calm(state, rest, phase_of(require_game(state))), is_returning=False)
    text = f"The dice were {spoken_dice(wanted)}."
    return _refused(_calm(state, rest, Phase.CHOOSING), text, "Put them back as they were.")


def held_by_hand(state: TableState, roll: Sequence[str]) -> str | None:
    """
    Return the action that an entered roll follows from; none if it cannot be told.

    The dice that stayed are those that were seen to, and they must be among the entered ones.
    """
    game, player = require_game(state), _player(state)
    stayed = state.lie
    if len(stayed) >= _count(state):
        stayed = tuple(die for die in state.seen if die.origin == KEPT)
    kept = die_texts(state, stayed)
    held = game.keeping(player, kept)
    is_right = held in game.legal_actions(player) and Counter(kept) <= Counter(roll)
    return held if is_right else None


def _sorted(event: DiceRead) -> _Rest:
    dice = event.dice
    return _Rest(
        dice,
        stayed=tuple(die for die in dice if die.origin == KEPT),
        turned=tuple(die for die in dice if die.origin == TURNED),
        thrown=tuple(die for die in dice if die.origin not in (KEPT, TURNED)),
    )


def _is_put_back(rest: _Rest, dice: Sequence[str], roll: Sequence[str]) -> bool:
    """Tell whether hands took dice of the roll and set them down again, elsewhere."""
    is_by_hand = all(die.origin == PLACED for die in rest.thrown)
    return is_by_hand and bool(rest.thrown or rest.turned) and _is_same(dice, roll)


def _lifted(state: TableState, rest: _Rest) -> TableState:
    """Return the state in which some dice, or none, are in the player's hand."""
    game, player = require_game(state), _player(state)
    if _is_same(die_texts(state, rest.stayed), game.dice_of(player)):
        return _calm(state, rest, phase_of(game))
    held = game.keeping(player, die_texts(state, rest.stayed))
    if held is None or held not in game.legal_actions(player):
        return _not_these(state, rest)
    return replace(_calm(state, rest, Phase.IN_HAND), held=held)


def _calm(state: TableState, rest: _Rest, phase: Phase) -> TableState:
    """Return the state in which the dice that stayed are all that is known to lie there."""
    return replace(
        state, phase=phase, seen=rest.dice, lie=rest.stayed, doubts=(), held="", notice=None
    )


def _gone(state: TableState, rest: _Rest, missing: tuple[str, ...]) -> TableState:
    """Return the state that asks for dice which were announced to stay."""
    text = f"{_are(missing)} to stay: only the others are thrown again."
    mend = f"Put {_them(missing)} back as {_they(missing)} lay."
    if rest.thrown or rest.turned:
        doubt = SeenDoubt(TURNED, f"{text} {mend}", *_place(state, rest, missing))
        return _disputed(state, rest, "", (doubt,))
    waiting = replace(state, phase=Phase.AWAITING_ROLL, seen=rest.dice, doubts=(), held="")
    return _refused(waiting, text, mend)


def _disputed(
    state: TableState, rest: _Rest, held: str, doubts: tuple[SeenDoubt, ...]
) -> TableState:
    """Return the state in which a person says what happened: mend it, or it was thrown."""
    return replace(
        state, phase=Phase.STRAIGHTEN, seen=rest.dice, doubts=doubts, held=held, notice=None
    )


def _turned_doubts(rest: _Rest) -> tuple[SeenDoubt, ...]:
    return tuple(
        SeenDoubt(
            TURNED,
            f"The {die.was} here was kept and shows {die.face} now. Turn it back.",
            die.center_px,
            die.edge_px,
        )
        for die in rest.turned
    )


def _gone_doubts(state: TableState, rest: _Rest, gone: Counter[str]) -> tuple[SeenDoubt, ...]:
    missing = tuple(gone.elements())
    text = (
        f"{_are(missing)} kept, and not found as {_they(missing)} lay. Put {_them(missing)} back."
    )
    return (SeenDoubt(TURNED, text, *_place(state, rest, missing)),)


def _place(
    state: TableState, rest: _Rest, missing: tuple[str, ...]
) -> tuple[tuple[float, float] | None, float]:
    """Return where the first of the missing dice lay, and how far around that is meant."""
    for die in state.lie:
        is_found = any(
            math.dist(die.center_px, other.center_px) < die.edge_px for other in rest.stayed
        )
        if not is_found and set(die_texts(state, (die,))) <= set(missing):
            return die.center_px, die.edge_px
    return None, 0.0


def _not_these(state: TableState, rest: _Rest) -> TableState:
    """Return the state that asks for the roll's own dice, because others lie there."""
    wanted = require_game(state).dice_of(_player(state))
    text = f"The dice that stay must be of the roll {spoken_dice(wanted)}."
    back = replace(state, phase=Phase.CHOOSING, seen=rest.dice, doubts=(), held="")
    return _refused(replace(back, is_returning=True), text, "Put them back as they were.")


def _refused(state: TableState, text: str, mend: str) -> TableState:
    return replace(state, notice=Notice("refused", text, mend))


def _are(dice: tuple[str, ...]) -> str:
    be = "was" if len(dice) == 1 else "were"
    return f"The {listed([spoken_die(die) for die in dice])} {be}"


def _them(dice: tuple[str, ...]) -> str:
    return "it" if len(dice) == 1 else "them"


def _they(dice: tuple[str, ...]) -> str:
    return "it" if len(dice) == 1 else "they"


def _is_same(dice: Sequence[str], others: Sequence[str]) -> bool:
    return sorted(dice) == sorted(others)


def _count(state: TableState) -> int:
    return len(GAMES[state.game_key].polarities)


def _player(state: TableState) -> str:
    assert state.thrower is not None, "dice are judged only while somebody is on"
    return state.thrower
