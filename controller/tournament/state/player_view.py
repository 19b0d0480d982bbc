# SPDX-License-Identifier: MIT
"""What a player's phone shows of a duplicate event, as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controller.games import require_game
from controller.games.contract import GameState, Json
from controller.games.ui import TurnContext
from controller.tournament.state.duplicate import solo
from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.duplicate.roll import FieldRoll
from controller.tournament.state.event_data import EventData


def build_player_view(data: EventData, player: int) -> dict[str, Json]:
    """
    Return a player's part of the game that goes on or was the last.

    `roll` is null between rolls, `game` before the first one. `actions` are all legal ones;
    they are empty if the player has chosen, has finished, or waits for the reserve roll. `offers`
    are those that mark the sheet, best result first, with what each would count. `paper` is the
    sheet as the pages draw it.
    """
    person = data.people.find(player)
    view: dict[str, Json] = {
        "player": player,
        "name": person.name,
        "is_away": person.is_away,
        "is_withdrawn": person.is_withdrawn,
        "game": None,
        "roll": None,
    }
    if not data.games:
        return view
    game = data.games[-1]
    position = game.sheet_of(player)
    roll = game.open_roll
    return {
        **view,
        "game": game.number,
        "is_open": game.is_open,
        "has_missed": game.has_missed(player),
        "is_finished": solo.is_finished(position),
        "total": game.totals.get(player),
        "sheet": position.sheet(solo.PLAYER),
        "paper": _draw_sheet(data, _find_dealt(game, player) or position),
        "roll": _describe_roll(game, roll, player) if roll else None,
        "last": _describe_last(game, player),
    }


def describe_field(roll: FieldRoll) -> list[dict[str, Json]]:
    """Return the choices of the whole field from a closed roll, the most frequent first."""
    return [{"do": list(do), "players": count} for do, count in roll.count_choices().items()]


def _describe_roll(game: DuplicateGame, roll: FieldRoll, player: int) -> Mapping[str, Json]:
    chosen = roll.choices.get(player)
    dealt = _find_dealt(game, player)
    awaits_reserve = dealt is not None and solo.is_waiting(dealt)
    actions = solo.list_actions(dealt) if dealt is not None and chosen is None else ()
    if roll.reserve is not None:
        actions = tuple(action for action in actions if action != solo.TERMINATOR)
    return {
        "number": roll.number,
        "faces": roll.faces,
        "reserve": roll.reserve.faces if roll.reserve and player in roll.asked else None,
        "until_ms": roll.deadline_of(player),
        "plays": dealt is not None,
        "chosen": list(chosen) if chosen else None,
        "awaits_reserve": awaits_reserve,
        "actions": [] if awaits_reserve else list(actions),
        "offers": _list_offers(dealt, actions) if dealt is not None and not awaits_reserve else [],
    }


def _draw_sheet(data: EventData, position: GameState) -> Json:
    view = require_game(data.event.game).ui.create_view(position, TurnContext(chooser=solo.PLAYER))
    return dict(view.sheet(solo.PLAYER))


def _find_dealt(game: DuplicateGame, player: int) -> GameState | None:
    """Return a player's position with the dice of the open roll; None if they do not play it."""
    roll = game.open_roll
    return game.deal(player) if roll and game.is_playing(player, roll) else None


def _list_offers(
    dealt: GameState, actions: Sequence[str], before: GameState | None = None
) -> list[Json]:
    """Return the actions that mark the sheet, best first, with what each adds to the one before."""
    now = solo.count_total(before or dealt)
    totals = [(solo.count_after(dealt, each), each) for each in actions if solo.marks_sheet(each)]
    totals.sort(key=lambda pair: -pair[0])
    return [{"action": each, "gain": total - now, "total": total} for total, each in totals]


def list_offers_after(data: EventData, player: int, joker: str) -> list[Json]:
    """
    Return what a player may choose after a corrector, as `offers` of the view.

    Raises:
        IllegalActionError: It is not legal now, or the player has no dice to choose from.
    """
    game = data.open_game
    dealt = _find_dealt(game, player) if game else None
    if game is None or dealt is None or player in game.rolls[-1].choices:
        raise solo.refuse_action(solo.start_sheet(data.event.game, data.event.options), joker)
    turned = solo.turn_die(dealt, joker)
    return _list_offers(turned, solo.list_actions(turned), dealt)


def _describe_last(game: DuplicateGame, player: int) -> Mapping[str, Json] | None:
    """Return the last closed roll that counts, with what counted for the player."""
    closed = [roll for roll in game.rolls if not roll.is_open and not roll.is_annulled]
    if not closed:
        return None
    last = closed[-1]
    played = last.played.get(player)
    return {
        "number": last.number,
        "faces": last.faces,
        "do": list(played.do) if played else None,
        "is_automatic": played.is_automatic if played else False,
    }
