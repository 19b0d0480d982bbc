# SPDX-License-Identifier: MIT
"""What a screen shows of the lobby: its lines in words, and what can stand on each of them."""

from __future__ import annotations

from controller.games import GAMES
from controller.games.contract import Option
from controller.table.lobby import (
    Line,
    focus_of,
    known_names,
    lines_of,
    names_for,
    options_of,
    problem,
)
from controller.table.state import TableState
from controller.table.view.types import ButtonsView, LobbyLine, LobbyView


def lobby_view(state: TableState) -> LobbyView:
    """Return the game that is being put together, as a screen shows it."""
    rules = GAMES[state.lobby.game].options
    return {
        "lines": [_line(state, line) for line in lines_of(state.lobby)],
        "focus": focus_of(state.lobby),
        "games": list(GAMES),
        "known_players": list(known_names(state.known)),
        "option_values": {name: list(rule.values) for name, rule in rules.items()},
        "problem": problem(state.lobby),
    }


def lobby_buttons(state: TableState) -> ButtonsView:
    """Return what the four buttons do on the line that has the focus."""
    at = focus_of(state.lobby)
    turns = {
        "game": ("previous game", "next game"),
        "option": ("change", "change"),
        "seat": ("previous name", "next name"),
        "start": (None, None),
    }
    kind = lines_of(state.lobby)[at].kind
    left, right = turns[kind]
    confirm = "next line" if kind != "start" else None if problem(state.lobby) else "start"
    return {"left": left, "right": right, "confirm": confirm, "back": "line up" if at else None}


def _line(state: TableState, line: Line) -> LobbyLine:
    match line.kind:
        case "game":
            return _game_line(state)
        case "option":
            return _option_line(state, line.option)
        case "seat":
            return _seat_line(state, line.seat)
        case "start":
            return _listed(line, label="Start", value="", values=[])


def _game_line(state: TableState) -> LobbyLine:
    titles = [game.title for game in GAMES.values()]
    return _listed(Line("game"), label="Game", value=GAMES[state.lobby.game].title, values=titles)


def _option_line(state: TableState, option: str) -> LobbyLine:
    rule = GAMES[state.lobby.game].options[option]
    value = _option_text(options_of(state.lobby)[option])
    values = [_option_text(one) for one in rule.values]
    return _listed(Line("option", option=option), label=rule.label, value=value, values=values)


def _seat_line(state: TableState, seat: int) -> LobbyLine:
    names = names_for(state.lobby, seat, state.known)
    name = next(iter(state.lobby.seats[seat:]), "")
    return _listed(
        Line("seat", seat=seat), label=f"Player {seat + 1}", value=name, values=list(names)
    )


def _listed(line: Line, *, label: str, value: str, values: list[str]) -> LobbyLine:
    return {
        "kind": line.kind,
        "key": line.option,
        "seat": line.seat,
        "label": label,
        "value": value,
        "values": values,
        "index": values.index(value) if value in values else -1,
    }


def _option_text(value: Option) -> str:
    if isinstance(value, bool):
        return "with" if value else "without"
    return str(value)
