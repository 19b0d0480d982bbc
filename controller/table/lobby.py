# SPDX-License-Identifier: MIT
"""
The lobby: choose a game, its options and its players with four buttons.

It is a list of lines, and one of them has the focus. Confirm and back move the focus down
and up, left and right change the value of the line. The last line starts the game. It has
the focus at first, so one press plays the same game again; at a new table the first seat
has it. A tap changes any line and moves the focus there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from controller.base.errors import InputError
from controller.base.languages.message import chain_messages, message, plural_message
from controller.coach import coaches
from controller.coach.opponent import GRADES
from controller.games import GAMES, require_game
from controller.games.contract import Option, require_options
from controller.games.player_names import clean_line, compute_look, find_line_problem
from controller.table.events import Key, NamesChanged, PlayersSeated
from controller.table.state import Lobby, TableState
from controller.table.view.types import SEATS_MOST

START = -1  # The focus of the last line, which starts the game.

FREE = ""  # The name at a free seat.

HINTS = "hints"
"""The line of the lobby that makes the game one for training, beside the game's options."""

_NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn")
_OPPONENTS = ("Pascal", "Fermat", "Cardano", "Huygens", "Laplace", "Galilei")
"""Names of opponents, after people who calculated with dice."""

_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Line:
    """One line: an option by its name, a seat by its number clockwise from 0, or neither."""

    kind: Literal["game", "option", "seat", "start"]
    option: str = ""
    seat: int = -1


def list_lines(lobby: Lobby) -> tuple[Line, ...]:
    """Return the lines from the game down to start, with a free seat while there is room."""
    seats = len(lobby.seats) + (len(lobby.seats) < _player_limits(lobby)[1])
    return (
        Line("game"),
        *(Line("option", option=name) for name in GAMES[lobby.game].options),
        *([Line("option", option=HINTS)] if has_coach(lobby) else []),
        *(Line("seat", seat=seat) for seat in range(seats)),
        Line("start"),
    )


def last_index(lobby: Lobby) -> int:
    """Return the last line that buttons reach: start, or the first seat if no game can start."""
    lines = list_lines(lobby)
    if lobby.seats or lobby.has_parked:
        return len(lines) - 1
    return lines.index(Line("seat", seat=0))


def focused_index(lobby: Lobby) -> int:
    """Return the line that the buttons change."""
    last = last_index(lobby)
    return lobby.focus if 0 <= lobby.focus < last else last


def press_key(lobby: Lobby, key: Key, known: Sequence[str]) -> Lobby:
    """
    Return the lobby after a button; `known` are the names that it offers, in their order.

    Confirm on the last line changes nothing: see `wants_start`.
    """
    match key:
        case Key.BACK:
            return _with_focus(lobby, max(focused_index(lobby) - 1, 0))
        case Key.CONFIRM:
            return _with_focus(lobby, focused_index(lobby) + 1)
        case Key.LEFT:
            return _change_value(lobby, known, -1)
        case Key.RIGHT:
            return _change_value(lobby, known, 1)


def wants_start(lobby: Lobby, key: Key) -> bool:
    """Return whether this button starts the game: confirm on the last line."""
    return key is Key.CONFIRM and list_lines(lobby)[focused_index(lobby)].kind == "start"


def with_game(lobby: Lobby, game: str) -> Lobby:
    """Return the lobby for another game: its defaults, the same seats. InputError if unknown."""
    picked = require_game(game)
    options = lobby.options if game == lobby.game else ()
    return replace(lobby, game=picked.key, options=options, focus=0)


def with_option(lobby: Lobby, option: str, value: Option) -> Lobby:
    """Return the lobby with another value of an option; InputError if it does not offer that."""
    if option == HINTS and has_coach(lobby) and isinstance(value, bool):
        return _with_focus_on(replace(lobby, has_hints=value), Line("option", option=HINTS))
    rules = GAMES[lobby.game].options
    require_options({option: value}, rules)
    if value not in rules[option].values:
        offered = ", ".join(str(one) for one in rules[option].values)
        raise InputError(expected=f"one of {offered}", found=str(value), where=option)
    chosen = {**resolve_options(lobby), option: value}
    options = tuple((name, chosen[name]) for name in rules if chosen[name] != rules[name].default)
    return _with_focus_on(replace(lobby, options=options), Line("option", option=option))


def with_seat(lobby: Lobby, seat: int, name: str) -> Lobby:
    """
    Return the lobby with this player at a seat; the first free seat adds one.

    An empty name frees the seat, and the players after it move up. InputError if there is no
    such seat, or the name is not right for it.
    """
    if Line("seat", seat=seat) not in list_lines(lobby):
        raise InputError(expected="a seat that is there or free", found=str(seat + 1), where="seat")
    before, after = lobby.seats[:seat], lobby.seats[seat + 1 :]
    lobby = replace(lobby, grades=tuple(one for one in lobby.grades if one[0] in (*before, *after)))
    if name.strip() == FREE:
        freed = replace(lobby, seats=(*before, *after))
        return _with_focus_on(freed, Line("seat", seat=len(freed.seats)))
    if problem := find_name_problem(lobby, seat, name):
        raise InputError(expected="a name that can sit here", found=problem)
    taken = replace(lobby, seats=(*before, clean_line(name), *after))
    return _with_focus_on(taken, Line("seat", seat=seat))


def has_coach(lobby: Lobby) -> bool:
    """Return whether the table can play this game itself, and is not set up by a tournament."""
    is_free = lobby.seated is None
    return is_free and coaches.find_coach(lobby.game, resolve_options(lobby)) is not None


def with_opponent(lobby: Lobby, seat: int, grade: str) -> Lobby:
    """Return the lobby with an opponent of this grade at a seat; InputError if none plays there."""
    if grade not in GRADES:
        raise InputError(expected=f"one of {', '.join(GRADES)}", found=grade, where="grade")
    if not has_coach(lobby):
        raise InputError(expected="a game with opponents", found=lobby.game)
    others = {*lobby.seats[:seat], *lobby.seats[seat + 1 :]}
    looks = {compute_look(name) for name in others}
    names = [*(name for name, _ in lobby.grades if name in lobby.seats[seat : seat + 1])]
    names += [name for name in _OPPONENTS if compute_look(name) not in looks]
    seated = with_seat(lobby, seat, names[0])
    return replace(seated, grades=(*seated.grades, (names[0], grade)))


def seat_players(lobby: Lobby, seated: PlayersSeated) -> Lobby:
    """Return the lobby with a tournament's game, which one press starts; InputError if unknown."""
    rules = require_game(seated.game).options
    require_options(dict(seated.options), rules)
    return Lobby(
        seated.game,
        tuple((name, value) for name, value in seated.options if value != rules[name].default),
        seated.players,
        has_parked=lobby.has_parked,
        seated=seated,
    )


def find_name_problem(lobby: Lobby, seat: int, name: str) -> str:
    """Return why a name cannot be given to a seat, in a player's words; empty if it can."""
    name = clean_line(name)
    if name == FREE:
        return ""
    if problem := find_line_problem(name):
        return message("This name has {problem}. Choose another name.", problem=problem)
    for other in (*lobby.seats[:seat], *lobby.seats[seat + 1 :]):
        if name == other:
            return message("{name} is already at the table. Choose another name.", name=name)
        if compute_look(name) == compute_look(other):
            return message(
                "{name} looks just like {other}, who is already at the table. Choose another name.",
                name=name,
                other=other,
            )
    return ""


def list_names_for(lobby: Lobby, seat: int, known: Sequence[str]) -> tuple[str, ...]:
    """Return which of these can sit here, in the order of the buttons; no player sits twice."""
    others = (*lobby.seats[:seat], *lobby.seats[seat + 1 :])
    looks = {compute_look(other) for other in others}
    names = tuple(name for name in known if compute_look(name) not in looks)
    own = tuple(name for name in lobby.seats[seat : seat + 1] if name not in dict(lobby.grades))
    return names if set(own) <= set(names) else (*own, *names)


def list_known_names(state: TableState) -> tuple[str, ...]:
    """
    Return the names that a lobby offers: former players, then names for new ones.

    A program may have seated players with names that no lobby accepts; these are left out, and so
    are people whom the table has forgotten.
    """
    former = tuple(
        name
        for name in state.setup.known_players
        if name == clean_line(name) and not find_line_problem(name)
    )
    return rename_people((*former, *_NAMES), state.setup.shown_names)


def rename_people(names: Sequence[str], shown: NamesChanged) -> tuple[str, ...]:
    """Return the names as screens show them, without forgotten people, and each person once."""
    renamed, found = dict(shown.renamed), dict[str, str]()
    for name in names:
        look = compute_look(name)
        if look not in shown.hidden:
            new = renamed.get(look, name)
            found.setdefault(compute_look(new), new)
    return tuple(found.values())


def name_players(players: Sequence[str], shown: NamesChanged) -> tuple[str, ...]:
    """Return the players of a game as screens show them; a forgotten one by the seat."""
    renamed = dict(shown.renamed)
    looks = map(compute_look, players)
    return tuple(
        message("Player {number}", number=seat) if look in shown.hidden else renamed.get(look, name)
        for seat, (look, name) in enumerate(zip(looks, players, strict=True), start=1)
    )


def resolve_options(lobby: Lobby) -> dict[str, Option]:
    chosen = dict(lobby.options)
    rules = GAMES[lobby.game].options
    return {name: chosen.get(name, rule.default) for name, rule in rules.items()}


def find_problem(lobby: Lobby) -> str:
    """Return why the lobby's last line cannot start a game yet; empty if it can."""
    if lobby.continues:
        return ""
    title = GAMES[lobby.game].title
    if lobby.grades and not has_coach(lobby):
        return message("{game} has no opponents. Give their seats to people.", game=title)
    fewest, most = _player_limits(lobby)
    count = len(lobby.seats)
    if fewest <= count <= most:
        return ""
    if count == 0:
        return message("Nobody sits here yet. Add a player.")
    limits = message(
        "{game} is for {fewest} to {most} players.", game=title, fewest=fewest, most=most
    )
    if count < fewest:
        remedy = plural_message("Add one more.", "Add {count} more.", fewest - count)
    else:
        remedy = plural_message("Free one seat.", "Free {count} seats.", count - most)
    return chain_messages([limits, remedy])


def _player_limits(lobby: Lobby) -> tuple[int, int]:
    fewest, most = GAMES[lobby.game].players_range
    return fewest, SEATS_MOST if most is None else min(most, SEATS_MOST)


def _change_value(lobby: Lobby, known: Sequence[str], by: int) -> Lobby:
    """Return the lobby with the next (`by` 1) or previous (-1) value on the focused line."""
    line = list_lines(lobby)[focused_index(lobby)]
    match line.kind:
        case "game":
            return _without_parked(with_game(lobby, _next_value(tuple(GAMES), lobby.game, by)))
        case "option" if line.option == HINTS:
            return _without_parked(with_option(lobby, HINTS, not lobby.has_hints))
        case "option":
            values = GAMES[lobby.game].options[line.option].values
            value = _next_value(values, resolve_options(lobby)[line.option], by)
            return _without_parked(with_option(lobby, line.option, value))
        case "seat":
            return _without_parked(_change_seat(lobby, line.seat, known, by))
        case "start":
            return replace(lobby, continues=lobby.has_parked and not lobby.continues)


def _change_seat(lobby: Lobby, seat: int, known: Sequence[str], by: int) -> Lobby:
    """Go through people, opponents by their grade, and a free seat."""
    people = [(name, "") for name in list_names_for(lobby, seat, known)]
    opponents = [("", grade) for grade in GRADES] if has_coach(lobby) else []
    name = next(iter(lobby.seats[seat:]), FREE)
    grade = dict(lobby.grades).get(name, "")
    now = ("", grade) if grade else (name, "")
    name, grade = _next_value((*people, *opponents, (FREE, "")), now, by)
    return with_opponent(lobby, seat, grade) if grade else with_seat(lobby, seat, name)


def _without_parked(lobby: Lobby) -> Lobby:
    """Return the lobby of a new game: its players are setting one up."""
    return replace(lobby, continues=False)


def _next_value(values: tuple[_Value, ...], value: _Value, by: int) -> _Value:
    """Return the neighbour of a value in a circle; an unlisted value comes before the first."""
    if value not in values:
        return values[0 if by > 0 else -1]
    return values[(values.index(value) + by) % len(values)]


def _with_focus(lobby: Lobby, index: int) -> Lobby:
    last = len(list_lines(lobby)) - 1
    return replace(lobby, focus=index if index < last else START)


def _with_focus_on(lobby: Lobby, line: Line) -> Lobby:
    """Return the lobby with the focus on a line, or on start if there is no such line."""
    lines = list_lines(lobby)
    return _with_focus(lobby, lines.index(line) if line in lines else len(lines))
