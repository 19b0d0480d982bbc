# SPDX-License-Identifier: MIT
"""
Turn a page's JSON command into one event.

Each command names exactly its keys; a missing, extra or malformed key is refused here with a
reason. Whether the rules allow the command now is up to the table. `about` is the question that
the page showed at the press: a command is void once the table asks another question, because
it would confirm something that no player saw.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from controller.base.errors import InputError
from controller.base.languages.message import Message, message
from controller.games.contract import COUNT, JOIN
from controller.games.player_names import (
    clean_line,
    find_line_problem,
    require_different_names,
    require_name,
)
from controller.table import events as on
from controller.table.events import Event, Key
from controller.table.view.types import SEATS_MOST, Snapshot

Fields = Mapping[str, object]
_Target = TypeVar("_Target")
_Answer = TypeVar("_Answer")

ROLL_LONGEST = 20  # Most characters of a roll entered by hand; its game checks the notation.
REASON_LONGEST = 200
SECRET_LONGEST = 32  # Most characters of an entered PIN or code.


@dataclass(frozen=True, slots=True)
class Command:
    keys: tuple[str, ...]  # Its keys beside `do` and `about`.
    event: Callable[[Fields, Snapshot], Event]
    # The question that it answers; None if it fits at any time, such as a pause.
    question_of: Callable[[Snapshot], str | None] = lambda snapshot: snapshot["question"]
    is_official: bool = False  # Whether it needs an official.
    reply_on_refusal: bool = False  # Whether the sender gets the reason of a refusal.


@dataclass(frozen=True, slots=True)
class CommandRequest:
    event: Event
    question_id: str | None  # The question that it answers; None if it fits at any time.
    is_official: bool  # Whether it needs an official or the box.
    # The PIN typed with a roll by hand, perhaps empty; None for other commands.
    pin: str | None = None
    reply_on_refusal: bool = False  # Whether the sender gets the reason of a refusal.


class StaleCommandError(Exception):
    """The command answers a question that the table no longer asks."""

    def __init__(self) -> None:
        super().__init__(
            message("Too late: the table asks something else now, so this press did nothing.")
        )


def parse_command(body: object, snapshot: Snapshot) -> CommandRequest:
    """Parse a command about `snapshot`; InputError, or StaleCommandError if no longer asked."""
    fields, command = _find_action(body, COMMANDS)
    require_keys(fields, ("do", *command.keys, "about"))
    about = require_text(fields, "about")
    answered = command.question_of(snapshot)
    if answered not in (None, about):
        raise StaleCommandError
    pin = _pin(fields["pin"]) if "pin" in command.keys else None
    event = command.event(fields, snapshot)
    return CommandRequest(event, answered, command.is_official, pin, command.reply_on_refusal)


def run_command(
    actions: Mapping[str, tuple[tuple[str, ...], Callable[[Fields, _Target], _Answer]]],
    body: object,
    target: _Target,
) -> _Answer:
    """Perform one of these actions by name with its keys; InputError if it is impossible now."""
    fields, (keys, perform) = _find_action(body, actions)
    require_keys(fields, ("do", *keys))
    return perform(fields, target)


def _find_action(body: object, actions: Mapping[str, _Answer]) -> tuple[Fields, _Answer]:
    """Return the fields of a body, and which of the actions its `do` names."""
    fields = require_fields(body, "do")
    name = fields["do"]
    action = actions.get(name) if isinstance(name, str) else None
    if action is None:
        raise InputError(expected=one_of("do", actions), found=quote_json(name))
    return fields, action


def require_fields(body: object, key: str) -> Fields:
    """Return the body as fields; InputError if it is no JSON object or lacks `key`."""
    if not isinstance(body, dict) or key not in body:
        expected = message('a JSON object with the key "{key}"', key=key)
        raise InputError(expected=expected, found=quote_json(body))
    return body


def require_keys(fields: Fields, keys: tuple[str, ...]) -> None:
    """Check that exactly these keys exist; otherwise InputError."""
    if set(fields) != set(keys):
        expected = message("exactly the keys {keys}", keys=", ".join(keys))
        raise InputError(expected=expected, found=", ".join(fields))


def one_of(key: str, values: Iterable[str]) -> Message:
    """Return what is expected of a key that takes one of some values."""
    return message("{key}: one of {values}", key=key, values=", ".join(values))


def quote_json(value: object) -> str:
    """Return a JSON value for an error message, cut to one line."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def require_text(fields: Fields, key: str) -> str:
    value = fields[key]
    if not isinstance(value, str) or not value.strip():
        raise InputError(expected=message("{key}: a text", key=key), found=quote_json(value))
    return value.strip()


def _index(fields: Fields, key: str, count: int) -> int:
    value = fields[key]
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < count:
        expected = message("{key}: a number from 0 to {most}", key=key, most=count - 1)
        if not count:
            expected = message("{key}: nothing, there is none now", key=key)
        raise InputError(expected=expected, found=quote_json(value))
    return value


def _press(fields: Fields, _: Snapshot) -> Event:
    keys = {key.value: key for key in Key}
    key = keys.get(require_text(fields, "key"))
    if key is None:
        raise InputError(expected=one_of("key", keys), found=quote_json(fields["key"]))
    return on.KeyPressed(key)


def _action(fields: Fields, _: Snapshot) -> Event:
    by, action = require_text(fields, "by"), require_text(fields, "action")
    if action in (COUNT, JOIN):
        expected = message("action: a move of the game")
        raise InputError(expected=expected, found=quote_json(action))
    return on.ActionRequested(by, action)


def _option(fields: Fields, _: Snapshot) -> Event:
    return on.OptionPicked(require_text(fields, "option"), _option_value(fields["value"], "value"))


def _seat(fields: Fields, _: Snapshot) -> Event:
    name = fields["name"]
    if not isinstance(name, str):
        expected = message("name: a text, empty to free the seat")
        raise InputError(expected=expected, found=quote_json(name))
    return on.SeatTaken(_index(fields, "seat", SEATS_MOST), name.strip())


def _seat_opponent(fields: Fields, snapshot: Snapshot) -> Event:
    grades = [one["key"] for one in snapshot["lobby"]["grades"]] if snapshot["lobby"] else []
    grade = require_text(fields, "grade")
    if grade not in grades:
        expected = one_of("grade", grades)
        if not grades:
            expected = message("grade: nothing, there are no opponents now")
        raise InputError(expected=expected, found=quote_json(grade))
    return on.SeatTaken(_index(fields, "seat", SEATS_MOST), "", grade)


def _start(fields: Fields, snapshot: Snapshot) -> Event:
    return on.GameStarted(
        game=_game(fields, snapshot),
        players=_players(fields["players"]),
        options=_options(fields["options"]),
    )


_NO_LOBBY = {
    "fault": message("game: nothing before the fault at the table is mended"),
    "game over": message("game: nothing before the result on the screen is confirmed"),
}
"""Why no game can be named, by the phase of the table; in the other ones a game is played."""


def _game(fields: Fields, snapshot: Snapshot) -> str:
    game, lobby = require_text(fields, "game"), snapshot["lobby"]
    if lobby is None:
        expected = _NO_LOBBY.get(
            snapshot["phase"], message("game: nothing, a game is being played")
        )
        raise InputError(expected=expected, found=quote_json(game))
    if game not in lobby["games"]:
        raise InputError(expected=one_of("game", lobby["games"]), found=quote_json(game))
    return game


def _players(value: object) -> tuple[str, ...]:
    names = value if isinstance(value, list) else []
    texts = [name for name in names if isinstance(name, str)]
    if not 0 < len(texts) == len(names) <= SEATS_MOST:
        expected = message("players: 1 to {most} different names", most=SEATS_MOST)
        raise InputError(expected=expected, found=quote_json(value))
    return require_different_names(texts, "players")


def _options(value: object) -> dict[str, bool | int]:
    if not isinstance(value, dict):
        expected = message("options: an object, empty for none")
        raise InputError(expected=expected, found=quote_json(value))
    return {name: _option_value(one, name) for name, one in value.items()}


def _option_value(value: object, key: str) -> bool | int:
    if not isinstance(value, int):
        expected = message("{key}: true, false or a whole number", key=key)
        raise InputError(expected=expected, found=quote_json(value))
    return value


def _enter(fields: Fields, _: Snapshot) -> Event:
    reason = require_line(fields, "reason", REASON_LONGEST, fewest=0)
    return on.FacesEntered(require_line(fields, "roll", ROLL_LONGEST), _name(fields), reason)


def _correct(fields: Fields, snapshot: Snapshot) -> Event:
    last_roll = snapshot["last_roll"]
    if last_roll is None or not last_roll["may_correct"]:
        found = message("the table in phase {phase}", phase=snapshot["phase"])
        raise InputError(expected=message("a roll that can be corrected now"), found=found)
    reason = require_line(fields, "reason", REASON_LONGEST)
    return on.RollCorrected(require_line(fields, "roll", ROLL_LONGEST), _name(fields), reason)


def _name(fields: Fields) -> str:
    value = fields["by"]
    return require_name(value if isinstance(value, str) else require_text(fields, "by"), "by")


def require_line(fields: Fields, key: str, longest: int, *, fewest: int = 1) -> str:
    value = fields[key]
    text = clean_line(value) if isinstance(value, str) else ""
    problem = (
        find_line_problem(text, longest, fewest) if isinstance(value, str) else quote_json(value)
    )
    if problem:
        expected = message(
            "{key}: {fewest} to {longest} characters on one line",
            key=key,
            fewest=fewest,
            longest=longest,
        )
        raise InputError(expected=expected, found=problem)
    return text


def _pin(value: object) -> str:
    if not isinstance(value, str) or len(value) > SECRET_LONGEST:
        expected = message(
            "pin: a text of at most {most} characters, empty for an official's ticket",
            most=SECRET_LONGEST,
        )
        raise InputError(expected=expected, found=message("another one"))
    return value.strip()


def _always(_: Snapshot) -> None:
    """Answer no question."""


def _last_roll(snapshot: Snapshot) -> str:
    last_roll = snapshot["last_roll"]
    if last_roll is None:
        raise InputError(expected=message("a roll of this game"), found=message("none yet"))
    return last_roll["name"]


_BY_HAND = ("roll", "by", "reason", "pin")

COMMANDS: Mapping[str, Command] = {
    "press": Command(("key",), _press),
    "tap": Command(
        ("die",), lambda body, view: on.DieTapped(_index(body, "die", len(view["dice"])))
    ),
    "choose": Command(
        ("index",), lambda body, view: on.ChoiceTapped(_index(body, "index", len(view["choices"])))
    ),
    "joker": Command(("joker",), lambda body, _: on.JokerTapped(require_text(body, "joker"))),
    "show": Command(("player",), lambda body, _: on.PlayerTapped(require_text(body, "player"))),
    "action": Command(("by", "action"), _action),
    "undo": Command((), lambda _, __: on.UndoRequested()),
    "pick": Command(("game",), lambda body, view: on.GamePicked(_game(body, view))),
    "option": Command(("option", "value"), _option),
    "seat": Command(("seat", "name"), _seat),
    "opponent": Command(("seat", "grade"), _seat_opponent),
    "begin": Command((), lambda _, __: on.StartRequested()),
    "start": Command(("game", "players", "options"), _start),
    "close": Command((), lambda _, __: on.GameClosed()),
    "leave": Command((), lambda _, __: on.GameLeft()),
    "count": Command((), lambda _, __: on.GameCounted()),
    "join": Command(("name",), lambda body, _: on.PlayerJoined(require_text(body, "name"))),
    "continue": Command((), lambda _, __: on.GameContinued()),
    "enter": Command(_BY_HAND, _enter, reply_on_refusal=True),
    "correct": Command(_BY_HAND, _correct, _last_roll, reply_on_refusal=True),
    "review": Command((), lambda _, __: on.ReviewRequested(), _last_roll, reply_on_refusal=True),
    "pause": Command((), lambda _, __: on.PauseRequested(), _always),
    "resume": Command((), lambda _, __: on.ResumeRequested(), _always),
    "wake": Command((), lambda _, __: on.ScreenTouched(), _always),
    "recalibrate": Command(
        (), lambda _, __: on.RecalibrationRequested(), _always, is_official=True
    ),
}
