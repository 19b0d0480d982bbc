# SPDX-License-Identifier: MIT
"""
The table as one screen shows it: the shared one, a player's own phone, or a watcher's.

A phone shows its player's choices and cursor, and buttons only for what is theirs. A watcher
shows no choices and no buttons. So no screen has a button that does nothing there.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from controller.base.languages.message import Message, join_words, message
from controller.games.contract import ActionEvent, FreeThrows, GameState
from controller.games.ui import EMPTY_SELECTION, GameView, Prompt
from controller.table.choosing import as_on_phone, may_choose, may_hide_choices
from controller.table.events import Key
from controller.table.state import Notice, Phase, Review, TableState, require_game
from controller.table.turns import is_phone_key
from controller.table.view.prompts import label_buttons, prompt_for
from controller.table.view.types import ButtonsView

SHARED = ""  # The viewer of the screen that belongs to all players.

WATCHER = "\n"  # The viewer of a screen that belongs to no player; names of players have one line.


def as_viewed(state: TableState, viewer: str) -> TableState:
    """Return the table with the cursor, the taps and the message that this viewer sees."""
    if viewer == SHARED:
        # The choices that somebody asked for during another one's throw are choices like any.
        return replace(state, phase=Phase.CHOOSING) if state.shows_choices else state
    if may_choose(state, viewer):
        seen = as_on_phone(state, viewer)
        # What is uncertain in the tray is the thrower's to straighten.
        return replace(
            seen, reading=replace(seen.reading, doubts=()), notice=seen.notice or _news(state)
        )
    refusal = next((one.notice for one in state.screen.phones if one.player == viewer), None)
    unpointed = replace(state.screen, cursor=-1, selection=EMPTY_SELECTION)
    return replace(state, screen=unpointed, notice=refusal or _news(state))


def shows_choices(state: TableState, viewer: str) -> bool:
    """Return whether this viewer sees choices."""
    return state.shows_choices if viewer == SHARED else may_choose(state, viewer)


def resolve_viewer(state: TableState, name: str) -> str:
    """Return the viewer of this name: a player of the game, the shared screen or a watcher."""
    position = state.play.position
    is_known = name == SHARED or (position is not None and name in position.players)
    return name if is_known else WATCHER


def _news(state: TableState) -> Notice | None:
    """Return the message for everybody; a refusal is for who asked."""
    return state.notice if state.notice and state.notice.kind == "info" else None


def prompt_viewer(state: TableState, viewer: str, game: GameView | None) -> Prompt:
    """
    Return whose turn it is and what to do, in words for this viewer.

    Args:
        state: The table, not `as_viewed`.
        game: The game's part of the view.
    """
    seen, play = as_viewed(state, viewer), state.play
    plain = _address(prompt_for(seen, game), viewer, play.opponent_names)
    if viewer == WATCHER and state.phase is Phase.LOBBY:
        return Prompt(plain.headline, "")
    if play.position is None or state.is_returning:
        return plain
    if viewer != SHARED and play.review is not None:
        is_own = play.review.by == viewer
        return plain if is_own else Prompt(plain.headline, _reviewer_words(play.review))
    if viewer == SHARED:
        is_elsewhere = state.phase is Phase.CHOOSING and not state.shows_choices
        is_elsewhere &= state.chooser not in play.opponent_names
        return _everyone_chooses(state) if is_elsewhere else plain
    if isinstance(play.position, FreeThrows):
        return plain  # there is nothing to choose
    if may_choose(state, viewer):
        return Prompt(message("Your choice"), plain.hint)
    if viewer in play.position.acted and play.position.faces:
        return Prompt(message("You have chosen"), _waiting_words(state))
    if state.phase is not Phase.CHOOSING:
        return plain
    headline = message("Everyone chooses") if play.is_together else plain.headline
    return Prompt(headline, "")


_ADDRESS = "{player}: "  # How headlines begin that ask a player for something.


def _address(prompt: Prompt, viewer: str, opponents: Set[str]) -> Prompt:
    """Return a prompt that says "You" to its own player, and lets people act for an opponent."""
    headline = prompt.headline
    if not isinstance(headline, Message) or not headline.template.startswith(_ADDRESS):
        return prompt
    player = headline.values["player"]
    if player in opponents:
        addressed = message("For {player}", player=player)
    elif player == viewer:
        addressed = message("You")
    else:
        return prompt
    values = {**headline.values, "player": addressed}
    return replace(
        prompt, headline=Message(headline.template, values, headline.plural, headline.number)
    )


def _reviewer_words(review: Review) -> str:
    return message("{player} asked to see it again.", player=review.by) if review.by else ""


def _everyone_chooses(state: TableState) -> Prompt:
    if state.play.is_secret:
        hint = message("To choose here, press an arrow while the others look away.")
        return Prompt(message("Everyone chooses in secret"), hint)
    hint = message("Choose on your phone. To choose here, tap your name or press an arrow.")
    return Prompt(message("Everyone chooses"), hint)


def _waiting_words(state: TableState) -> str:
    expects = require_game(state).expects()
    missing = [name for name in require_game(state).players if name in (*expects.do, *expects.roll)]
    return message("Still to choose: {players}.", players=join_words(missing))


def label_viewer_buttons(state: TableState, viewer: str, game: GameView | None) -> ButtonsView:
    """Return what the four buttons do now for this viewer; None for what does nothing there."""
    if viewer == SHARED and state.phase is Phase.CHOOSING and not state.shows_choices:
        is_open = state.chooser not in state.play.opponent_names
        here = message("choose here") if is_open else None
        undo = label_buttons(state, game)["back"]
        return {"left": here, "right": here, "confirm": None, "back": undo}
    words = label_buttons(as_viewed(state, viewer), game)
    if viewer == SHARED:
        return {**words, "back": message("hide choices")} if may_hide_choices(state) else words
    mine = {key: is_phone_key(state, key, viewer) for key in Key}
    return {
        "left": words["left"] if mine[Key.LEFT] else None,
        "right": words["right"] if mine[Key.RIGHT] else None,
        "confirm": words["confirm"] if mine[Key.CONFIRM] else None,
        "back": words["back"] if mine[Key.BACK] else None,
    }


# A screen shows the position without the hidden choices, made from the same steps by the same
# rules. So nothing of them reaches it, and a restart hides the same. Jokers that need the tray are
# no secret: everybody sees the dice.
def open_position(state: TableState, viewer: str) -> GameState:
    """
    Return the position that a viewer may see.

    Args:
        state: The table, in a game.
        viewer: The player who sees their own choice; any other name sees none.
    """
    play = state.play
    if not play.is_secret or play.steps_from is None:
        return require_game(state)
    shown = real = play.steps_from
    for step in play.steps:
        before, real = real, real.apply(step)
        is_choice = isinstance(step, ActionEvent) and step.by in real.acted
        if step.by == viewer or not is_choice or step.by in before.acted:
            shown = shown.apply(step)
    return shown
