# SPDX-License-Identifier: MIT
"""
The steps of a game at the table: start, roll, act, undo, end.

The machine takes these steps when they happen. A restart takes the same steps from the
journal, so the table comes back as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from controller import games
from controller.base.errors import InputError
from controller.coach.opponent import Opponent
from controller.games.contract import JOIN, ActionEvent, GameEvent, GameState, Option, RollEvent
from controller.table.dice.positions import merge_dice
from controller.table.events import PlayersSeated, TrayDie
from controller.table.state import (
    THROW_PHASES,
    LastRoll,
    Lobby,
    Phase,
    Play,
    PrivateDice,
    Screen,
    TableReading,
    TableState,
    require_game,
)
from controller.table.view.types import SEATS_MOST


def derive_phase(position: GameState) -> Phase:
    """Return the phase that fits a game's position."""
    if position.outcome() is not None:
        return Phase.GAME_OVER
    expects = position.expects()
    if expects.roll:
        return Phase.AWAITING_JOKER if position.faces else Phase.AWAITING_ROLL
    return Phase.CHOOSING if expects.do else Phase.AWAITING_ROLL


def start_position(
    game: str, players: Sequence[str], options: Mapping[str, bool | int]
) -> GameState:
    """Return the position before the first roll; InputError if this table cannot seat that game."""
    rules = games.require_game(game)
    if len(players) > SEATS_MOST:
        found = str(len(players))
        raise InputError(expected=f"1 to {SEATS_MOST} players", found=found, where="players")
    return rules.start(players, options)


def phase_after_interruption(state: TableState) -> Phase:
    """Return the phase after an interruption; a throw that was not seen in full is repeated."""
    return Phase.LOBBY if state.play.position is None else derive_phase(state.play.position)


def start_game(
    state: TableState,
    game: str,
    position: GameState,
    *,
    opponents: tuple[Opponent, ...] = (),
    has_hints: bool = False,
) -> TableState:
    """Return the table with a new game; dice that are in the tray already are not its roll."""
    news = state.troubles.journal_news
    people = [name for name in position.players if name not in {one.name for one in opponents}]
    grades = tuple((one.name, one.grade) for one in opponents)
    return TableState(
        phase=derive_phase(position),
        setup=replace(
            state.setup, known_players=tuple(dict.fromkeys((*people, *state.setup.known_players)))
        ),
        troubles=replace(
            state.troubles, journal_news=replace(news, is_played=True) if news else None
        ),
        lobby=Lobby(
            game,
            _changed_options(game, position),
            position.players,
            grades=grades,
            has_hints=has_hints,
        ),
        dice_on_felt=state.dice_on_felt,
        play=Play(
            game,
            position,
            opponents,
            has_hints,
            is_of_round=is_of_round(state.lobby.seated, game, position.players),
            steps_from=position,
        ),
    )


def is_of_round(seated: PlayersSeated | None, game: str, players: Sequence[str]) -> bool:
    """Return whether a tournament seated just these players for this game, in any order."""
    return seated is not None and (seated.game, {*seated.players}) == (game, {*players})


def _changed_options(game: str, position: GameState) -> tuple[tuple[str, Option], ...]:
    rules = games.require_game(game).options
    options = position.options.items()
    return tuple((name, value) for name, value in options if value != rules[name].default)


def apply_roll(
    state: TableState,
    *,
    by: str,
    roll: str,
    dice: tuple[TrayDie, ...],
    by_hand: str,
    reason: str = "",
) -> TableState:
    """
    Return the table after a roll; IllegalActionError if the rules do not allow it now.

    `state.reading.dice` holds the positions of the dice.
    """
    last = LastRoll(
        by=by,
        roll=roll,
        dice=dice,
        before=require_game(state),
        roll_dice=state.play.roll_dice,
        private_dice=state.play.private_dice,
        picture=state.picture,
        picture_info=state.picture_info,
        reason=reason,
    )
    after = with_roll(state, last, state.play.steps)
    play = replace(after.play, rolls=state.play.rolls + 1, by_hand=by_hand)
    return replace(after, play=play, dice_on_felt=state.reading.dice)


def with_roll(state: TableState, last: LastRoll, steps_before: tuple[GameEvent, ...]) -> TableState:
    """
    Return the table after a roll, applied where `steps_before` follow the last shared one.

    IllegalActionError if the rules do not allow it there.
    """
    event = RollEvent(last.by, last.roll)
    last = replace(last, dice=sort_dice(last.dice, state.play.polarities))
    position = last.before.apply(event)
    play = replace(state.play.move_to(position), last_roll=last)
    if not last.before.faces:
        # A corrected roll takes the place of what was read.
        earlier = tuple(roll for roll in play.roll_log if roll.before is not last.before)
        play = replace(
            play,
            steps=(),
            steps_from=position,
            roll_log=(*earlier, last),
            roll_dice=last.dice,
            private_dice=(),
        )
    else:
        # While a shared roll is open, the dice of a joker belong to one player.
        others = tuple(own for own in last.private_dice if own.player != last.by)
        play = replace(
            play,
            steps=(*steps_before, event),
            roll_dice=last.roll_dice,
            private_dice=(*others, PrivateDice(last.by, last.dice)),
        )
    return _show_afresh(replace(state, play=play, reading=TableReading(state.reading.dice)))


def sort_dice(dice: Sequence[TrayDie], polarities: Sequence[str]) -> tuple[TrayDie, ...]:
    """
    Return dice in the order of the record's text, in which every screen shows them.

    The white one is first if colours count; else the lowest face is.
    """

    def rank(die: TrayDie) -> tuple[int, int]:
        colour = polarities.index(die.polarity) if die.polarity in polarities else 0
        return colour, die.face

    return tuple(sorted(dice, key=rank))


def apply_action(state: TableState, *, by: str, action: str) -> TableState:
    """Return the table after a confirmed action; IllegalActionError if it is not allowed now."""
    event = ActionEvent(by, action)
    position = require_game(state).apply(event)
    return move_to(state, position, (*state.play.steps, event))


def join_game(state: TableState, name: str) -> TableState:
    """
    Return the table with one more player; a throw that is under way goes on.

    IllegalActionError if the rules forbid it now, InputError for a wrong name or without a free
    seat.
    """
    if len(require_game(state).players) >= SEATS_MOST:
        raise InputError(expected=f"at most {SEATS_MOST} players", found="one more")
    after = apply_action(state, by=name, action=JOIN)
    known = tuple(dict.fromkeys((name, *state.setup.known_players)))
    return replace(
        after,
        phase=state.phase,
        reading=state.reading,
        notice=state.notice,
        setup=replace(state.setup, known_players=known),
    )


def replay_steps(play: Play, steps: Iterable[GameEvent]) -> GameState:
    """Return the position after these steps; IllegalActionError if the rules do not allow one."""
    position = play.steps_from
    assert position is not None, "steps lead on from a position"
    for step in steps:
        position = position.apply(step)
    return position


def move_to(state: TableState, position: GameState, steps: tuple[GameEvent, ...]) -> TableState:
    """Return the table after an action or an undo; a throw of the same dice goes on."""
    after = _show_afresh(replace(state, play=replace(state.play.move_to(position), steps=steps)))
    roller = state.play.roller
    if state.phase not in THROW_PHASES or roller is None or roller != after.play.roller:
        return after
    if position.required_dice(roller) != require_game(state).required_dice(roller):
        return after
    return replace(after, phase=state.phase, reading=state.reading, notice=state.notice)


def _show_afresh(state: TableState) -> TableState:
    """Return the table at the position of its game, with fresh cursors and no notice."""
    return replace(
        state,
        phase=derive_phase(require_game(state)),
        screen=Screen(cursor=state.play.rules.ui.first_cursor),
        reading=replace(state.reading, held_action=""),
        is_returning=False,
        notice=None,
    )


def end_game(state: TableState) -> TableState:
    """Return the empty table; the lobby still lists the same players."""
    news = state.troubles.journal_news
    return TableState(
        setup=state.setup,
        troubles=replace(state.troubles, journal_news=None if news and news.is_played else news),
        lobby=state.lobby,
        dice_on_felt=merge_dice(state.dice_on_felt, state.reading.dice),
    )


def park_game(state: TableState) -> TableState:
    """Return the empty table, whose lobby offers to continue this open game."""
    left = replace(
        state,
        phase=derive_phase(require_game(state)),
        play=replace(state.play, review=None),
        reading=TableReading(),
        repair_memory=None,
        notice=None,
    )
    offer = replace(state.lobby, focus=-1, has_parked=True, continues=True)
    return replace(end_game(state), lobby=offer, parked=left)


def continue_game(state: TableState) -> TableState:
    """Return the table as players left it, with the dice in the tray; InputError without a game."""
    if state.parked is None:
        raise InputError(expected="a game that was left before", found="none")
    return replace(
        state.parked,
        setup=state.setup,
        troubles=state.troubles,
        dice_on_felt=state.dice_on_felt,
        reading=TableReading(state.reading.dice),
    )


def build_entered_dice(game: str, roll: str) -> tuple[TrayDie, ...]:
    """Return entered dice without a position; InputError if the text is no roll of this game."""
    rules = games.require_game(game)
    faces = rules.parse_roll(roll)
    # Where the number of dice is free, the rules refuse a wrong one; no colour counts there.
    is_usual = len(faces) == len(rules.polarities)
    polarities = rules.polarities if is_usual else ("",) * len(faces)
    dice = zip(faces, polarities, strict=True)
    return tuple(
        TrayDie(int(die[-1]), polarity or "light", "black" if polarity == "dark" else "white")
        for die, polarity in dice
    )


# At the end of a round the table characters what it has written so far. A round is over when the
# turn to roll has come back to the first player still in the game; Black'n'White counts its
# rounds itself. A game ends once, when it is won or when it is left.
def ends_round(before: GameState | None, after: GameState | None) -> bool:
    """Return whether a round or a game ended between two positions; an undo ends nothing."""
    if before is None or before == after:
        return False
    if after is None:
        return before.outcome() is None
    # A corrected roll that ended something ends it again, differently.
    return after.outcome() is not None or after.has_round_ended(before)
