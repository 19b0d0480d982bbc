# SPDX-License-Identifier: MIT
"""Entries about the games of a duplicate event: when they are allowed, and what they do."""

from __future__ import annotations

from typing import assert_never

from controller.base.errors import IllegalActionError
from controller.base.languages.message import message
from controller.tournament.entries.game_entries import (
    ChoiceMade,
    CostsFound,
    GameClosed,
    GameEntry,
    GameOpened,
    ReserveAsked,
    ReserveOpened,
    RollClosed,
    RollOpened,
    RollRuling,
)
from controller.tournament.state.duplicate import solo
from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.duplicate.roll import FieldRoll
from controller.tournament.state.event_data import EventData
from controller.tournament.state.refusal import (
    refuse_entry,
    require_accepted,
    require_no_result,
    require_player,
    require_reason,
    require_style,
)


def check_game_entry(data: EventData, entry: GameEntry, at_ms: int) -> None:
    """
    Check that an entry follows from those before it.

    Args:
        at_ms: Its time, which is compared with the clock of a roll.

    Raises:
        RefusedEntryError: It does not.
    """
    match entry:
        case GameOpened():
            _check_game_opened(data, entry)
        case GameClosed():
            game = _require_open_game(data, entry)
            _require_no_open_roll(game, "game_closed.game")
            if game.needs_roll(data.people.list_present()):
                expected = message("an official and a reason: players are still playing")
                require_reason(entry, "early", expected)
        case CostsFound():
            _check_costs(data, entry)
        case RollOpened():
            _check_roll_opened(data, entry, at_ms)
        case RollClosed():
            roll = _require_newest_roll(_require_open_game(data, entry), entry)
            deadline = roll.find_deadline(data.people.list_present())
            if deadline is None or at_ms < deadline:
                expected = message("an official and a reason: the clock still runs")
                require_reason(entry, "early", expected)
        case ChoiceMade():
            _check_choice(data, entry, at_ms)
        case ReserveAsked():
            _check_reserve_asked(data, entry, at_ms)
        case ReserveOpened():
            _check_reserve_opened(data, entry, at_ms)
        case RollRuling():
            check_ruling(data, entry, at_ms)
        case _:
            assert_never(entry)


def apply_game_entry(data: EventData, entry: GameEntry) -> None:
    """Change the event by an entry that was checked."""
    if isinstance(entry, GameOpened):
        data.games.append(_open_game(data, entry))
        return
    if isinstance(entry, RollRuling):
        apply_ruling(data, entry)
        return
    game = data.games[entry.game - 1]
    if isinstance(entry, RollClosed | GameClosed) and entry.by:
        data.closed.append(entry)
    match entry:
        case GameClosed():
            game.is_open = False
        case CostsFound():
            data.costs[entry.game] = entry
        case RollOpened():
            game.open(entry.faces, entry.source, entry.until_ms, data.people.list_present())
            data.use_line(entry.source, entry.game, entry.roll, is_reserve=False)
        case RollClosed():
            game.close_roll()
        case ChoiceMade():
            game.choose(entry.player, entry.do)
            _note_enterer(data, entry)
        case ReserveAsked():
            game.ask_reserve(entry.player)
            _note_enterer(data, entry)
        case ReserveOpened():
            game.open_reserve(entry.faces, entry.source, entry.until_ms)
            data.use_line(entry.source, entry.game, entry.roll, is_reserve=True)
        case _:
            assert_never(entry)


def _open_game(data: EventData, entry: GameOpened) -> DuplicateGame:
    return DuplicateGame(
        entry.game,
        data.event.game,
        data.event.options,
        box=entry.box,
        since=entry.since,
        players=frozenset(entry.players) if entry.players else None,
    )


def _note_enterer(data: EventData, entry: ChoiceMade | ReserveAsked) -> None:
    """
    Record who entered a choice, or at which table's screen it was made.

    One that a ruling made void may be made again on a phone.
    """
    key = (entry.game, entry.roll, entry.player)
    box = "" if entry.by else data.people.find(entry.player).kiosk
    for noted, value in ((data.entered, entry.by), (data.chosen_at, box)):
        noted.pop(key, None)
        if value:
            noted[key] = value


def apply_ruling(data: EventData, entry: RollRuling) -> None:
    """Change the event by a ruling that was checked."""
    game = data.games[entry.game - 1]
    if entry.decision != "keep":
        data.costs.pop(entry.game, None)
    if entry.decision == "annul":
        game.annul(entry.roll)
    elif entry.decision == "restore":
        game.restore(entry.roll, entry.until_ms)
    elif entry.decision == "recompute":
        game.change_faces(entry.roll, entry.faces, entry.until_ms, is_reserve=entry.is_reserve)
    data.rulings.append(entry)
    if entry.cause and entry.decision == "restore":
        data.decided.discard(entry.cause.link)  # What was asked waits for another decision.
    elif entry.cause:
        data.decided.add(entry.cause.link)


def _check_game_opened(data: EventData, entry: GameOpened) -> None:
    require_no_result(data, entry)
    require_style(data, ("duplicate",), entry.kind)
    if data.open_game is not None:
        found = message("game {number}, still open", number=str(data.open_game.number))
        raise refuse_entry("early", message("no open game"), found, "game_opened.game")
    if entry.game != len(data.games) + 1:
        raise refuse_entry("order", str(len(data.games) + 1), entry.game, "game_opened.game")
    is_play_off = entry.game > data.event.games
    if is_play_off != bool(entry.players):
        expected = (
            message("the players of the play-off: all games of the event are played")
            if is_play_off
            else message("no players: the game is for everybody")
        )
        raise refuse_entry("rule", expected, str(len(entry.players)), "game_opened.players")
    require_accepted(data, entry.box, "game_opened.box")
    for player in entry.players:
        require_player(data, player, "game_opened.players")


def _check_costs(data: EventData, entry: CostsFound) -> None:
    require_no_result(data, entry)
    game = next((each for each in data.list_without_costs() if each.number == entry.game), None)
    if game is None:
        expected = message("an ended game whose costs are missing")
        raise refuse_entry("closed", expected, entry.game, "costs.game")
    own = tuple(game.count_own().items())
    if tuple((player, choices) for player, choices, _ in entry.costs) != own:
        expected = message("each player with the number of own choices")
        raise refuse_entry("illegal", expected, message("others"), "costs.costs")


def _check_roll_opened(data: EventData, entry: RollOpened, at_ms: int) -> None:
    game = _require_open_game(data, entry)
    _require_no_open_roll(game, "roll_opened.roll")
    if entry.roll != len(game.rolls) + 1:
        raise refuse_entry("order", str(len(game.rolls) + 1), entry.roll, "roll_opened.roll")
    if not game.needs_roll(data.people.list_present()):
        expected = message("a player who is still playing")
        raise refuse_entry("closed", expected, message("none"), "roll_opened.game")
    _check_thrown(data, game, entry, at_ms)


def _check_choice(data: EventData, entry: ChoiceMade, at_ms: int) -> None:
    game, _ = _require_choice(data, entry, at_ms)
    try:
        game.try_choice(entry.player, entry.do)
    except IllegalActionError as error:
        if solo.is_waiting(game.deal(entry.player)):
            expected = message("the reserve roll first")
            raise refuse_entry("early", expected, ", ".join(entry.do), "choice.do") from error
        legal = solo.list_actions(game.deal(entry.player))
        expected = message("one of {actions}", actions=", ".join(legal))
        raise refuse_entry("illegal", expected, ", ".join(entry.do), "choice.do") from error


def _check_reserve_asked(data: EventData, entry: ReserveAsked, at_ms: int) -> None:
    game, roll = _require_choice(data, entry, at_ms)
    where = "reserve_asked.player"
    if entry.player in roll.asked:
        raise refuse_entry("twice", message("one Terminator"), message("another"), where)
    if roll.reserve is not None:
        expected = message("a Terminator before the reserve roll is thrown")
        raise refuse_entry("late", expected, message("the reserve roll is there"), where)
    if solo.TERMINATOR not in solo.list_actions(game.deal(entry.player)):
        expected = message("a Terminator that is not used")
        raise refuse_entry("illegal", expected, message("none"), where)


def _check_reserve_opened(data: EventData, entry: ReserveOpened, at_ms: int) -> None:
    game = _require_open_game(data, entry)
    roll = _require_newest_roll(game, entry)
    if not roll.needs_reserve:
        expected = message("a player who waits for a reserve roll")
        raise refuse_entry("early", expected, message("none"), "reserve_opened.roll")
    _check_thrown(data, game, entry, at_ms)


def check_ruling(data: EventData, entry: RollRuling, at_ms: int) -> None:
    """Check a ruling that has this time; RefusedEntryError if it is not allowed."""
    roll = data.find_roll(entry.game, entry.roll)
    if roll is None:
        expected = message("a roll of the event")
        raise refuse_entry("unknown", expected, f"{entry.game}/{entry.roll}", "ruling.roll")
    if entry.decision == "restore":
        _check_restore(data, entry, roll, at_ms)
    elif roll.is_annulled:
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
    if entry.decision in ("annul", "restore") and entry.is_reserve:
        expected = message("recompute or keep, for a reserve roll")
        raise refuse_entry("rule", expected, entry.decision, "ruling.decision")


def _check_restore(data: EventData, entry: RollRuling, roll: FieldRoll, at_ms: int) -> None:
    if not roll.is_annulled:
        expected, found = message("an annulled roll"), message("one that counts")
        raise refuse_entry("closed", expected, found, "ruling.roll")
    if not roll.was_open:
        _require_no_clock(entry)
        return
    game = data.games[entry.game - 1]
    if not game.is_open or roll is not game.rolls[-1]:
        expected = message("a roll that was closed when it was annulled, or the newest one")
        raise refuse_entry("late", expected, entry.roll, "ruling.roll")
    _check_clock(entry, at_ms)


def _require_no_clock(entry: RollRuling) -> None:
    if entry.until_ms:
        expected = message("no clock: the roll is closed")
        raise refuse_entry("closed", expected, entry.until_ms, "ruling.until_ms")


def _check_recompute(data: EventData, entry: RollRuling, roll: FieldRoll, at_ms: int) -> None:
    if roll.is_open:
        _check_clock(entry, at_ms)
        return
    _require_no_clock(entry)
    if data.event.corrected == "annul":
        expected = message("keep or annul, as the event says")
        raise refuse_entry("rule", expected, entry.decision, "ruling.decision")


def _require_open_game(data: EventData, entry: GameEntry) -> DuplicateGame:
    game = data.open_game
    if game is None or game.number != entry.game:
        expected = (
            message("game {number}, which is open", number=str(game.number))
            if game
            else message("an open game")
        )
        raise refuse_entry("closed", expected, entry.game, f"{entry.kind}.game")
    return game


def _require_no_open_roll(game: DuplicateGame, where: str) -> None:
    if game.open_roll is not None:
        found = message("roll {number}, still open", number=str(game.open_roll.number))
        raise refuse_entry("early", message("no open roll"), found, where)


def _require_newest_roll(game: DuplicateGame, entry: RollClosed | ReserveOpened) -> FieldRoll:
    roll = game.open_roll
    if roll is None or roll.number != entry.roll:
        raise refuse_entry("closed", message("the open roll"), entry.roll, f"{entry.kind}.roll")
    return roll


def _require_choice(
    data: EventData, entry: ChoiceMade | ReserveAsked, at_ms: int
) -> tuple[DuplicateGame, FieldRoll]:
    """Return the game and the roll from which this player may choose at this time."""
    at_player, at_roll = f"{entry.kind}.player", f"{entry.kind}.roll"
    player = require_player(data, entry.player, at_player)
    found = data.find_roll(entry.game, entry.roll)
    if found is not None and found.is_annulled:
        expected = message("a roll that counts")
        raise refuse_entry("annulled", expected, message("an annulled one"), at_roll)
    game = _require_open_game(data, entry)
    roll = game.open_roll
    if roll is None or roll.number != entry.roll:
        is_past = entry.roll <= len(game.rolls)
        expected = (
            message("roll {number}, which is open", number=str(roll.number))
            if roll
            else message("an open roll")
        )
        raise refuse_entry("late" if is_past else "early", expected, entry.roll, at_roll)
    if entry.player in roll.choices:
        expected, again = message("one choice from a roll"), message("another")
        raise refuse_entry("twice", expected, again, at_player)
    if not game.is_playing(entry.player, roll):
        expected = message("a player who plays this roll")
        raise refuse_entry("closed", expected, player.name, at_player)
    deadline = roll.deadline_of(entry.player)
    if deadline is not None and at_ms >= deadline:
        expected = message("a choice within the clock")
        late = message("{seconds} s too late", seconds=f"{(at_ms - deadline) / 1000:.1f}")
        raise refuse_entry("late", expected, late, at_roll)
    return game, roll


def _check_thrown(
    data: EventData, game: DuplicateGame, entry: RollOpened | ReserveOpened, at_ms: int
) -> None:
    """Check that the table of the game threw these faces, and that the clock has still to end."""
    source, where = entry.source, f"{entry.kind}.source"
    if data.boxes.is_still(source.box) or not data.boxes.is_same(source.box, game.box):
        raise refuse_entry("unknown", message("the table of the game"), source.box, where)
    last = data.last_line_of(game)
    if source.seq <= last:
        expected = message("a line after {line}", line=str(last))
        raise refuse_entry("twice", expected, source.seq, where)
    roll = data.boxes.find_roll(source)
    if roll is not None and (roll.faces != entry.faces or not roll.is_shared):
        expected = message("{faces}, as the table threw", faces=roll.faces)
        raise refuse_entry("illegal", expected, entry.faces, f"{entry.kind}.faces")
    _check_clock(entry, at_ms)


def _check_clock(entry: RollOpened | ReserveOpened | RollRuling, at_ms: int) -> None:
    if entry.until_ms <= at_ms:
        where = f"{entry.kind}.until_ms"
        raise refuse_entry("rule", message("a time to come"), entry.until_ms, where)
