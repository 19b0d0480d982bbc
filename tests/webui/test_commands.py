# SPDX-License-Identifier: MIT
"""Every command becomes its event; every wrong one is refused in words."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from controller.base.errors import InputError
from controller.runtime.event_loop import TableLoop
from controller.table import events as on
from controller.table.events import Event, Key
from controller.table.view.question import CommandResult
from tests.webui.fakes import FakeTable, choice, die, last_roll, view
from tests.webui.visitors import FakeAccess
from webui import create_app
from webui.commands import COMMANDS, StaleCommandError, parse_command


def start(**changes: object) -> dict[str, object]:
    """Return the command of a program that starts a game, with some keys changed."""
    return {"do": "start", "game": "choice", "players": ["Ada"], "options": {}, **changes}


def by_hand(do: str, **changes: object) -> dict[str, object]:
    """Return the command of an official who sets a roll, with some keys changed."""
    plain = {"do": do, "roll": "13456", "by": "Eva", "reason": "It leans.", "pin": "428137"}
    return {**plain, **changes}


ROLLED = view(
    last_roll=last_roll(),
    phase="choosing",
    question="choosing, roll 1",
    dice=[die(face) for face in (1, 3, 4, 4, 6)],
    choices=[choice("4+10/4"), choice("5+7/6")],
)

RIGHT: list[tuple[dict[str, object], Event]] = [
    ({"do": "press", "key": "left"}, on.KeyPressed(Key.LEFT)),
    ({"do": "press", "key": "right"}, on.KeyPressed(Key.RIGHT)),
    ({"do": "press", "key": "confirm"}, on.KeyPressed(Key.CONFIRM)),
    ({"do": "press", "key": "back"}, on.KeyPressed(Key.BACK)),
    ({"do": "tap", "die": 4}, on.DieTapped(4)),
    ({"do": "choose", "index": 1}, on.ChoiceTapped(1)),
    ({"do": "action", "by": "Ada", "action": "4+10/4"}, on.ActionRequested("Ada", "4+10/4")),
    ({"do": "undo"}, on.UndoRequested()),
    ({"do": "show", "player": "Ben"}, on.PlayerTapped("Ben")),
    ({"do": "joker", "joker": "3:1"}, on.JokerTapped("3:1")),
    ({"do": "pick", "game": "black-n-white"}, on.GamePicked("black-n-white")),
    ({"do": "option", "option": "jokers", "value": True}, on.OptionPicked("jokers", True)),
    ({"do": "option", "option": "chips", "value": 3}, on.OptionPicked("chips", 3)),
    ({"do": "seat", "seat": 5, "name": " Jörg "}, on.SeatTaken(5, "Jörg")),
    ({"do": "seat", "seat": 0, "name": " "}, on.SeatTaken(0, "")),
    ({"do": "opponent", "seat": 1, "grade": "strong"}, on.SeatTaken(1, "", "strong")),
    ({"do": "begin"}, on.StartRequested()),
    (start(), on.GameStarted("choice", ("Ada",), {})),
    (
        start(players=[" Jörg ", "<b>"], options={"jokers": True, "chips": 3}),
        on.GameStarted("choice", ("Jörg", "<b>"), {"jokers": True, "chips": 3}),
    ),
    ({"do": "close"}, on.GameClosed()),
    ({"do": "leave"}, on.GameLeft()),
    ({"do": "count"}, on.GameCounted()),
    ({"do": "join", "name": " Zoë "}, on.PlayerJoined("Zoë")),
    ({"do": "continue"}, on.GameContinued()),
    (by_hand("enter", roll="64413"), on.FacesEntered("64413", "Eva", "It leans.")),
    (by_hand("enter", roll=" w4 b6 ", reason=""), on.FacesEntered("w4 b6", "Eva")),
    (by_hand("correct"), on.RollCorrected("13456", "Eva", "It leans.")),
    ({"do": "review"}, on.ReviewRequested()),
    ({"do": "pause"}, on.PauseRequested()),
    ({"do": "resume"}, on.ResumeRequested()),
    ({"do": "recalibrate"}, on.RecalibrationRequested()),
    ({"do": "wake"}, on.ScreenTouched()),
]

WRONG: list[tuple[object, str, str]] = [
    ([], 'a JSON object with the key "do"', "[]"),
    ({"key": "left"}, 'a JSON object with the key "do"', '{"key": "left"}'),
    ({"do": "dance"}, "do: one of press, tap", '"dance"'),
    ({"do": ["press"]}, "do: one of press, tap", '["press"]'),
    ({"do": "press"}, "exactly the keys do, key, about", "do"),
    ({"do": "undo", "now": 1}, "exactly the keys do, about", "do, now"),
    ({"do": "undo"}, "exactly the keys do, about", "do"),
    ({"do": "undo", "about": 1}, "about: a text", "1"),
    ({"do": "press", "key": "up"}, "key: one of left, right, confirm, back", '"up"'),
    ({"do": "press", "key": 3}, "key: a text", "3"),
    ({"do": "tap", "die": 5}, "die: a number from 0 to 4", "5"),
    ({"do": "tap", "die": -1}, "die: a number from 0 to 4", "-1"),
    ({"do": "tap", "die": True}, "die: a number from 0 to 4", "true"),
    ({"do": "tap", "die": "1"}, "die: a number from 0 to 4", '"1"'),
    ({"do": "choose", "index": 2}, "index: a number from 0 to 1", "2"),
    ({"do": "action", "by": " ", "action": "4+10/4"}, "by: a text", '" "'),
    *(
        ({"do": "action", "by": "Ada", "action": word}, "action: a move of the game", f'"{word}"')
        for word in ("count", "join")
    ),
    ({"do": "joker", "joker": 3}, "joker: a text", "3"),
    ({"do": "pick", "game": "chess"}, "game: one of choice, black-n-white", '"chess"'),
    ({"do": "option", "option": "jokers", "value": "yes"}, "value: true, false or", '"yes"'),
    ({"do": "option", "option": 1, "value": True}, "option: a text", "1"),
    ({"do": "seat", "seat": 6, "name": "Ada"}, "seat: a number from 0 to 5", "6"),
    ({"do": "seat", "seat": 0, "name": None}, "name: a text, empty to free the seat", "null"),
    ({"do": "opponent", "seat": 6, "grade": "strong"}, "seat: a number from 0 to 5", "6"),
    ({"do": "opponent", "seat": 0, "grade": "good"}, "grade: one of casual, strong", '"good"'),
    (start(game="chess"), "game: one of choice, black-n-white", '"chess"'),
    (start(players=[]), "players: 1 to 6 different", "[]"),
    (start(players="Ada"), "players: 1 to 6 different", '"Ada"'),
    (start(players=["A", "A "]), "names that do not look alike", "A and A"),
    (start(players=["A", 1]), "different names", '["A", 1]'),
    (start(players=["Ada", "\u0410da"]), "names that do not look alike", "Ada and \u0410da"),
    (start(players=["A", ""]), "1 to 40 characters", "nothing that can be seen"),
    (start(players=["A\u0007"]), "1 to 40 characters", "control character (U+0007, after “A”)"),
    (start(players=["x" * 41]), "1 to 40 characters", "41 characters, more than 40"),
    (start(players=list("abcdefg")), "1 to 6 different", '"g"'),
    (start(options=[]), "options: an object, empty for none", "[]"),
    (start(options={"jokers": None}), "jokers: true, false or a whole number", "null"),
    (by_hand("enter", roll="1" * 21), "roll: 1 to 20 characters", "21 characters, more than 20"),
    (by_hand("enter", roll="1\n4"), "roll: 1 to 20 characters on one line", "a line break"),
    (by_hand("enter", roll=""), "roll: 1 to 20 characters on one line", "nothing"),
    (by_hand("enter", by=""), "a name of 1 to 40 characters", "nothing that can be seen"),
    (by_hand("enter", by=7), "by: a text", "7"),
    (by_hand("enter", by="Eva\u202e"), "a name of 1 to 40 characters", "turns the direction"),
    (by_hand("enter", reason="x" * 201), "reason: 0 to 200 characters on one line", "201"),
    (by_hand("enter", reason="a\u200bb"), "reason: 0 to 200 characters", "(U+200B, after “a”)"),
    (by_hand("enter", pin=428137), "pin: a text of at most 32 characters", "another one"),
    ({"do": "enter", "roll": "13446", "by": "Ada"}, "exactly the keys do, roll, by, reason", "do"),
    (by_hand("correct", reason=" "), "reason: 1 to 200 characters on one line", "nothing"),
    (by_hand("correct", reason=None), "reason: 1 to 200 characters on one line", "null"),
]


ABOUT, ROLL = "choosing, roll 1", last_roll()["name"]


def about_this(body: dict[str, object]) -> dict[str, object]:
    """Return a command that answers what the table asks, or is about its last roll."""
    return {**body, "about": ROLL if body.get("do") in ("correct", "review") else ABOUT}


@pytest.mark.parametrize(("body", "event"), RIGHT, ids=lambda value: str(value)[:40])
def test_command_becomes_its_event(body: dict[str, object], event: Event) -> None:
    assert parse_command(about_this(body), ROLLED).event == event


def test_every_command_is_tried_here() -> None:
    assert {body["do"] for body, _ in RIGHT} == set(COMMANDS)


@pytest.mark.parametrize(("body", "expected", "found"), WRONG, ids=lambda value: str(value)[:40])
def test_wrong_command_says_what_was_expected_and_found(
    body: object, expected: str, found: str
) -> None:
    if isinstance(body, dict) and len(body) > 1 and "now" not in body:
        body = {**about_this(body), **body}
    with pytest.raises(InputError) as caught:
        parse_command(body, ROLLED)
    assert expected in caught.value.expected
    assert found in caught.value.found


def test_without_dice_no_die_can_be_tapped() -> None:
    with pytest.raises(InputError, match="die: nothing, there is none now, found 0"):
        parse_command({"do": "tap", "die": 0, "about": "lobby"}, view())


@pytest.mark.parametrize(
    ("phase", "why"),
    [
        ("choosing", "a game is being played"),
        ("fault", "the fault at the table is mended"),
        ("game over", "the result on the screen is confirmed"),
    ],
)
def test_where_no_game_can_be_named_the_answer_says_why(phase: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        parse_command(
            {"do": "pick", "game": "choice", "about": "lobby"}, view(lobby=None, phase=phase)
        )


@pytest.mark.parametrize("body", [body for body, _ in RIGHT], ids=str)
def test_commands_for_another_question_are_stale_except_a_pause(body: dict[str, object]) -> None:
    late = {**body, "about": "reading, roll 1"}
    if body["do"] in ("pause", "resume", "recalibrate", "wake"):
        assert parse_command(late, ROLLED).question_id is None
        return
    with pytest.raises(StaleCommandError):
        parse_command(late, ROLLED)


def test_calibration_needs_an_official_and_manual_faces_the_pin() -> None:
    wishes = {str(body["do"]): parse_command(about_this(body), ROLLED) for body, _ in RIGHT}
    assert {do for do, wish in wishes.items() if wish.is_official} == {"recalibrate"}
    assert {do for do, wish in wishes.items() if wish.pin is not None} == {"enter", "correct"}


def test_before_the_first_roll_none_is_reviewed_or_corrected() -> None:
    bodies: list[dict[str, object]] = [by_hand("correct"), {"do": "review"}]
    for body in bodies:
        with pytest.raises(InputError, match="a roll of this game, found none yet"):
            parse_command(about_this(body), view())


def test_a_roll_cannot_be_corrected_in_other_phases() -> None:
    fault = view(phase="fault", last_roll={**last_roll(), "may_correct": False})
    with pytest.raises(InputError, match="can be corrected now, found the table in phase fault"):
        parse_command(about_this(by_hand("correct")), fault)


def post(table: FakeTable, body: dict[str, object]) -> TestResponse:
    return create_app(table.running, None, FakeAccess()).test_client().post("/command", json=body)


def test_posted_command_reaches_the_table() -> None:
    table = FakeTable(ROLLED)
    assert post(table, about_this({"do": "tap", "die": 2})).status_code == 200
    assert table.sent == [on.DieTapped(2)]


def test_posted_late_it_is_a_409_in_words_and_reaches_nobody() -> None:
    table = FakeTable(ROLLED)
    body: dict[str, object] = {"do": "press", "key": "confirm", "about": "reading, roll 1"}
    answer = post(table, body)
    assert answer.status_code == 409
    assert answer.get_json()["error"].startswith("Too late: the table asks something else now")
    assert table.sent == []


def test_a_queued_command_is_late_once_its_question_is_answered() -> None:
    class Overtaken(FakeTable):
        """A table where somebody else is always a moment quicker."""

        def ask(self, event: Event, about: str | None, viewer: str = "") -> CommandResult:
            self.show(question="choosing, roll 2")
            return super().ask(event, about)

    table = Overtaken(ROLLED)
    answer = post(table, about_this({"do": "press", "key": "confirm"}))
    assert (answer.status_code, table.sent) == (409, [])


def test_an_ordinary_press_that_changes_nothing_is_no_error() -> None:
    table = FakeTable(ROLLED)
    table.refused = "Not now: the table is waiting for something else."
    answer = post(table, about_this({"do": "press", "key": "left"}))
    assert (answer.status_code, len(table.sent)) == (200, 1)


def test_a_table_too_busy_to_answer_is_a_503_in_words() -> None:
    class BusyTable(FakeTable):
        """A table whose loop is not run, so that no event has its turn."""

        ask = TableLoop.ask

    table = BusyTable(ROLLED)
    answer = post(table, about_this({"do": "undo"}))
    assert answer.status_code == 503
    assert "nothing was done" in answer.get_json()["error"]


def test_posted_nonsense_is_a_400_in_words_and_reaches_nobody() -> None:
    table = FakeTable(ROLLED)
    answer = post(table, {"do": "dance"})
    assert answer.status_code == 400
    assert answer.get_json()["error"].startswith("expected do: one of press")
    assert answer.get_json()["error"].endswith('found "dance"')
    assert table.sent == []
