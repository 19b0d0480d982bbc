# SPDX-License-Identifier: MIT
"""What a player's phone shows of a duplicate event, as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from controller.games import require_game
from controller.games.contract import GameState, Json
from controller.games.ui import TurnContext
from controller.tournament.entries.game_entries import RollRuling
from controller.tournament.state.appeals import list_appealable
from controller.tournament.state.calls import find_last_call
from controller.tournament.state.duplicate import solo
from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.duplicate.roll import FieldRoll
from controller.tournament.state.event_data import EventData
from controller.tournament.state.next_draw import list_drawable


def build_player_view(data: EventData, player: int, *, is_shared: bool = False) -> dict[str, Json]:
    """
    Return a player's part of the game that goes on or was the last.

    `roll` is null between rolls, `game` before the first one. `actions` are all legal ones;
    they are empty if the player has chosen, has finished, or waits for the reserve roll. `offers`
    are those that mark the sheet, best result first, with what each would count. `paper` is the
    sheet as the pages draw it. `by` is the official who entered the choice.
    `call` is the newest call for an official, null without one. `checked_in` is null without a
    check-in, and for who cannot be drawn next. `rulings` are those against which the player may
    appeal. `rounds_off` are the rounds that the player may take off or back, with whether they
    take it off now.

    Args:
        is_shared: Whether others see it who may have still to choose: `chosen` is empty then.
    """
    person, here = data.people.find(player), data.rounds.checked_in
    call = find_last_call(data, player)
    view: dict[str, Json] = {
        "player": player,
        "name": person.name,
        "is_away": person.is_away,
        "is_withdrawn": person.is_withdrawn,
        "call": {"is_open": call.is_open, "by": call.answered_by} if call else None,
        "rulings": [_describe_ruling(data, number) for number in list_appealable(data, player)],
        "checked_in": None if here is None or player not in list_drawable(data) else player in here,
        "rounds_off": _list_rounds_off(data, player),
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
        "paper": _draw_sheet(data.event.game, _find_marked(game, player)),
        "roll": _describe_roll(data, game, roll, player, is_shared=is_shared) if roll else None,
        "last": _describe_last(data, game, player),
    }


def describe_seats(data: EventData, players: Iterable[int]) -> list[Json]:
    """
    Return what an open roll asks of players.

    `state` is `choose`, `wait` (for the reserve roll), `chosen`, or empty if it is not for them.
    What they chose is not among it: who sees it may have still to choose.
    """
    return [
        {"player": player, "name": data.people.find(player).name, "state": _find_seat(data, player)}
        for player in players
    ]


def list_without_phone(data: EventData) -> list[int]:
    """
    Return for whom an official may have to choose.

    Players without a phone come first, and then those from whom a roll still awaits a choice.
    """
    awaited = data.open_game.list_awaited() if data.open_game else ()
    present = [each for each in data.people.list_players() if each.is_present]
    alone = [each.number for each in present if not each.token]
    return [*alone, *(player for player in awaited if data.people.find(player).token)]


def _find_seat(data: EventData, player: int) -> str:
    game, roll = data.open_game, data.open_roll
    if game is None or roll is None or not game.is_playing(player, roll):
        return ""
    if player in roll.choices:
        return "chosen"
    return "wait" if solo.is_waiting(game.deal(player)) else "choose"


def describe_field(roll: FieldRoll) -> list[dict[str, Json]]:
    """Return the choices of the whole field from a closed roll, the most frequent first."""
    return [{"do": list(do), "players": count} for do, count in roll.count_choices().items()]


def _describe_ruling(data: EventData, number: int) -> Mapping[str, Json]:
    """Return a ruling; `game` and `roll` are 0 for one on a roll of a table's own game."""
    ruling = data.rulings[number - 1]
    game, roll = (ruling.game, ruling.roll) if isinstance(ruling, RollRuling) else (0, 0)
    return {"number": number, "by": ruling.by, "game": game, "roll": roll}


def _list_rounds_off(data: EventData, player: int) -> list[Json]:
    rounds, event = data.rounds, data.event
    off = {number for number, players in rounds.asked.items() if player in players}
    is_open = data.result is None
    return [
        [number, number in off]
        for number in range(len(rounds.rounds) + 1, event.games + 1)
        if is_open
        and not rounds.is_announced(number)
        and (number in off or len(off) < event.half_byes)
    ]


def _describe_roll(
    data: EventData, game: DuplicateGame, roll: FieldRoll, player: int, *, is_shared: bool
) -> Mapping[str, Json]:
    chosen = roll.choices.get(player)
    dealt = _find_dealt(game, player)
    awaits_reserve = dealt is not None and player in roll.asked and solo.is_waiting(dealt)
    actions = solo.list_actions(dealt) if dealt is not None and chosen is None else ()
    reserve = roll.reserve if player in roll.asked else None
    thrown = reserve or roll
    if roll.reserve is not None:
        actions = tuple(action for action in actions if action != solo.TERMINATOR)
    return {
        "number": roll.number,
        "faces": roll.faces,
        "reserve": reserve.faces if reserve else None,
        "is_changed": thrown.faces != thrown.opened_faces,
        "until_ms": roll.deadline_of(player),
        "plays": dealt is not None,
        "chosen": [] if chosen and is_shared else chosen and list(chosen),
        "by": data.entered.get((game.number, roll.number, player), ""),
        "awaits_reserve": awaits_reserve,
        "actions": [] if awaits_reserve else list(actions),
        "offers": _list_offers(dealt) if dealt is not None and actions else [],
    }


@lru_cache(maxsize=4096)
def _draw_sheet(game: str, position: GameState) -> Json:
    """Return a sheet, which is not changed: a player's stays equal for several messages."""
    view = require_game(game).ui.create_view(position, TurnContext(chooser=solo.PLAYER))
    return dict(view.sheet(solo.PLAYER))


def _find_marked(game: DuplicateGame, player: int) -> GameState:
    """Return the position that a player's sheet shows: dice mark nothing, a Terminator does."""
    roll = game.open_roll
    return game.deal(player) if roll and player in roll.asked else game.sheet_of(player)


def _find_dealt(game: DuplicateGame, player: int) -> GameState | None:
    """Return a player's position with the dice of the open roll; None if they do not play it."""
    roll = game.open_roll
    return game.deal(player) if roll and game.is_playing(player, roll) else None


@lru_cache(maxsize=1024)
def _list_offers(dealt: GameState, before: GameState | None = None) -> list[Json]:
    """
    Return the actions that mark the sheet, best first, with what each adds to the one before.

    They are not changed: in the first rolls of a game many players have equal positions.
    """
    now = solo.count_total(before or dealt)
    totals = sorted(solo.count_choices(dealt).items(), key=lambda pair: -pair[1])
    return [{"action": each, "gain": total - now, "total": total} for each, total in totals]


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
    return _list_offers(turned, dealt)


def _describe_last(data: EventData, game: DuplicateGame, player: int) -> Mapping[str, Json] | None:
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
        "by": data.entered.get((game.number, last.number, player), ""),
    }
