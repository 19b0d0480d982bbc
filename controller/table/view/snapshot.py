# SPDX-License-Identifier: MIT
"""
The whole view of a table, made from its state alone; only what it signed is given along.

Two tables in the same state show the same thing, so a page that was reloaded, a second
screen and a restarted table all agree without having talked to each other.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.games import GAMES
from controller.games.contract import GameState
from controller.journal.checkpoint import Checkpoint, derive_words, encode_checkpoint
from controller.table.events import ButtonStuck, Key, SeenDoubt
from controller.table.game_flow import undo_now
from controller.table.game_ui import OfferedChoice, choices_now
from controller.table.game_ui.protocol import GameView
from controller.table.game_ui.registry import game_view
from controller.table.lobby import options_of
from controller.table.state import Phase, TableState
from controller.table.turns import may_press, player_at
from controller.table.view.dice import dice_of, last_roll_view, review_view, shows_roll
from controller.table.view.help import help_of
from controller.table.view.lobby import lobby_view
from controller.table.view.prompts import buttons_of, say_of
from controller.table.view.question import question_of
from controller.table.view.types import (
    SEATS_MOST,
    ButtonsView,
    CheckpointView,
    ChoiceView,
    DoubtView,
    HelpView,
    NoticeView,
    OutcomeView,
    PlayerState,
    PlayerView,
    Snapshot,
)
from controller.table.wording import listed


def snapshot(
    state: TableState, *, version: int, checkpoint: CheckpointView | None = None
) -> Snapshot:
    """
    Return everything a screen shows.

    Args:
        state: The table.
        version: Number of this view; the caller counts.
        checkpoint: What the table signed last; none before the first.
    """
    choices = choices_now(state) if state.phase is Phase.CHOOSING else ()
    has_cursor = 0 <= state.cursor < len(choices)
    game = game_view(state, choices[state.cursor].action if has_cursor else "")
    say, buttons = say_of(state, game), buttons_of(state, game)
    last = undo_now(state)
    polarities = GAMES[state.game_key].polarities if state.game_key else ()
    return {
        "version": version,
        "question": question_of(state),
        "recalibrating": state.is_recalibrating,
        "phase": state.phase.value,
        "game": state.game_key or None,
        "title": GAMES[state.game_key or state.lobby.game].title,
        "headline": say.headline,
        "hint": say.hint,
        "notice": _notice(state),
        "players": _players(state, game),
        "board": game.board() if game else None,
        "dice": dice_of(state, game.groups() if game and choices else {}),
        "by_hand": bool(state.by_hand) and shows_roll(state),
        "corrected": _is_corrected(state) and shows_roll(state),
        "last_roll": last_roll_view(state),
        "review": review_view(state),
        "doubts": [_doubt(doubt) for doubt in state.doubts],
        "choices": [_choice(choice, game) for choice in choices] if game else [],
        "cursor": state.cursor if has_cursor else -1,
        "joker": state.tapped.joker,
        "buttons": buttons,
        "lamps": lamps_of(state, buttons),
        "undo": f"{last.by}: {last.action}" if last else None,
        "outcome": _outcome(state, game),
        "progress": game.progress_text() if game else "",
        "dice_wanted": len(polarities),
        "polarities": list(polarities),
        "lobby": lobby_view(state) if state.phase is Phase.LOBBY else None,
        "checkpoint": checkpoint,
        "help": _help(state),
    }


def _is_corrected(state: TableState) -> bool:
    return state.last_roll is not None and bool(state.last_roll.was)


def _notice(state: TableState) -> NoticeView | None:
    if state.phase is Phase.FAULT and state.faults:
        fault = state.faults[-1]
        mend = "Looking for the corner cards ..." if state.is_recalibrating else fault.mend
        return {"kind": "fault", "text": fault.what, "mend": mend}
    if state.doubts and not (state.notice and state.notice.kind == "refused"):
        texts = [doubt.text for doubt in state.doubts]
        return {"kind": "doubt", "text": texts[0], "mend": " ".join(texts[1:])}
    if state.notice:
        notice = state.notice
        return {"kind": notice.kind, "text": notice.text, "mend": notice.mend}
    return stuck_notice(state)


def _players(state: TableState, view: GameView | None) -> list[PlayerView]:
    game = state.game
    if game is None or view is None:
        return []
    outcome, totals = game.outcome(), game.totals()
    return [
        {
            "name": name,
            "state": _player_state(game, name, state.chooser),
            "total": totals[name],
            "winner": outcome is not None and name in outcome.winners,
            "sheet": view.sheet(name),
        }
        for name in game.players
    ]


def _player_state(game: GameState, name: str, chooser: str | None) -> PlayerState:
    expects = game.expects()
    if game.is_finished(name):
        return "finished"
    if name in expects.roll:
        return "rolls"
    if name in expects.do:
        return "chooses" if name == chooser else "waits"
    return "done" if name in game.acted else "idle"


def _choice(choice: OfferedChoice, game: GameView) -> ChoiceView:
    return {
        "action": choice.action,
        "text": game.choice_text(choice),
        "kind": choice.kind,
        "gain": choice.gain,
        "total": choice.total,
    }


def _doubt(doubt: SeenDoubt) -> DoubtView:
    return {
        "kind": doubt.kind,
        "text": doubt.text,
        "center_px": doubt.center_px,
        "radius_px": doubt.radius_px,
    }


def _outcome(state: TableState, game: GameView | None) -> OutcomeView | None:
    outcome = state.game.outcome() if state.game else None
    if game is None or outcome is None:
        return None
    return {
        "winners": list(outcome.winners),
        "losers": list(outcome.losers),
        "text": game.outcome_text(outcome),
    }


def _help(state: TableState) -> HelpView:
    if state.game is None:
        return help_of(state.lobby.game, options_of(state.lobby))
    return help_of(state.game_key, state.game.options)


def checkpoint_view(checkpoint: Checkpoint) -> CheckpointView:
    """Return a checkpoint as screens show it."""
    return {
        "size": checkpoint.size,
        "words": list(derive_words(checkpoint.size, checkpoint.root)),
        "text": encode_checkpoint(checkpoint),
    }


def lamps_of(state: TableState, buttons: ButtonsView) -> list[list[str]]:
    """Return for each seat which buttons do something on a panel of its own."""
    words: Mapping[str, object] = {**buttons}
    keys = [key for key in Key if words[key.value]]
    return [
        [key.value for key in keys if may_press(state, key, panel)]
        for panel in range(1, SEATS_MOST + 1)
    ]


def stuck_notice(state: TableState) -> NoticeView | None:
    """Return what to say of stuck buttons; none if there are none, or while play is paused."""
    if not state.stuck or state.phase is Phase.PAUSED:
        return None
    names = listed([_name(state, button) for button in state.stuck])
    if len(state.stuck) == 1:
        verb, mend = "is", "It presses nothing until it lets go."
    else:
        verb, mend = "are", "They press nothing until they let go."
    return {"kind": "fault", "text": f"{names[0].upper()}{names[1:]} {verb} stuck.", "mend": mend}


def _name(state: TableState, button: ButtonStuck) -> str:
    name = f"the button {button.key.value}"
    if button.panel is None:
        return name
    player = player_at(state, button.panel)
    return f"{name} of {player}" if player else f"{name} of panel {button.panel}"
