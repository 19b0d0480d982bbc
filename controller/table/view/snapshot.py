# SPDX-License-Identifier: MIT
"""
The whole view of a table, made from its state and its last checkpoint.

Two tables in the same state show the same view. So a reloaded page, a second screen and a
restarted table always agree.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from controller.base.languages.message import chain_messages, message
from controller.coach.opponent import label_grade
from controller.games import GAMES
from controller.games.contract import GameState, Options
from controller.games.ui import GameView, HelpPart, OfferedChoice, help_part
from controller.journal.checkpoint import Checkpoint, derive_words, encode_checkpoint
from controller.table.choosing import (
    create_view,
    find_arrows,
    find_ended_round,
    list_choices,
    list_limits,
)
from controller.table.events import Key
from controller.table.lobby import has_coach, list_known_names, resolve_options
from controller.table.state import Phase, TableState, require_game
from controller.table.turns import may_count, may_join, may_press
from controller.table.undoing import find_undoable
from controller.table.view.dice import show_dice, show_last_roll, show_review, shows_roll
from controller.table.view.doubts import list_causes, show_doubts
from controller.table.view.lobby import show_lobby
from controller.table.view.notices import (
    notice_fault,
    notice_peripherals,
    show_fault,
    show_journal_news,
)
from controller.table.view.prompts import name_dealt_sheet, show_part, show_request
from controller.table.view.question import name_question
from controller.table.view.result import show_course, show_outcome
from controller.table.view.types import (
    SEATS_MOST,
    ButtonsView,
    CheckpointView,
    ChoiceView,
    DieView,
    HelpView,
    NoticeView,
    PlayerState,
    PlayerView,
    Snapshot,
    SoundView,
)
from controller.table.view.viewer import (
    SHARED,
    WATCHER,
    as_viewed,
    label_viewer_buttons,
    open_position,
    prompt_viewer,
    resolve_viewer,
    shows_choices,
)
from controller.table.view.wording import describe_action, describe_actions, hide_from


def build_snapshot(
    state: TableState,
    *,
    version: int,
    checkpoint: CheckpointView | None = None,
    viewer: str = SHARED,
    sound: SoundView | None = None,
) -> Snapshot:
    """
    Return everything a screen shows.

    Args:
        version: Number of this view, counted by the caller.
        checkpoint: The last checkpoint; None before the first.
        viewer: Whose own phone it is; empty for the screen that all share. Any name that does
            not play is a watcher's.
        sound: The newest sound; None before the first.
    """
    view = _build_view(state, resolve_viewer(state, viewer), version)
    view["checkpoint"], view["sound"] = checkpoint, sound
    return view


def _build_view(state: TableState, viewer: str, version: int) -> Snapshot:
    seen = as_viewed(state, viewer)
    choices = list_choices(seen) if shows_choices(state, viewer) else ()
    cursor = seen.screen.cursor if 0 <= seen.screen.cursor < len(choices) else -1
    position = open_position(state, viewer) if state.play.position else None
    game = create_view(seen, choices[cursor].action if cursor >= 0 else "", position)
    say = prompt_viewer(state, viewer, game)
    buttons = label_viewer_buttons(state, viewer, game)
    title, progress = show_part(state) or (
        GAMES[state.play.game_key or state.lobby.game].title,
        game.progress_text() if game else "",
    )
    return {
        "version": version,
        "viewer": None if viewer == WATCHER else viewer,
        "question": name_question(state, viewer),
        "recalibrating": state.troubles.is_recalibrating,
        "phase": seen.phase.value,
        "game": state.play.game_key or None,
        "title": title,
        "headline": say.headline,
        "hint": say.hint,
        "notice": _show_notice(seen),
        "players": _show_players(state, game, position, viewer),
        "active": _find_active(state),
        "board": game.board() if game else None,
        "ended_round": find_ended_round(state),
        "dice": _show_dice(seen, game if choices else None),
        "by_hand": bool(state.play.by_hand) and shows_roll(seen),
        "corrected": _is_corrected(state) and shows_roll(seen),
        "last_roll": show_last_roll(state, viewer),
        "review": show_review(state),
        "doubts": show_doubts(seen),
        "fault": show_fault(state),
        "choices": [_show_choice(choice, game) for choice in choices] if game else [],
        "cursor": cursor,
        "arrows": {name: index for name, index in find_arrows(seen).items() if choices},
        "joker": seen.screen.selection.joker,
        "buttons": buttons,
        "lamps": list_lamps(state, buttons),
        "undo": _describe_undo(state, viewer),
        "outcome": show_outcome(state, game),
        "request": show_request(state),
        "training": state.play.has_hints,
        "hints": state.play.has_hints and bool(choices),
        "sound": None,
        "progress": progress,
        "dice_wanted": len(state.play.polarities),
        "polarities": list(state.play.polarities),
        "lobby": show_lobby(state) if state.phase is Phase.LOBBY else None,
        "checkpoint": None,
        "help": _show_help(state),
        "idle": state.is_idle,
        "may_count": may_count(state),
        "course": show_course(state) if viewer in (SHARED, WATCHER) else None,
        "joiners": _list_joiners(state),
    }


def _list_joiners(state: TableState) -> list[str] | None:
    if not may_join(state):
        return None
    players = require_game(state).players
    return [name for name in list_known_names(state) if name not in players]


def _show_dice(state: TableState, game: GameView | None) -> list[DieView]:
    """Return the dice; `game` is None if they are not chosen from here."""
    return show_dice(state, game.groups(), list_limits(state)) if game else show_dice(state, {})


def _describe_undo(state: TableState, viewer: str) -> str | None:
    last = find_undoable(state, viewer) if viewer != WATCHER else None
    if last is None:
        return None
    if len(require_game(state).players) == 1:
        return describe_action(last.action)
    return describe_actions([last], hide_from(state, viewer))[0]


def _is_corrected(state: TableState) -> bool:
    return state.play.last_roll is not None and bool(state.play.last_roll.was)


def _show_notice(state: TableState) -> NoticeView | None:
    if state.phase is Phase.FAULT and state.troubles.faults:
        return notice_fault(state)
    if state.reading.doubts and not (state.notice and state.notice.kind == "refused"):
        texts = list(dict.fromkeys(doubt.text for doubt in list_causes(state)))
        return {"kind": "doubt", "text": texts[0], "mend": chain_messages(texts[1:])}
    if state.notice:
        notice = state.notice
        return {"kind": notice.kind, "text": notice.text, "mend": notice.remedy}
    return notice_peripherals(state) or show_journal_news(state.troubles.journal_news)


def _show_players(
    state: TableState, view: GameView | None, position: GameState | None, viewer: str
) -> list[PlayerView]:
    game = state.play.position
    if game is None or view is None or position is None:
        return []
    outcome, totals = game.outcome(), position.totals()
    heading = name_dealt_sheet(state)
    grades = {one.name: label_grade(one.grade) for one in state.play.opponents}
    choosing = {
        state.chooser,
        *(state.setup.phone_players if state.play.is_together else ()),
        viewer,
    }
    return [
        {
            "name": name,
            "heading": heading,
            "opponent": grades.get(name, ""),
            "state": "finished"
            if position.is_finished(name)
            else _player_state(game, name, choosing),
            "total": totals[name],
            "winner": outcome is not None and name in outcome.winners,
            "sheet": view.sheet(name),
        }
        for name in game.players
    ]


def _find_active(state: TableState) -> str | None:
    """Return whom the shared screen is about: whose choices it shows, else who must throw."""
    return state.chooser if state.shows_choices else state.play.roller or state.chooser


def _player_state(game: GameState, name: str, choosing: Set[str | None]) -> PlayerState:
    expects = game.expects()
    if name in expects.roll:
        return "rolls"
    if name in expects.do:
        return "chooses" if name in choosing else "waits"
    return "done" if name in game.acted else "idle"


def _show_choice(choice: OfferedChoice, game: GameView) -> ChoiceView:
    return {
        "action": choice.action,
        "text": game.describe_choice(choice),
        "kind": choice.kind,
        "gain": choice.gain,
        "total": choice.total,
    }


def _show_help(state: TableState) -> HelpView:
    if state.play.position is None:
        options = resolve_options(state.lobby)
        return build_help(state.lobby.game, options, has_coach=has_coach(state.lobby))
    return build_help(state.play.game_key, state.play.position.options)


def show_checkpoint(checkpoint: Checkpoint) -> CheckpointView:
    """Return a checkpoint as screens show it."""
    return {
        "size": checkpoint.size,
        "words": list(derive_words(checkpoint.size, checkpoint.root)),
        "text": encode_checkpoint(checkpoint),
    }


def list_lamps(state: TableState, buttons: ButtonsView) -> list[list[str]]:
    """Return for each seat the buttons that do something on its own panel."""
    words: Mapping[str, object] = {**buttons}
    keys = [key for key in Key if words[key.value]]
    return [
        [key.value for key in keys if may_press(state, key, panel)]
        for panel in range(1, SEATS_MOST + 1)
    ]


def build_help(game: str, options: Options, *, has_coach: bool = False) -> HelpView:
    """Return the help for a game with these options; `has_coach` if the lobby offers opponents."""
    ui = GAMES[game].ui
    parts = [*ui.build_help(options), _DOUBTED_ROLL, *((_OPPONENTS,) if has_coach else ())]
    return {"title": GAMES[game].title, "parts": parts, "example": ui.build_example()}


_DOUBTED_ROLL: HelpPart = help_part(
    message("If somebody doubts a roll"),
    message(
        "Press Review or R, or hold the left button for a second: "
        "the game waits while you look at it again."
    ),
    message("An official corrects it with the PIN. Choices made since then are taken back."),
)

_OPPONENTS: HelpPart = help_part(
    message("Opponents and training"),
    message(
        "Tap a seat to give it to an opponent of a grade. The table chooses for it after all "
        "people, and somebody throws its dice."
    ),
    message(
        "Training with hints: the button Hint shows the choices by their value. Such a game "
        "counts in no record."
    ),
)
