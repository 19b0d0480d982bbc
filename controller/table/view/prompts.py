# SPDX-License-Identifier: MIT
"""
The words of a table: what to do now, how to do it, and what each button does.

This module has the words that hold for every game. The words for a throw or a choice come
from the game's own view.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from controller.base.languages.message import (
    Message,
    chain_messages,
    join_words,
    message,
    plural_message,
)
from controller.games.contract import FreeThrows
from controller.games.ui import GameView, Prompt
from controller.games.wording import dice_words, die_words
from controller.table.choosing import find_ended_round, has_settled_dice, label_arrows, list_choices
from controller.table.dice.held import list_die_texts
from controller.table.dice.roll_check import SHAKE_AGAIN
from controller.table.events import CAMERA, PLACED, DiceRequested, Key, PartChanged, PlayersSeated
from controller.table.lobby import has_coach
from controller.table.state import Phase, TableState, require_game
from controller.table.turns import find_count_change
from controller.table.undoing import find_undoable
from controller.table.view.doubts import list_causes
from controller.table.view.lobby import describe_end, label_lobby_buttons
from controller.table.view.types import ButtonsView, RequestView

_HANDS_OFF = message("Keep your hands off the tray until the dice are read.")
_DOME_STANDS = message("Leave the dome where it stands until the dice are read.")
_NOTHING_LOST = message("Nothing is lost. The game goes on where it stopped.")


def prompt_for(state: TableState, game: GameView | None) -> Prompt:
    """Return whose turn it is, what to do and how, for a player who is new to the table."""
    match state.phase:
        case Phase.LOBBY if state.lobby.asks_end:
            return Prompt(message("End the game that waits?"), describe_end(state))
        case Phase.LOBBY if words := _part_prompt(state.setup.part):
            hint = chain_messages([state.setup.part.event, words.hint], ": ")
            return Prompt(words.headline, hint)
        case Phase.LOBBY if state.lobby.seated and state.lobby.seated.players == state.lobby.seats:
            return _seated_prompt(state.lobby.seated)
        case Phase.LOBBY:
            hint = message("Choose a game and the players, then start.")
            if state.lobby.has_hints and has_coach(state.lobby):
                hint = message("A training game: hints on request, and it does not count.")
            return Prompt(message("Who is playing?"), hint)
        case Phase.ROLLING:
            return Prompt(_moving_words(state), _hands_off(state))
        case Phase.SETTLING:
            return Prompt(message("Reading the dice"), _hands_off(state))
        case Phase.READING:
            hint = message("If a face is wrong, straighten that die.")
            if state.setup.under_dome:
                hint = message("If a face is wrong, shake the dome again.")
            if state.thrower in state.play.opponent_names:
                return Prompt(message("Is this {player}'s roll?", player=state.thrower), hint)
            return Prompt(message("{player}: is this your roll?", player=state.thrower), hint)
        case Phase.STRAIGHTEN:
            return _doubt_prompt(state)
        case Phase.GAME_OVER if state.play.request is not None:
            return _answer_prompt(state, state.play.request)
        case Phase.AWAITING_ROLL if state.play.request is not None:
            return _request_prompt(state.play.request)
        case Phase.GAME_OVER if state.play.is_of_round and (
            words := _part_prompt(state.setup.part)
        ):
            return words
        case Phase.GAME_OVER:
            last = message("Until the next game, the last choice can be undone at the table.")
            return Prompt(message("The game is over"), last if find_undoable(state) else "")
        case Phase.REVIEW:
            return _review_prompt(state)
        case Phase.PAUSED:
            return Prompt(message("The game is paused"), _NOTHING_LOST)
        case Phase.FAULT:
            return Prompt(_fault_headline(state), _NOTHING_LOST)
        case Phase.AWAITING_ROLL | Phase.AWAITING_JOKER | Phase.IN_HAND | Phase.CHOOSING:
            assert game is not None, f"no game in phase {state.phase.value}"
            prompt = _play_prompt(state, game)
            return _dealt_prompt(state, prompt) if has_settled_dice(state) else prompt


def _hands_off(state: TableState) -> Message:
    return _DOME_STANDS if state.setup.under_dome else _HANDS_OFF


def _part_prompt(part: PartChanged) -> Prompt | None:
    """Return where a tournament stands while nothing is to be played; None while something is."""
    number, result = part.number, part.result
    onward = message("What comes next appears here.")
    match part.state:
        case "before":
            hint = message("The draw says who sits here.")
            return Prompt(message("Wait for the draw"), hint)
        case "played":
            return Prompt(message("Round {number} is played", number=number), onward)
        case "free":
            return Prompt(message("Round {number}: this table is free", number=number), onward)
        case "dealt":
            hint = message("The next game appears here.") if number < part.count else onward
            if number > part.count:
                return Prompt(message("The play-off is over"), hint)
            return Prompt(message("Game {number} is over", number=number), hint)
        case "over":
            hint = message("The result: {result}", result=result)
            return Prompt(message("The event is over"), hint)
    return None


def _dealt_prompt(state: TableState, prompt: Prompt) -> Prompt:
    """Return what to do at the table whose rolls are for all players, or for a draw."""
    part = state.setup.part
    if words := _part_prompt(part):
        return words
    if part.state == "draws":
        hint = message("The rolls decide who sits where.")
        is_new = state.phase is Phase.AWAITING_ROLL
        return Prompt(prompt.headline if is_new else message("Throw again"), hint)
    if state.phase is Phase.AWAITING_ROLL:
        return Prompt(prompt.headline, message("The roll is for all players."))
    return Prompt(message("All players choose"), message("Throw again when all have chosen."))


def show_part(state: TableState) -> tuple[str, str] | None:
    """Return the name of a tournament and where it stands; None if the game is not one of it."""
    part = state.setup.part
    if part.state in ("seated", "played") and state.play.is_of_round:
        values = {"number": part.number, "count": part.count, "table": part.table}
        return part.event, message("Round {number} of {count}, table {table}", **values)
    if not has_settled_dice(state) or not part.event:
        return None
    if part.state == "draws":
        return part.event, message("Draw of round {number}", number=part.number)
    if part.number > part.count:
        return part.event, message("Play-off")
    return part.event, message("Game {number} of {count}", number=part.number, count=part.count)


def name_dealt_sheet(state: TableState) -> str:
    """Return the heading of a sheet that belongs to no player; empty for the player's name."""
    number = state.setup.part.table
    return message("Table {number}", number=number) if number and has_settled_dice(state) else ""


def _seated_prompt(seated: PlayersSeated) -> Prompt:
    number = seated.table
    headline = message("Table {number}: {names}", number=number, names=join_words(seated.players))
    hint = message(
        "{event}, round {round}. Start when all are here.", event=seated.event, round=seated.round
    )
    return Prompt(headline, hint)


def label_buttons(state: TableState, game: GameView | None) -> ButtonsView:
    undo = message("undo") if find_undoable(state) else None
    if state.play.request is not None:
        undo = message("refuse")
    match state.phase:
        case Phase.LOBBY:
            return label_lobby_buttons(state)
        case Phase.READING:
            return _label(None, None, message("accept roll"), undo)
        case Phase.STRAIGHTEN if state.reading.is_only_placed:
            return _label(None, None, message("let it count"), undo)
        case Phase.STRAIGHTEN if state.reading.held_action:
            return _label(None, None, message("yes, thrown"), undo)
        case Phase.IN_HAND:
            return _label(None, None, None, message("put back"))
        case Phase.CHOOSING if state.chooser in state.play.opponent_names:
            return _label(None, None, None, undo)
        case Phase.CHOOSING:
            is_chosen = state.screen.cursor >= 0 and list_choices(state)
            confirm = game.confirm_label() if game and is_chosen else None
            back = _release_label(state) or undo
            return _label(*label_arrows(state), confirm, back)
        case Phase.GAME_OVER if state.play.request is not None:
            return _label(None, None, message("done"), None)
        case Phase.GAME_OVER:
            return _label(message("new game"), None, message("rematch"), undo)
        case Phase.REVIEW:
            is_corrected = state.play.review is not None and state.play.review.is_corrected
            go_on = message("continue") if is_corrected else message("roll is right")
            return _label(None, None, go_on, None)
        case Phase.PAUSED:
            return _label(None, None, message("continue"), message("leave"))
        case Phase.FAULT:
            again = message("calibrate again") if state.troubles.may_recalibrate else None
            return _label(None, None, again, None)
        case Phase.AWAITING_ROLL:
            shown = message("continue") if find_ended_round(state) else None
            return _label(*_label_count_keys(state), shown, undo)
        case _:
            return _label(None, None, None, undo)


def _label_count_keys(state: TableState) -> tuple[str | None, str | None]:
    """Return what the arrows do while a throw is awaited."""
    left, right = label_arrows(state)
    fewer, more = (find_count_change(state, key) for key in (Key.LEFT, Key.RIGHT))
    return left if fewer else None, right if more else None


def show_request(state: TableState) -> RequestView | None:
    """Return the request of another program; None without one."""
    request = state.play.request
    if request is None:
        return None
    return {
        "dice": request.dice,
        "name": request.name,
        "why": request.why,
        "by": request.by,
        "answered": request.is_answered,
    }


def _request_prompt(request: DiceRequested) -> Prompt:
    headline = plural_message(
        "Throw {count} die for {name}",
        "Throw {count} dice for {name}",
        request.dice,
        name=request.name,
    )
    if not request.why:
        return Prompt(headline, message("{program} asks for it.", program=request.by))
    hint = message("{program} asks: {why}", program=request.by, why=request.why)
    return Prompt(headline, hint)


def _answer_prompt(state: TableState, request: DiceRequested) -> Prompt:
    faces = [die.face for die in state.play.roll_dice]
    headline = message(
        "{name}: {faces}, together {total}",
        name=request.name,
        faces=" ".join(map(str, faces)),
        total=sum(faces),
    )
    return Prompt(headline, message("{program} has the result.", program=request.by))


def _doubt_prompt(state: TableState) -> Prompt:
    """Return what to do about doubts: throw again, confirm, or repair what is marked."""
    if state.reading.is_only_placed:
        count = len(state.reading.doubts)
        headline = plural_message(
            "{player}: throw that die again",
            "{player}: throw those dice again",
            count,
            player=state.thrower,
        )
        if any(doubt.kind == PLACED for doubt in state.reading.doubts):
            return Prompt(headline, message("Or let it count; it stays marked as set by hand."))
        return Prompt(headline, message("Or let it count; the journal notes it as not seen."))
    if state.reading.held_action:
        hint = message("If so, confirm. If not, put them back as they lay.")
        return Prompt(message("{player}: were these dice thrown?", player=state.thrower), hint)
    hint = message("Fix only what is marked. The other dice stay.")
    headlines = _DOUBT_HEADLINES
    kinds = Counter(doubt.kind for doubt in list_causes(state))
    if state.setup.under_dome:
        headlines = _DOUBT_HEADLINES | _DOME_HEADLINES
        hint = message("It is read as soon as it stands.") if "no dome" in kinds else SHAKE_AGAIN
    found = None
    if len(kinds) == 1:
        ((kind, count),) = kinds.items()
        describe = headlines.get(kind)
        found = describe(count) if describe else None
        if kind == "count":
            found = _count_headline(state)
    return Prompt(found or message("{player}: check the dice", player=state.thrower), hint)


def _count_headline(state: TableState) -> Message | None:
    """Return how many dice are missing or too many; None if only their colours are wrong."""
    missing = _count(state) - len(state.reading.dice)
    if missing > 0:
        return plural_message("One die is missing", "{count} dice are missing", missing)
    if missing < 0:
        return plural_message("One die too many", "{count} dice too many", -missing)
    return None


_DOUBT_HEADLINES: dict[str, Callable[[int], Message]] = {
    "cocked": lambda count: plural_message("A die leans", "{count} dice lean", count),
    "stacked": lambda _: message("Move the dice apart"),
    "off the felt": lambda count: plural_message(
        "A die is not on the felt", "{count} dice are not on the felt", count
    ),
    "foreign object": lambda count: plural_message(
        "This is not a die", "{count} things are no dice", count
    ),
}
"""The headline for so many doubts that are all of this kind."""

_DOME_HEADLINES: dict[str, Callable[[int], Message]] = {
    "stacked": lambda _: message("Dice lie on or behind each other"),
    "off the felt": lambda _: message("A die is too near the wall"),
    "no dome": lambda _: message("Move the dome into the picture"),
}
"""The same under a dome."""


def _fault_headline(state: TableState) -> Message:
    is_camera = bool(state.troubles.faults) and state.troubles.faults[-1].device == CAMERA
    return message("Check the camera") if is_camera else message("Check the disk")


def _review_prompt(state: TableState) -> Prompt:
    review, last = state.play.review, state.play.last_roll
    assert review is not None, "no review in its own phase"
    assert last is not None, "a review is of a roll"
    by, roller = review.by, last.by
    if review.is_corrected:
        headline = message("{player}'s roll was corrected", player=roller)
        return Prompt(headline, message("Confirm to continue from there."))
    hint = message("Confirm if it is right. An official can correct it.")
    if by:
        hint = message(
            "{player} asked to see it again. Confirm if it is right. An official can correct it.",
            player=by,
        )
    return Prompt(message("Was this {player}'s roll?", player=roller), hint)


def _play_prompt(state: TableState, game: GameView) -> Prompt:
    position, roller = require_game(state), state.play.roller
    if state.phase is Phase.IN_HAND:
        return _hand_prompt(state)
    if state.phase is Phase.CHOOSING and state.chooser in state.play.opponent_names:
        return Prompt(message("{player} is choosing", player=state.chooser), "")
    if state.phase is Phase.CHOOSING:
        return _return_prompt(state) if state.is_returning else game.choose_prompt()
    if roller is not None and position.required_dice(roller):
        return _set_dice_prompt(state, position.required_dice(roller))
    staying = position.dice_to_leave(roller) if roller is not None else ()
    if staying:
        return _rethrow_prompt(state, staying)
    prompt = game.throw_prompt()
    if state.setup.under_dome:
        hint = message("Shake the dome, set it down in the picture, and wait until it is read.")
        return Prompt(prompt.headline, hint)
    return prompt


def _moving_words(state: TableState) -> Message:
    """Return what moves: a throw, or the hand of a player who may take dice out."""
    position, roller = require_game(state), state.play.roller
    if roller is not None and position.required_dice(roller):
        return message("{player} turns a die", player=roller)
    # A die of Just dice is taken only to be thrown, and perhaps by the next player.
    if roller is not None or isinstance(position, FreeThrows):
        return message("The dice are rolling")
    if state.is_returning:
        return message("{player} puts dice back", player=state.chooser)
    return message("{player} takes dice", player=state.chooser)


def _hand_prompt(state: TableState) -> Prompt:
    """Return what is kept while the others are in the hand."""
    kept = list_die_texts(state, state.dice_on_felt)
    if kept:
        headline = message("{player} keeps {dice}", player=state.chooser, dice=dice_words(kept))
        return Prompt(headline, _throw_others_hint(state, kept))
    hint = message("All of them at once.")
    if _count(state) == 2:
        return Prompt(message("{player} throws both dice again", player=state.chooser), hint)
    return Prompt(message("{player} throws all five again", player=state.chooser), hint)


def _throw_others_hint(state: TableState, kept: Sequence[str]) -> Message:
    if _has_colours(state):
        if kept[0].startswith("w"):
            return message("Throw the black die.")
        return message("Throw the white die.")
    count = _count(state) - len(kept)
    return plural_message("Throw the other die.", "Throw the other {count} dice.", count)


def _rethrow_prompt(state: TableState, staying: Sequence[str]) -> Prompt:
    hint = plural_message(
        "Leave the {dice} as it lies.",
        "Leave {dice} as they lie.",
        len(staying),
        dice=dice_words(staying),
    )
    return Prompt(_rethrow_headline(state, staying), hint)


def _rethrow_headline(state: TableState, staying: Sequence[str]) -> Message:
    player = state.play.roller
    if _has_colours(state):
        if staying[0].startswith("w"):
            return message("{player}: throw the black die again", player=player)
        return message("{player}: throw the white die again", player=player)
    return plural_message(
        "{player}: throw the other die",
        "{player}: throw the other {count} dice",
        _count(state) - len(staying),
        player=player,
    )


def _return_prompt(state: TableState) -> Prompt:
    """Return which dice are missing; if others are there, all dice of the roll."""
    wanted = require_game(state).player_dice(state.chooser or "")
    lying = Counter(list_die_texts(state, state.dice_on_felt))
    missing = tuple((Counter(wanted) - lying).elements())
    if missing and not lying - Counter(wanted):
        hint = plural_message(
            "Put the {dice} back as it lay.",
            "Put the {dice} back as they lay.",
            len(missing),
            dice=join_words([die_words(die) for die in missing]),
        )
    else:
        hint = message("The dice were {dice}.", dice=dice_words(wanted))
    return Prompt(message("{player}: put the dice back", player=state.chooser), hint)


def _set_dice_prompt(state: TableState, wanted: Sequence[str]) -> Prompt:
    """Return which die to turn to which face; if others are there, all faces."""
    lying = Counter(list_die_texts(state, state.dice_on_felt))
    old = tuple((lying - Counter(wanted)).elements())
    new = tuple((Counter(wanted) - lying).elements())
    if len(old) == len(new) == 1:
        headline = message(
            "{player}: turn the {old} to {new}",
            player=state.play.roller,
            old=die_words(old[0]),
            new=die_words(new[0]),
        )
        return Prompt(headline, message("Turn only this die, then take your hands away."))
    hint = message("Set the dice to {dice}, then take your hands away.", dice=dice_words(wanted))
    return Prompt(message("{player}: set the dice (Corrector)", player=state.play.roller), hint)


def _has_colours(state: TableState) -> bool:
    return "" not in state.play.polarities


def _count(state: TableState) -> int:
    return len(state.play.polarities)


def _release_label(state: TableState) -> str | None:
    if not state.screen.selection.is_any:
        return None
    return message("no joker") if state.screen.selection.joker else message("clear dice")


def _label(
    left: str | None, right: str | None, confirm: str | None, back: str | None
) -> ButtonsView:
    return {"left": left, "right": right, "confirm": confirm, "back": back}
