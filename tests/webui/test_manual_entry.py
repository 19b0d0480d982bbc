# SPDX-License-Identifier: MIT
"""Faces entered or corrected by hand over HTTP: with the PIN, for a reason, of that very roll."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse

from controller.base.settings import Phones
from controller.runtime.access.tickets import AccessControl
from controller.table.events import ActionRequested, DeviceLost, Event, MotionStarted
from controller.table.state import Phase, TableState
from controller.table.view.question import CommandResult
from hardware.clock import SteppedClock
from tests.support.page_table import PageTable
from tests.support.table import (
    CONFIRM,
    doubtful_throw,
    finished_table,
    play,
    rolled_table,
    table,
    throw_of,
)
from tests.webui.visitors import CODE, PHONE, PIN, FakeAccess, Visitor, app_of

PICTURE = "c0ffee00" * 8
JPEG = b"\xff\xd8 the very picture"
WHY = "The six was seen as a one."


@pytest.fixture
def live() -> PageTable:
    """A table that took a roll of Ada's, who has chosen since."""
    rolled = play(table(), *throw_of("13446", picture=PICTURE), ActionRequested("Ada", "4+10/4"))
    shown = PageTable(rolled)
    shown.pictures.stored[PICTURE] = JPEG
    return shown


def box(live: PageTable, access: AccessControl) -> Visitor:
    return Visitor(app_of(live, access), "127.0.0.1", "127.0.0.1:8080")


def correction(live: PageTable, **changes: object) -> dict[str, object]:
    last_roll = live.snapshot()["last_roll"]
    assert last_roll is not None
    plain = {"do": "correct", "roll": "63446", "by": "Eva", "reason": WHY, "pin": PIN}
    return {**plain, "about": last_roll["name"], **changes}


def refusal(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.get_json()["error"]


def test_with_the_pin_and_a_reason_the_roll_is_another_one(
    live: PageTable, access: FakeAccess
) -> None:
    answer = box(live, access).post("/command", correction(live))
    assert answer.status_code == 200
    last_roll = live.snapshot()["last_roll"]
    assert last_roll is not None
    assert (last_roll["roll"], last_roll["was"], last_roll["reason"]) == ("63446", "13446", WHY)
    assert (live.state.phase, live.state.play.undoable) == (Phase.CHOOSING, ())


@pytest.mark.parametrize(
    ("changes", "status", "words"),
    [
        ({"pin": ""}, 403, "Enter the table's PIN first."),
        ({"pin": "000000"}, 403, "That is not the PIN."),
        ({"reason": ""}, 400, "reason: 1 to 200 characters"),
        ({"reason": "  "}, 400, "reason: 1 to 200 characters"),
        ({"by": ""}, 400, "by: expected a name of 1 to 40 characters"),
        ({"roll": "13447"}, 400, "5 digits from 1 to 6"),
        ({"roll": "1344"}, 400, "5 digits from 1 to 6"),
        ({"roll": "w4 b6"}, 400, "5 digits from 1 to 6"),
        ({"roll": "64431"}, 400, "already counts as 1 3 4 4 6"),
        ({"about": "roll 0, 11111 in no picture"}, 409, "Too late"),
    ],
    ids=str,
)
def test_what_is_refused_says_why_and_changes_nothing(
    live: PageTable, access: FakeAccess, changes: dict[str, object], status: int, words: str
) -> None:
    before = live.state
    answered, error = refusal(box(live, access).post("/command", correction(live, **changes)))
    assert (answered, words in error) == (status, True), error
    assert live.state.play.position == before.play.position
    assert live.state.play.last_roll == before.play.last_roll
    assert live.state.play.undoable == before.play.undoable


def test_the_pin_of_a_wrong_correction_is_not_even_tried(
    live: PageTable, access: FakeAccess
) -> None:
    for changes in ({"reason": ""}, {"about": "another roll"}, {"roll": ""}):
        box(live, access).post("/command", correction(live, **changes))
    assert access.asked == []


def test_play_meanwhile_does_not_block_a_correction(live: PageTable, access: FakeAccess) -> None:
    body = correction(live)
    live.happen(ActionRequested("Ben", "5+7/6"), MotionStarted())
    assert box(live, access).post("/command", body).status_code == 200


def test_the_second_of_two_corrections_is_too_late(live: PageTable, access: FakeAccess) -> None:
    first, second = correction(live), correction(live, roll="53446")
    assert box(live, access).post("/command", first).status_code == 200
    assert refusal(box(live, access).post("/command", second))[0] == 409
    assert live.state.play.last_roll is not None
    assert live.state.play.last_roll.roll == "63446"


class Hurried(PageTable):
    """A table where something else happens before whoever asked looks up again."""

    def __init__(self, state: TableState, *meanwhile: Event) -> None:
        super().__init__(state)
        self._meanwhile = meanwhile

    def ask(self, event: Event, about: str | None, viewer: str = "") -> CommandResult:
        heard = super().ask(event, about, viewer)
        self.happen(*self._meanwhile)
        return heard


def test_a_refusal_is_returned_although_the_screen_has_changed(
    live: PageTable, access: FakeAccess
) -> None:
    hurried = Hurried(live.state, ActionRequested("Ben", "5+7/6"))
    answer = box(hurried, access).post("/command", correction(live, roll="64431"))
    assert refusal(answer) == (400, "The roll already counts as 1 3 4 4 6.")
    assert hurried.snapshot()["notice"] is None


def test_another_refusal_meanwhile_does_not_fail_a_correction(
    live: PageTable, access: FakeAccess
) -> None:
    hurried = Hurried(live.state, ActionRequested("Ben", "1+1/1"))
    assert box(hurried, access).post("/command", correction(live)).status_code == 200
    notice = hurried.snapshot()["notice"]
    assert notice is not None
    assert notice["kind"] == "refused"


def test_a_review_that_cannot_begin_is_told_to_who_asked_for_it(
    live: PageTable, access: FakeAccess
) -> None:
    body = {"do": "review", "about": correction(live)["about"]}
    live.happen(ActionRequested("Ben", "5+7/6"), MotionStarted())
    assert refusal(box(live, access).post("/command", body)) == (
        400,
        "Not now: the table is waiting for something else.",
    )


def test_an_officials_ticket_replaces_the_pin_except_on_the_box(
    live: PageTable, access: FakeAccess
) -> None:
    official = Visitor(app_of(live, access), PHONE)
    assert official.enters(pin=PIN).status_code == 200
    assert official.post("/command", correction(live, pin="")).status_code == 200
    at_the_box = box(live, access)
    assert at_the_box.enters(pin=PIN).status_code == 200
    body = correction(live, roll="53446", pin="")
    assert refusal(at_the_box.post("/command", body)) == (403, "Enter the table's PIN first.")


def test_at_home_the_box_needs_no_pin_and_phones_do(live: PageTable, access: FakeAccess) -> None:
    app = app_of(live, access, phones=Phones.PLAY, pin_at_box=False)
    at_the_box, phone = Visitor(app, "127.0.0.1", "127.0.0.1:8080"), Visitor(app, PHONE)
    assert phone.enters(code=CODE).status_code == 200
    phone.sits_down()
    body = correction(live, pin="")
    assert refusal(phone.post("/command", body)) == (403, "Enter the table's PIN first.")
    assert "data-needs-pin" not in at_the_box.get("/").get_data(as_text=True)
    assert "data-needs-pin" in box(live, access).get("/").get_data(as_text=True)
    assert at_the_box.post("/command", body).status_code == 200
    assert live.state.play.last_roll is not None
    assert (live.state.play.last_roll.roll, live.state.play.last_roll.was) == ("63446", "13446")


def test_on_a_players_phone_it_takes_the_pin_too(live: PageTable, access: FakeAccess) -> None:
    phone = Visitor(app_of(live, access, phones=Phones.PLAY), PHONE)
    assert phone.enters(code=CODE).status_code == 200
    phone.sits_down()
    assert phone.post("/command", correction(live, pin="")).status_code == 403
    assert phone.post("/command", correction(live)).status_code == 200


def test_after_wrong_pins_even_the_correct_one_must_wait(
    live: PageTable, tmp_path_factory: pytest.TempPathFactory
) -> None:
    real = AccessControl(tmp_path_factory.mktemp("data"), SteppedClock())
    real.begin()
    pin = real.first_pin()
    visitor = box(live, real)
    wrong = correction(live, pin="1" if pin == "000000" else "000000")
    for _ in range(2):
        assert visitor.post("/command", wrong).status_code == 403
    answer = visitor.post("/command", wrong)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "5")
    assert visitor.post("/command", correction(live, pin=pin)).status_code == 429
    assert live.state.play.last_roll is not None
    assert live.state.play.last_roll.was == ""


def test_while_a_device_is_lost_no_roll_is_corrected(live: PageTable, access: FakeAccess) -> None:
    live.happen(DeviceLost("disk", "It is full.", "Make room."))
    status, error = refusal(box(live, access).post("/command", correction(live)))
    assert (status, "found the table in phase fault" in error) == (400, True)


def doubtful() -> TableState:
    return play(table(), *doubtful_throw(picture=PICTURE))


def test_doubtful_faces_are_entered_with_the_pin_without_reason(access: FakeAccess) -> None:
    live = PageTable(doubtful())
    body = {"do": "enter", "roll": "13446", "by": "Eva", "reason": "", "pin": PIN}
    body["about"] = live.snapshot()["question"]
    assert refusal(box(live, access).post("/command", {**body, "pin": "1"}))[0] == 403
    status, error = refusal(box(live, access).post("/command", {**body, "roll": "99"}))
    assert (status, "5 digits from 1 to 6" in error) == (400, True)
    assert live.state.phase is Phase.STRAIGHTEN
    assert box(live, access).post("/command", body).status_code == 200
    assert (live.state.play.by_hand, live.state.play.rolls) == ("Eva", 1)


def test_a_player_requests_a_review_of_the_shown_roll(live: PageTable, access: FakeAccess) -> None:
    body = {"do": "review", "about": correction(live)["about"]}
    stale = {**body, "about": live.snapshot()["question"]}
    assert refusal(box(live, access).post("/command", stale))[0] == 409
    assert box(live, access).post("/command", body).status_code == 200
    assert live.state.phase is Phase.REVIEW


def test_a_phone_gets_one_review_of_a_roll_the_table_any_number(
    live: PageTable, access: FakeAccess
) -> None:
    app = app_of(live, access, phones=Phones.PLAY)
    phone, official = Visitor(app, PHONE), Visitor(app, PHONE)
    phone.enters(code=CODE)
    phone.sits_down()
    official.enters(pin=PIN)
    body = {"do": "review", "about": correction(live)["about"]}
    assert phone.post("/command", body).status_code == 200
    live.happen(CONFIRM)
    status, error = refusal(phone.post("/command", body))
    assert (status, live.state.phase) == (403, Phase.CHOOSING)
    assert error.startswith("This roll was reviewed already.")
    for who in (box(live, access), official):
        assert who.post("/command", body).status_code == 200
        live.happen(CONFIRM)
    live.happen(CONFIRM, *throw_of("22345", spot=1))
    body["about"] = correction(live)["about"]
    assert phone.post("/command", body).status_code == 200, "the next roll is another one"


def test_the_picture_of_that_very_roll_is_shown_and_no_other(
    live: PageTable, access: FakeAccess
) -> None:
    other = "0" * 64
    live.pictures.stored[other] = b"another game"
    answer = box(live, access).get(f"/evidence/{PICTURE}.jpg")
    assert (answer.status_code, answer.data, answer.mimetype) == (200, JPEG, "image/jpeg")
    assert answer.headers["Cache-Control"] == "no-store"
    for digest in (other, "", "../../table", PICTURE.upper()):
        assert box(live, access).get(f"/evidence/{digest}.jpg").status_code == 404
    assert Visitor(app_of(live, access), PHONE).get(f"/evidence/{PICTURE}.jpg").status_code == 403


def test_after_a_game_the_picture_of_the_deciding_roll_is_shown(access: FakeAccess) -> None:
    live, digest = PageTable(finished_table("Ada", "Ben")), "d" * 64
    live.pictures.stored[digest] = JPEG
    outcome = live.snapshot()["outcome"]
    assert outcome is not None
    assert box(live, access).get(f"/evidence/{digest}.jpg").status_code == 404
    decisive = {"number": 1, "by": "Ada", "dice": [], "picture": digest, "crop_px": (0, 0, 0, 0)}
    live.show(outcome={**outcome, "decisive": decisive})
    assert box(live, access).get(f"/evidence/{digest}.jpg").data == JPEG


def test_a_picture_that_is_gone_is_not_found(access: FakeAccess) -> None:
    live = PageTable(rolled_table("13446"))
    assert box(live, access).get(f"/evidence/{PICTURE}.jpg").status_code == 404
