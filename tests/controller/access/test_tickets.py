# SPDX-License-Identifier: MIT
"""The PIN and the code: made, shown, tried, changed, forgotten; and what they open."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from controller.access.store import AccessFile
from controller.access.tickets import LASTS_S, AccessControl, CodePerGame, TicketKind
from controller.errors import InputError
from hardware.clock import SteppedClock
from tests.webui.fakes import view


class Days:
    """A wall clock that the test sets."""

    def __init__(self) -> None:
        self.now_s = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def days() -> Days:
    return Days()


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock()


@pytest.fixture
def access(tmp_path: Path, clock: SteppedClock, days: Days) -> AccessControl:
    return begun(tmp_path, clock, days)


def begun(folder: Path, clock: SteppedClock, days: Days) -> AccessControl:
    access = AccessControl(folder, clock, wall_s=days)
    access.begin()
    return access


def pin_of(access: AccessControl) -> str:
    pin = access.first_pin()
    assert pin is not None
    return pin


def test_the_first_pin_has_six_digits_and_no_nought_in_front(access: AccessControl) -> None:
    pin = pin_of(access)
    assert len(pin) == 6
    assert pin.isdigit()
    assert pin[0] != "0"


def test_it_is_shown_until_it_was_used_once(access: AccessControl) -> None:
    pin = pin_of(access)
    assert not access.check_pin("000000", who="a").is_right
    assert access.first_pin() == pin
    assert access.check_pin(pin, who="a").is_right
    assert access.first_pin() is None
    assert access.check_pin(pin, who="a").is_right, "it goes on to fit"


def test_it_is_shown_until_another_one_was_set(access: AccessControl) -> None:
    access.set_pin("0123456")
    assert access.first_pin() is None
    assert access.check_pin("0123456", who="a").is_right
    assert not access.check_pin("123456", who="a").is_right


def test_a_start_replaces_the_first_pin_only_if_it_is_unused(
    access: AccessControl, tmp_path: Path, clock: SteppedClock, days: Days
) -> None:
    again = begun(tmp_path, clock, days)
    pin = pin_of(again)
    assert access.first_pin() is None, "the older one fits no more"
    assert again.check_pin(pin, who="a").is_right
    later = begun(tmp_path, clock, days)
    assert later.first_pin() is None
    assert later.check_pin(pin, who="a").is_right


def test_on_the_disk_lies_only_a_hash_for_the_owner_alone(
    access: AccessControl, tmp_path: Path
) -> None:
    path = tmp_path / "access.json"
    assert pin_of(access) not in path.read_text()
    assert access.pairing_code() not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("pin", ["12345", "1" * 13, "12345x", "١٢٣٤٥٦", "", "123 456"])
def test_what_is_no_pin_is_refused(access: AccessControl, pin: str) -> None:
    with pytest.raises(InputError, match="expected a PIN of 6 to 12 digits"):
        access.set_pin(pin)
    assert access.first_pin() is not None


def test_after_wrong_pins_the_right_one_has_to_wait_too(
    access: AccessControl, clock: SteppedClock
) -> None:
    waits = [access.check_pin("000000", who="a").wait_s for _ in range(3)]
    assert waits == [0, 0, 5]
    assert not access.check_pin(pin_of(access), who="a").is_right
    clock.wait_s(5.1)
    assert access.check_pin(pin_of(access), who="a").is_right


def test_wrong_codes_make_a_client_wait_too_but_not_for_the_pin(access: AccessControl) -> None:
    for _ in range(3):
        access.check_code("wrong", who="a")
    assert access.check_code(access.pairing_code(), who="a").wait_s > 0
    assert access.check_pin(pin_of(access), who="a").is_right


@pytest.mark.parametrize("text", ["", "½", "\ud800", "1" * 10_000])
def test_any_text_may_be_tried(access: AccessControl, text: str) -> None:
    assert not access.check_pin(text, who="a").is_right
    assert not access.check_code(text, who="a").is_right
    assert not access.is_official(text)


def test_the_code_has_five_digits_and_changes(access: AccessControl) -> None:
    codes = set()
    for _ in range(20):
        codes.add(access.pairing_code())
        access.new_code()
    assert all(len(code) == 5 and code.isdigit() for code in codes)
    assert len(codes) > 15


def test_a_ticket_opens_only_its_own_door(access: AccessControl) -> None:
    official = access.check_pin(pin_of(access), who="a").ticket
    phone = access.check_code(access.pairing_code(), who="a").ticket
    assert access.is_official(official)
    assert access.is_paired(phone)
    assert not access.is_paired(official)
    assert not access.is_official(phone)


def test_a_ticket_is_good_after_a_restart_and_after_a_new_code(
    access: AccessControl, tmp_path: Path, clock: SteppedClock, days: Days
) -> None:
    phone = access.check_code(access.pairing_code(), who="a").ticket
    access.new_code()
    assert access.is_paired(phone)
    assert AccessControl(tmp_path, clock, wall_s=days).is_paired(phone)


def test_a_ticket_ends(access: AccessControl, days: Days) -> None:
    official = access.check_pin(pin_of(access), who="a").ticket
    days.now_s += LASTS_S[TicketKind.OFFICIAL] - 1
    assert access.is_official(official)
    days.now_s += 2
    assert not access.is_official(official)


@pytest.mark.parametrize("change", ["9999999999", "x", ""])
def test_a_ticket_whose_end_was_changed_is_void(access: AccessControl, change: str) -> None:
    ends, _, rest = access.check_pin(pin_of(access), who="a").ticket.partition(".")
    assert access.is_official(f"{ends}.{rest}")
    assert not access.is_official(f"{change}.{rest}")


def test_a_new_pin_voids_officials_tickets_not_those_of_phones(
    access: AccessControl,
) -> None:
    official = access.check_pin(pin_of(access), who="a").ticket
    phone = access.check_code(access.pairing_code(), who="a").ticket
    access.set_pin("7654321")
    assert not access.is_official(official)
    assert access.is_paired(phone)


def test_phones_that_are_sent_away_need_the_new_code(access: AccessControl) -> None:
    code = access.pairing_code()
    phone = access.check_code(code, who="a").ticket
    access.revoke_phone_tickets()
    assert not access.is_paired(phone)
    assert access.is_paired(access.check_code(access.pairing_code(), who="a").ticket)


def test_a_ticket_of_another_box_is_none(access: AccessControl, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    other = begun(folder, SteppedClock(), Days())
    assert not access.is_official(other.check_pin(pin_of(other), who="a").ticket)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"salt": 1}'])
def test_a_broken_file_is_told_with_its_mend(tmp_path: Path, text: str) -> None:
    (tmp_path / "access.json").write_text(text)
    with pytest.raises(InputError, match=r"access\.json: expected .*dicebell pin --new"):
        AccessControl(tmp_path, SteppedClock()).begin()


def test_a_file_with_other_values_is_broken(access: AccessControl, tmp_path: Path) -> None:
    path = tmp_path / "access.json"
    told = json.loads(path.read_text())
    for key, value in [("salt", "no digits"), ("is_first", 1), ("secret", "")]:
        path.write_text(json.dumps({**told, key: value}))
        with pytest.raises(InputError, match="other keys or values"):
            AccessFile(tmp_path).read()


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="expected room to keep the PIN"):
        AccessControl(tmp_path / "none", SteppedClock()).begin()


def test_before_it_begins_nothing_is_written(tmp_path: Path) -> None:
    AccessControl(tmp_path, SteppedClock())
    assert list(tmp_path.iterdir()) == []


def test_the_code_changes_when_a_game_ends_and_at_no_other_view(access: AccessControl) -> None:
    per_game, codes = CodePerGame(access), []
    for game in (None, "choice", "choice", None, None, "choice"):
        per_game.on_view(view(game=game))
        codes.append(access.pairing_code())
    assert codes[0] == codes[2] != codes[3]
    assert codes[3] == codes[5]
