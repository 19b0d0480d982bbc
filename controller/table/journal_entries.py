# SPDX-License-Identifier: MIT
"""
Write a game into journal entries, and restore a table from them.

Entries hold whole numbers only. So positions are written in thousandths of a pixel, angles
in thousandths of a degree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace

from controller.base.errors import InputError
from controller.coach.opponent import Opponent
from controller.games.contract import COUNT, JOIN, ActionEvent, GameState
from controller.journal import entries as written
from controller.journal.hashchain import Body, Entry, Value
from controller.table import game_flow, requested_dice, review, undoing
from controller.table.effects import PendingEntry
from controller.table.events import DiceRequested, TrayDie, TrayDoubt
from controller.table.reading_codec import build_picture_info, encode_reading, place_dice
from controller.table.review import require_last_roll
from controller.table.state import JournalNews, TableReading, TableState, require_game
from controller.table.undoing import UndoneAction

JournalEntry = tuple[str, Body]  # The kind and the body of an entry as it is in the journal.

_IN_A_GAME = written.RULED - {"continued", "closed"}
_CHANGES_THE_TABLE = written.RULED | {"game", "request"}
_FOR_LATER_GAMES = written.ABOUT_THE_JOURNAL | {"game"}
"""What a later game shows of those before it: who played, and what became of the journal."""


def game_entry(
    game: str, position: GameState, opponents: Sequence[Opponent] = (), *, has_hints: bool = False
) -> PendingEntry:
    """Return the entry of a game that begins; who plays by itself, and hints, only if any."""
    body: Body = {
        "game": game,
        "players": list(position.players),
        "options": dict(position.options),
        **({"opponents": [asdict(one) for one in opponents]} if opponents else {}),
        **({"hints": True} if has_hints else {}),
    }
    return PendingEntry("game", body)


def request_entry(request: DiceRequested) -> PendingEntry:
    """Return the entry of a request for dice; `by` names the token of the program."""
    body: Body = {"dice": request.dice, "for": request.name, "why": request.why, "by": request.by}
    return PendingEntry("request", body)


def roll_entry(
    after: TableState, *, by: str, held: str, roll: str, doubts: tuple[TrayDoubt, ...]
) -> PendingEntry:
    """
    Return the entry of a roll, read by the camera or entered by hand because of the doubts.

    `held` is the hold that follows from the dice that stayed. It is empty if the player had
    announced it, or threw all dice for a new turn.
    """
    body: Body = {
        "by": by,
        "held": held,
        "roll": roll,
        "by_hand": after.play.by_hand,
        **_reason(after),
        **encode_reading(after.dice_on_felt, doubts, after.picture, after.picture_info),
        **_result(after),
    }
    return PendingEntry("roll", body, picture=after.picture)


def answer_entry(
    after: TableState, *, by: str, roll: str, doubts: tuple[TrayDoubt, ...]
) -> PendingEntry:
    """Return the entry of the roll that answers a request; its keys are those of a roll."""
    roll_of = roll_entry(after, by=by, held="", roll=roll, doubts=doubts)
    return PendingEntry("answer", roll_of.body, picture=after.picture)


def reading_entry(after: TableState) -> PendingEntry:
    """Return the entry of a reading in doubt or before a press; it changes nothing in the game."""
    read = after.reading
    body: Body = {
        "by": after.thrower or "",
        "held": read.held_action,
        **encode_reading(read.dice, read.doubts, after.picture, after.picture_info),
    }
    return PendingEntry("reading", body, picture=after.picture)


def action_entry(after: TableState, *, by: str, action: str) -> PendingEntry:
    """Return the entry of a confirmed action, with the result if it ends the game."""
    if action == JOIN:
        return PendingEntry("seated", {"player": by})
    if action == COUNT:
        return PendingEntry("counted", {"by": by, **_result(after)})
    return PendingEntry("action", {"by": by, "do": action, **_result(after)})


def correction_entry(
    after: TableState, *, was: str, undone: tuple[ActionEvent, ...]
) -> PendingEntry:
    """
    Return the entry of a correction, with the old and the new faces.

    Actions since that roll are undone with it. If the roll ends the game, the entry holds the
    result.
    """
    last = require_last_roll(after)
    body: Body = {
        "by": after.play.by_hand,
        "reason": last.reason,
        "was": was,
        "roll": last.roll,
        "picture": last.picture,
        "undone": _describe_undone(undone),
        **_result(after),
    }
    return PendingEntry("correction", body)


def _describe_undone(undone: Sequence[ActionEvent]) -> list[Value]:
    return [{"by": one.by, "do": one.action} for one in undone]


def undo_entry(found: UndoneAction) -> PendingEntry:
    """Return the entry of an undo; the entries of the actions stay."""
    body: Body = {"by": found.action.by, "do": found.action.action}
    if found.answers:
        body = {**body, "undone": _describe_undone(found.answers)}
    return PendingEntry("undo", body)


def encode_result(game: GameState) -> Body | None:
    """Return the result of a game as the entry that ends it holds it; None before its end."""
    outcome = game.outcome()
    if outcome is None:
        return None
    winners, losers = list(outcome.winners), list(outcome.losers)
    return {"totals": dict(game.totals()), "winners": winners, "losers": losers}


def with_panel(panel: int, entry: PendingEntry) -> PendingEntry:
    """Return the entry with the number of the player's panel where it was confirmed."""
    return replace(entry, body={**entry.body, "panel": panel})


def restore_table(state: TableState, entries: Iterable[JournalEntry]) -> TableState:
    """
    Return the table as the journal left it, starting from an empty one.

    A restart ends a pause. A throw that was under way is repeated, since its end was not seen.
    InputError names in `where` an entry that does not follow from those before.
    """
    for number, (kind, body) in enumerate(entries, start=1):
        state = _follow_entry(state, number, kind, body)
    return state


def restore_from_journal(
    state: TableState, entries: Iterable[Entry], *, signed: int = 0
) -> TableState:
    """
    Return the table as its journal left it; InputError names an entry that does not follow.

    Old games are not played again: those that the table `signed` were played by the rules then.
    """
    for entry in _skip_old_games(entries, signed):
        state = _follow_entry(state, entry.seq + 1, entry.kind, entry.body)
        state = with_roll_link(state, entry)
    return state


def with_roll_link(state: TableState, entry: Entry) -> TableState:
    """Return the table that knows this entry, if it is of a roll in a game."""
    is_roll = entry.kind == "roll" and state.play.position is not None
    return replace(state, play=replace(state.play, roll_link=entry.link)) if is_roll else state


def _skip_old_games(entries: Iterable[Entry], signed: int) -> Iterator[Entry]:
    """Leave out the signed games before the last two; the dice of the last roll may still lie."""
    earlier: list[Entry] = []
    game: list[Entry] = []
    for entry in entries:
        if entry.seq >= signed:
            yield from (*earlier, *game, entry)
            earlier, game = [], []
            continue
        if entry.kind == "game":
            if any(each.kind == "roll" for each in game):
                yield from (each for each in earlier if each.kind in _FOR_LATER_GAMES)
                earlier = []
            earlier += game
            game = []
        game.append(entry)
    yield from (*earlier, *game)


def _follow_entry(state: TableState, number: int, kind: str, body: Body) -> TableState:
    try:
        return _apply_entry(state, kind, body)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # The journal may hold anything; the refusals of the rules are among these errors too.
        raise InputError(
            expected="entries that follow the rules of the game",
            found=f"{kind}: {error}",
            where=f"entry {number}",
        ) from error


def _reason(after: TableState) -> Body:
    reason = require_last_roll(after).reason
    return {"reason": reason} if reason else {}


def _result(after: TableState) -> Body:
    result = encode_result(require_game(after))
    return {"result": result} if result else {}


def _apply_entry(state: TableState, kind: str, body: Body) -> TableState:
    if kind in written.ENDS_A_REQUEST:
        return requested_dice.end_request(state) if state.play.request else state
    if kind in written.ABOUT_THE_JOURNAL:
        news = JournalNews(kind, body)
        return replace(state, troubles=replace(state.troubles, journal_news=news))
    if kind in _IN_A_GAME and state.play.position is None:
        raise InputError(expected="a game before it", found="none")
    match written.decode_body(kind, body):
        case written.GameEntry() as entry:
            return _restore_game(state, entry)
        case written.RequestEntry(dice=dice, player=player, why=why, by=by):
            return requested_dice.start_request(state, DiceRequested(dice, player, why, by))
        case written.RollEntry() as entry:
            return _restore_roll(state, entry)
        case written.ActionEntry(by=by, do=action):
            return game_flow.apply_action(state, by=by, action=action)
        case written.CountedEntry(by=by):
            return game_flow.apply_action(state, by=by, action=COUNT)
        case written.SeatedEntry(player=player):
            return game_flow.join_game(state, player)
        case written.UndoEntry(by=by):
            return undoing.undo_action(state, by=by)
        case written.CorrectionEntry(by=by, roll=roll, reason=reason):
            return review.correct_roll(state, by=by, roll=roll, reason=reason)
        case written.ReviewEntry(by=by):
            return review.start_review(state, by)
        case written.ReviewedEntry():
            return review.end_review(state)
        case written.ClosedEntry():
            return game_flow.end_game(state)
        case written.ParkedEntry():
            return game_flow.park_game(state)
        case written.ContinuedEntry():
            return game_flow.continue_game(state)
        case written.UnknownEntry(reason=reason) if kind in _CHANGES_THE_TABLE:
            raise InputError(expected=f"the keys and values of a {kind}", found=reason)
        case _:
            return state


def _restore_game(state: TableState, entry: written.GameEntry) -> TableState:
    position = game_flow.start_position(entry.game, list(entry.players), entry.options)
    opponents = _build_opponents(entry)
    return game_flow.start_game(
        state, entry.game, position, opponents=opponents, has_hints=entry.hints
    )


def _build_opponents(entry: written.GameEntry) -> tuple[Opponent, ...]:
    for one in entry.opponents:
        if one.name not in entry.players or one.t_steps <= 0:
            expected = "an opponent who plays, with `t_steps` above 0"
            raise InputError(expected=expected, found=repr(one))
    return tuple(Opponent(one.name, one.grade, one.t_steps, one.weights) for one in entry.opponents)


def _restore_roll(state: TableState, entry: written.RollEntry) -> TableState:
    if entry.held:
        state = game_flow.apply_action(state, by=entry.by, action=entry.held)
    dice = place_dice(entry.lie)
    info = build_picture_info(entry)
    seen = replace(state, reading=TableReading(dice), picture=entry.picture, picture_info=info)
    shown = game_flow.build_entered_dice(state.play.game_key, entry.roll)
    if not entry.by_hand:
        _require_dice(dice, count=len(shown))
        shown = dice
    return game_flow.apply_roll(
        seen, by=entry.by, roll=entry.roll, dice=shown, by_hand=entry.by_hand, reason=entry.reason
    )


def _require_dice(dice: tuple[TrayDie, ...], *, count: int) -> None:
    """Check that a roll has its dice; without them its choices could not be shown."""
    if len(dice) != count or not all(die.face in range(1, 7) for die in dice):
        found = " ".join(str(die.face) for die in dice) or "none"
        raise InputError(expected=f"{count} dice that show 1 to 6", found=found)
