# SPDX-License-Identifier: MIT
"""Check proposed entries about the games of a duplicate event: rolls, choices, rulings."""

from __future__ import annotations

from collections.abc import Mapping

from controller.base.errors import IllegalActionError
from controller.base.languages.message import Message, message
from controller.tournament.entries.entry_base import EventEntry
from controller.tournament.entries.fields import Source
from controller.tournament.entries.game_entries import (
    ChoiceMade,
    CostsFound,
    GameClosed,
    GameOpened,
    ReserveAsked,
    ReserveOpened,
    RollClosed,
    RollOpened,
    RollRuling,
)
from controller.tournament.state.check_people import Check, require_no_result, require_player
from controller.tournament.state.duplicate import solo
from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.duplicate.roll import FieldRoll
from controller.tournament.state.event_data import EventData
from controller.tournament.state.refusal import refuse_entry


def check_game_opened(data: EventData, entry: GameOpened, at_ms: int) -> None:
    require_no_result(data, entry)
    _require_duplicate(data, entry)
    if data.open_game is not None:
        found = message("game {number}, still open", number=str(data.open_game.number))
        raise refuse_entry("early", message("no open game"), found, "game_opened.game")
    if entry.game != len(data.games) + 1:
        raise refuse_entry("order", str(len(data.games) + 1), entry.game, "game_opened.game")
    is_play_off = entry.game > data.event.games
    if is_play_off != bool(entry.players):
        expected = (
            message(
                "the players of the play-off: all {count} games are played",
                count=str(data.event.games),
            )
            if is_play_off
            else message("no players: the game is for everybody")
        )
        raise refuse_entry("rule", expected, str(len(entry.players)), "game_opened.players")
    if data.boxes.is_still(entry.box):
        expected = message("an enrolled table with an accepted key")
        raise refuse_entry("unknown", expected, entry.box, "game_opened.box")
    for player in entry.players:
        require_player(data, player, "game_opened.players")


def check_game_closed(data: EventData, entry: GameClosed, at_ms: int) -> None:
    game = _require_open_game(data, entry.game, "game_closed.game")
    if game.open_roll is not None:
        found = message("roll {number}, still open", number=str(game.open_roll.number))
        raise refuse_entry("early", message("no open roll"), found, "game_closed.game")
    if game.needs_roll(data.people.list_present()):
        _require_reason(
            entry.by,
            entry.reason,
            message("an official and a reason: players are still playing"),
            "game_closed.by",
        )


def check_costs(data: EventData, entry: CostsFound, at_ms: int) -> None:
    require_no_result(data, entry)
    game = next((each for each in data.list_without_costs() if each.number == entry.game), None)
    if game is None:
        expected = message("an ended game whose costs are missing")
        raise refuse_entry("closed", expected, entry.game, "costs.game")
    own = tuple(game.count_own().items())
    if tuple((player, choices) for player, choices, _ in entry.costs) != own:
        expected = message("each player with the number of own choices")
        raise refuse_entry("illegal", expected, message("others"), "costs.costs")


def check_roll_opened(data: EventData, entry: RollOpened, at_ms: int) -> None:
    game = _require_open_game(data, entry.game, "roll_opened.game")
    if game.open_roll is not None:
        found = message("roll {number}, still open", number=str(game.open_roll.number))
        raise refuse_entry("early", message("no open roll"), found, "roll_opened.roll")
    if entry.roll != len(game.rolls) + 1:
        raise refuse_entry("order", str(len(game.rolls) + 1), entry.roll, "roll_opened.roll")
    if not game.needs_roll(data.people.list_present()):
        expected = message("a player who is still playing")
        raise refuse_entry("closed", expected, message("none"), "roll_opened.game")
    _check_source(data, game, entry.source, entry.faces, "roll_opened")
    _check_clock(entry.until_ms, at_ms, "roll_opened.until_ms")


def check_choice(data: EventData, entry: ChoiceMade, at_ms: int) -> None:
    game, _ = _require_open_roll(data, entry, at_ms, "choice")
    try:
        game.try_choice(entry.player, entry.do)
    except IllegalActionError as error:
        if solo.is_waiting(game.deal(entry.player)):
            expected = message("the reserve roll first")
            raise refuse_entry("early", expected, ", ".join(entry.do), "choice.do") from error
        legal = solo.list_actions(game.deal(entry.player))
        expected = message("one of {actions}", actions=", ".join(legal))
        raise refuse_entry("illegal", expected, ", ".join(entry.do), "choice.do") from error


def check_reserve_asked(data: EventData, entry: ReserveAsked, at_ms: int) -> None:
    game, roll = _require_open_roll(data, entry, at_ms, "reserve_asked")
    where = "reserve_asked.player"
    if entry.player in roll.asked:
        raise refuse_entry("twice", message("one Terminator"), message("another"), where)
    if roll.reserve is not None:
        expected = message("a Terminator before the reserve roll is thrown")
        raise refuse_entry("late", expected, message("the reserve roll is there"), where)
    if solo.TERMINATOR not in solo.list_actions(game.deal(entry.player)):
        expected = message("a Terminator that is not used")
        raise refuse_entry("illegal", expected, message("none"), where)


def check_reserve_opened(data: EventData, entry: ReserveOpened, at_ms: int) -> None:
    game = _require_open_game(data, entry.game, "reserve_opened.game")
    roll = game.open_roll
    if roll is None or roll.number != entry.roll:
        expected = message("the open roll")
        raise refuse_entry("closed", expected, entry.roll, "reserve_opened.roll")
    if not roll.needs_reserve:
        expected = message("a player who waits for a reserve roll")
        raise refuse_entry("early", expected, message("none"), "reserve_opened.roll")
    _check_source(data, game, entry.source, entry.faces, "reserve_opened")
    _check_clock(entry.until_ms, at_ms, "reserve_opened.until_ms")


def check_roll_closed(data: EventData, entry: RollClosed, at_ms: int) -> None:
    game = _require_open_game(data, entry.game, "roll_closed.game")
    roll = game.open_roll
    if roll is None or roll.number != entry.roll:
        expected = message("the open roll")
        raise refuse_entry("closed", expected, entry.roll, "roll_closed.roll")
    deadline = roll.find_deadline(data.people.list_present())
    if deadline is None or at_ms < deadline:
        expected = message("an official and a reason: the clock still runs")
        _require_reason(entry.by, entry.reason, expected, "roll_closed.by")


def check_ruling(data: EventData, entry: RollRuling, at_ms: int) -> None:
    roll = data.find_roll(entry.game, entry.roll)
    if roll is None:
        expected = message("a roll of the event")
        raise refuse_entry("unknown", expected, f"{entry.game}/{entry.roll}", "ruling.roll")
    if roll.is_annulled:
        expected = message("a roll that counts")
        raise refuse_entry("annulled", expected, message("an annulled one"), "ruling.roll")
    if entry.is_reserve and roll.reserve is None:
        expected = message("a roll with a reserve roll")
        raise refuse_entry("unknown", expected, message("none"), "ruling.is_reserve")
    if (entry.decision == "recompute") != bool(entry.faces):
        expected = (
            message("the faces that count now")
            if entry.decision == "recompute"
            else message("no faces, which only recompute has")
        )
        raise refuse_entry("rule", expected, repr(entry.faces), "ruling.faces")
    if entry.decision == "recompute":
        _check_recompute(data, entry, roll, at_ms)
    if entry.decision == "annul" and entry.is_reserve:
        expected = message("recompute or keep, for a reserve roll")
        raise refuse_entry("rule", expected, entry.decision, "ruling.decision")


def _check_recompute(data: EventData, entry: RollRuling, roll: FieldRoll, at_ms: int) -> None:
    if roll.is_open:
        _check_clock(entry.until_ms, at_ms, "ruling.until_ms")
    elif entry.until_ms:
        expected = message("no clock: the roll is closed")
        raise refuse_entry("closed", expected, entry.until_ms, "ruling.until_ms")
    elif data.event.corrected == "annul":
        expected = message("keep or annul, as the event says")
        raise refuse_entry("rule", expected, entry.decision, "ruling.decision")


def _require_duplicate(data: EventData, entry: EventEntry) -> None:
    if data.event.style != "duplicate":
        raise refuse_entry("rule", message("a duplicate event"), data.event.style, entry.kind)


def _require_open_game(data: EventData, number: int, where: str) -> DuplicateGame:
    game = data.open_game
    if game is None or game.number != number:
        expected = (
            message("game {number}, which is open", number=str(game.number))
            if game
            else message("an open game")
        )
        raise refuse_entry("closed", expected, number, where)
    return game


def _require_open_roll(
    data: EventData, entry: ChoiceMade | ReserveAsked, at_ms: int, kind: str
) -> tuple[DuplicateGame, FieldRoll]:
    """Return the game and the roll from which this player may choose at this time."""
    player = require_player(data, entry.player, f"{kind}.player")
    found = data.find_roll(entry.game, entry.roll)
    if found is not None and found.is_annulled:
        expected = message("a roll that counts")
        raise refuse_entry("annulled", expected, message("an annulled one"), f"{kind}.roll")
    game = _require_open_game(data, entry.game, f"{kind}.game")
    roll = game.open_roll
    if roll is None or roll.number != entry.roll:
        is_past = entry.roll <= len(game.rolls)
        expected = (
            message("roll {number}, which is open", number=str(roll.number))
            if roll
            else message("an open roll")
        )
        raise refuse_entry("late" if is_past else "early", expected, entry.roll, f"{kind}.roll")
    if entry.player in roll.choices:
        expected, again = message("one choice from a roll"), message("another")
        raise refuse_entry("twice", expected, again, f"{kind}.player")
    if not game.is_playing(entry.player, roll):
        expected = message("a player who plays this roll")
        raise refuse_entry("closed", expected, player.name, f"{kind}.player")
    deadline = roll.deadline_of(entry.player)
    if deadline is not None and at_ms >= deadline:
        expected = message("a choice within the clock")
        late = message("{seconds} s too late", seconds=f"{(at_ms - deadline) / 1000:.1f}")
        raise refuse_entry("late", expected, late, f"{kind}.roll")
    return game, roll


def _check_source(
    data: EventData, game: DuplicateGame, source: Source, faces: str, kind: str
) -> None:
    where = f"{kind}.source"
    if data.boxes.is_still(source.box) or not data.boxes.is_same(source.box, game.box):
        raise refuse_entry("unknown", message("the table of the game"), source.box, where)
    last = data.last_line_of(game)
    if source.seq <= last:
        expected = message("a line after {line}", line=str(last))
        raise refuse_entry("twice", expected, source.seq, where)
    roll = data.boxes.find_roll(source)
    if roll is not None and (roll.faces != faces or not roll.is_shared):
        expected = message("{faces}, as the table threw", faces=roll.faces)
        raise refuse_entry("illegal", expected, faces, f"{kind}.faces")


def _check_clock(until_ms: int, at_ms: int, where: str) -> None:
    if until_ms <= at_ms:
        raise refuse_entry("rule", message("a time to come"), until_ms, where)


def _require_reason(by: str, reason: str, expected: Message, where: str) -> None:
    if not by or not reason:
        raise refuse_entry("early", expected, message("none"), where)


CHECKS: Mapping[str, Check] = {
    "game_opened": check_game_opened,
    "game_closed": check_game_closed,
    "costs": check_costs,
    "roll_opened": check_roll_opened,
    "choice": check_choice,
    "reserve_asked": check_reserve_asked,
    "reserve_opened": check_reserve_opened,
    "roll_closed": check_roll_closed,
    "ruling": check_ruling,
}
