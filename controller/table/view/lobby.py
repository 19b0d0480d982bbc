# SPDX-License-Identifier: MIT
"""What a screen shows of the lobby: its lines in words, and the values of each."""

from __future__ import annotations

from controller.base.languages.message import join_words, message
from controller.coach.opponent import GRADES, label_grade
from controller.games import GAMES
from controller.games.contract import Option
from controller.table.choosing import create_view
from controller.table.lobby import (
    HINTS,
    Line,
    find_problem,
    focused_index,
    has_coach,
    last_index,
    list_known_names,
    list_lines,
    list_names_for,
    name_players,
    resolve_options,
)
from controller.table.state import TableState
from controller.table.view.types import ButtonsView, LobbyLine, LobbyView


def show_lobby(state: TableState) -> LobbyView:
    rules = GAMES[state.lobby.game].options
    parked = _name_parked(state)
    return {
        "lines": [_show_line(state, line) for line in list_lines(state.lobby)],
        "focus": focused_index(state.lobby),
        "games": list(GAMES),
        "known_players": list(list_known_names(state)),
        "option_values": {
            **{name: list(rule.values) for name, rule in rules.items()},
            **({HINTS: [False, True]} if has_coach(state.lobby) else {}),
        },
        "grades": [
            {"key": key, "label": grade.label}
            for key, grade in (GRADES.items() if has_coach(state.lobby) else ())
        ],
        "problem": find_problem(state.lobby),
        "parked": message("Continue: {game}, {players}, {progress}", **parked) if parked else "",
        "continues": state.lobby.continues,
        "ends": describe_end(state) if state.lobby.asks_end else "",
    }


def describe_end(state: TableState) -> str:
    """Return which game would end for good if a new one started."""
    return message(
        "A new game would end this one for good: {game}, {players}, {progress}.",
        **_name_parked(state),
    )


def label_lobby_buttons(state: TableState) -> ButtonsView:
    """Return what the four buttons do on the line that has the focus."""
    if state.lobby.asks_end:
        end, keep = message("end it and start"), message("keep it")
        return {"left": None, "right": None, "confirm": end, "back": keep}
    at = focused_index(state.lobby)
    turns = {
        "game": (message("previous game"), message("next game")),
        "option": (message("change"), message("change")),
        "seat": (message("previous name"), message("next name")),
        "start": (message("change"), message("change")) if state.parked else (None, None),
    }
    kind = list_lines(state.lobby)[at].kind
    left, right = turns[kind]
    start = message("continue") if state.lobby.continues else message("start game")
    can_start = not find_problem(state.lobby)
    last = start if can_start else None
    confirm = last if kind == "start" else message("down") if at < last_index(state.lobby) else None
    return {"left": left, "right": right, "confirm": confirm, "back": message("up") if at else None}


def _name_parked(state: TableState) -> dict[str, str]:
    """Return what names the game that can be continued; empty if none can."""
    parked = state.parked
    view = create_view(parked, "") if parked else None
    if parked is None or parked.play.position is None or view is None:
        return {}
    return {
        "game": parked.play.rules.title,
        "players": join_words(name_players(parked.play.position.players, state.setup.shown_names)),
        "progress": view.progress_text(),
    }


def _show_line(state: TableState, line: Line) -> LobbyLine:
    match line.kind:
        case "game":
            return _game_line(state)
        case "option":
            return _option_line(state, line.option)
        case "seat":
            return _seat_line(state, line.seat)
        case "start":
            return _build_line(line, label=message("Start"), value="", values=[])


def _game_line(state: TableState) -> LobbyLine:
    titles = [game.title for game in GAMES.values()]
    title = GAMES[state.lobby.game].title
    return _build_line(Line("game"), label=message("Game"), value=title, values=titles)


def _option_line(state: TableState, option: str) -> LobbyLine:
    if option == HINTS:
        return _hints_line(state)
    rule = GAMES[state.lobby.game].options[option]
    value = _option_text(resolve_options(state.lobby)[option])
    values = [_option_text(one) for one in rule.values]
    return _build_line(Line("option", option=option), label=rule.label, value=value, values=values)


def _hints_line(state: TableState) -> LobbyLine:
    label = message("Hints, for training")
    values = [_option_text(value) for value in (False, True)]
    value = _option_text(state.lobby.has_hints)
    return _build_line(Line("option", option=HINTS), label=label, value=value, values=values)


def _seat_line(state: TableState, seat: int) -> LobbyLine:
    names = list_names_for(state.lobby, seat, list_known_names(state))
    name = next(iter(state.lobby.seats[seat:]), "")
    label = message("Player {number}", number=seat + 1)
    line = _build_line(Line("seat", seat=seat), label=label, value=name, values=list(names))
    grade = dict(state.lobby.grades).get(name)
    return {**line, "opponent": label_grade(grade) if grade else ""}


def _build_line(line: Line, *, label: str, value: str, values: list[str]) -> LobbyLine:
    return {
        "kind": line.kind,
        "key": line.option,
        "seat": line.seat,
        "label": label,
        "value": value,
        "values": values,
        "index": values.index(value) if value in values else -1,
        "opponent": "",
    }


def _option_text(value: Option) -> str:
    if isinstance(value, bool):
        return message("with") if value else message("without")
    return str(value)
