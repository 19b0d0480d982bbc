# SPDX-License-Identifier: MIT
"""
The whole view of a table, made from its state alone.

Two tables in the same state show the same thing, so a page that was reloaded, a second
screen and a restarted table all agree without having talked to each other.
"""

from __future__ import annotations

from dataclasses import replace

from controller.games import GAMES
from controller.games.choice import ChoiceState
from controller.games.contract import ActionEvent, Outcome
from controller.table.choosing import OfferedChoice, choices_now
from controller.table.course import undo_now
from controller.table.events import SeenDie, SeenDoubt
from controller.table.lie import unmoved
from controller.table.state import Phase, TableState, require_game
from controller.table.view.choice import Group, choice_sheet, choice_view, groups_of
from controller.table.view.shape import (
    ChoiceSheet,
    ChoiceView,
    DieView,
    DoubtView,
    NoticeView,
    OutcomeView,
    PlayerState,
    PlayerView,
    Snapshot,
)
from controller.table.view.words import buttons_of, headline_of, hint_of, outcome_text


def snapshot(state: TableState, *, version: int) -> Snapshot:
    """
    Return everything a screen shows.

    Args:
        state: The table.
        version: Number of this view; the caller counts.
    """
    choices = choices_now(state) if state.phase is Phase.CHOOSING else ()
    has_cursor = 0 <= state.cursor < len(choices)
    under_cursor = choices[state.cursor] if has_cursor else None
    last = undo_now(state)
    return {
        "version": version,
        "phase": state.phase.value,
        "game": state.game_key or None,
        "headline": headline_of(state),
        "hint": hint_of(state),
        "seats": list(state.seats),
        "notice": _notice(state),
        "players": _players(state, under_cursor),
        "dice": _dice(state, under_cursor),
        "by_hand": bool(state.by_hand) and _shows_roll(state),
        "doubts": [_doubt(doubt) for doubt in state.doubts],
        "choices": _choices(state, choices),
        "cursor": state.cursor if has_cursor else -1,
        "buttons": buttons_of(state),
        "undo": f"{last.by}: {last.action}" if last else None,
        "outcome": _outcome(state),
        "round": state.rolls,
        "dice_wanted": len(GAMES[state.game_key].polarities) if state.game_key else 0,
        "known_games": list(GAMES),
    }


def _notice(state: TableState) -> NoticeView | None:
    if state.phase is Phase.FAULT and state.faults:
        fault = state.faults[-1]
        return {"kind": "fault", "text": fault.what, "mend": fault.mend}
    if state.doubts:
        texts = [doubt.text for doubt in state.doubts]
        return {"kind": "doubt", "text": texts[0], "mend": " ".join(texts[1:])}
    if state.notice:
        notice = state.notice
        return {"kind": notice.kind, "text": notice.text, "mend": notice.mend}
    return None


def _players(state: TableState, choice: OfferedChoice | None) -> list[PlayerView]:
    if state.game is None:
        return []
    outcome = state.game.outcome()
    return [_player(state, name, choice, outcome) for name in state.game.players]


def _player(
    state: TableState, name: str, choice: OfferedChoice | None, outcome: Outcome | None
) -> PlayerView:
    game = require_game(state)
    return {
        "name": name,
        "state": _player_state(state, name),
        "total": game.totals()[name],
        "winner": outcome is not None and name in outcome.winners,
        "sheet": _sheet(state, name, choice if name == state.chooser else None),
    }


def _player_state(state: TableState, name: str) -> PlayerState:
    game = require_game(state)
    if game.is_finished(name):
        return "finished"
    if name == state.chooser:
        return "chooses"
    if name == state.roller:
        return "rolls"
    if name in game.acted:
        return "done"
    return "waits" if state.chooser else "idle"


def _sheet(state: TableState, name: str, choice: OfferedChoice | None) -> ChoiceSheet:
    game = require_game(state)
    assert isinstance(game, ChoiceState)
    after = game.apply(ActionEvent(name, choice.action)) if choice else game
    return choice_sheet(game.sheet_of(name), after.sheet_of(name))


def _choices(state: TableState, choices: tuple[OfferedChoice, ...]) -> list[ChoiceView]:
    if not choices:
        return []
    assert isinstance(state.game, ChoiceState)
    assert state.chooser is not None
    sheet = state.game.sheet_of(state.chooser)
    return [choice_view(choice, sheet) for choice in choices]


def _shows_roll(state: TableState) -> bool:
    """Tell whether a roll is being chosen from, or ended the game; play may be paused meanwhile."""
    game = state.game
    return game is not None and (bool(game.faces) or game.outcome() is not None)


def _dice(state: TableState, choice: OfferedChoice | None) -> list[DieView]:
    if not _shows_roll(state):
        return [_die(die, None, is_taken=False) for die in state.seen]
    groups = groups_of(state, choice.action if choice else None)
    return [
        _die(_where_it_lies(state, die), groups.get(index), is_taken=index in state.slots)
        for index, die in enumerate(state.rolled)
    ]


def _where_it_lies(state: TableState, die: SeenDie) -> SeenDie:
    """Return a rolled die, without a size in the picture if it does not lie there any more."""
    is_moved = bool(state.seen) and not unmoved(state.seen, (die,))
    return replace(die, edge_px=0.0) if is_moved else die


def _die(die: SeenDie, group: Group | None, *, is_taken: bool) -> DieView:
    return {
        "face": die.face,
        "polarity": die.polarity,
        "colour": die.colour,
        "center_px": die.center_px,
        "angle_deg": die.angle_deg,
        "edge_px": die.edge_px,
        "group": group,
        "taken": is_taken,
    }


def _doubt(doubt: SeenDoubt) -> DoubtView:
    return {
        "kind": doubt.kind,
        "text": doubt.text,
        "center_px": doubt.center_px,
        "radius_px": doubt.radius_px,
    }


def _outcome(state: TableState) -> OutcomeView | None:
    outcome = state.game.outcome() if state.game else None
    if state.game is None or outcome is None:
        return None
    return {
        "winners": list(outcome.winners),
        "text": outcome_text(outcome, state.game.totals()),
    }
