# SPDX-License-Identifier: MIT
"""The PIN and the code: made, shown, tried, changed, forgotten; and what they open."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.runtime.access.rate_limit import ALL_CLIENTS, ClientGroup, LoginClient
from controller.runtime.access.store import AccessFile, generate_secrets, verify_pin
from controller.runtime.access.tickets import LASTS_S, AccessControl, CodePerGame, TicketKind
from controller.table.state import TableState
from hardware.clock import SteppedClock
from tests.support.table import rolled_table

PHONE = LoginClient(ClientGroup.OTHER, "192.168.1.20")
BOX = LoginClient(ClientGroup.BOX)


class Days:
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
    assert not access.check_pin("000000", who=PHONE).is_right
    assert access.first_pin() == pin
    assert access.check_pin(pin, who=PHONE).is_right
    assert access.first_pin() is None
    assert access.check_pin(pin, who=PHONE).is_right, "it goes on to fit"


def test_it_is_shown_until_another_one_was_set(access: AccessControl) -> None:
    access.set_pin("0123456")
    assert access.first_pin() is None
    assert access.check_pin("0123456", who=PHONE).is_right
    assert not access.check_pin("123456", who=PHONE).is_right


def test_a_start_replaces_the_first_pin_only_if_it_is_unused(
    access: AccessControl, tmp_path: Path, clock: SteppedClock, days: Days
) -> None:
    again = begun(tmp_path, clock, days)
    pin = pin_of(again)
    assert access.first_pin() is None, "the older one fits no more"
    assert again.check_pin(pin, who=PHONE).is_right
    later = begun(tmp_path, clock, days)
    assert later.first_pin() is None
    assert later.check_pin(pin, who=PHONE).is_right


def test_on_the_disk_lies_only_a_hash_for_the_owner_alone(
    access: AccessControl, tmp_path: Path
) -> None:
    path = tmp_path / "access.json"
    assert pin_of(access) not in path.read_text()
    assert access.pairing_code() not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.usefixtures("real_pins")
def test_a_pin_that_was_hashed_by_an_earlier_version_is_right() -> None:
    """With another cost no PIN would be right after an update."""
    earlier = "ce107ac7427da7b0aaa8b5a0ac4c3bd1679b00fcc3de78d45a29a0f3a6bcdbe7"
    kept = replace(generate_secrets(), salt="0123456789abcdef" * 2, pin_hash=earlier)
    assert verify_pin(kept, "123456")
    assert not verify_pin(kept, "123457")


@pytest.mark.parametrize("pin", ["12345", "1" * 13, "12345x", "١٢٣٤٥٦", "", "123 456"])
def test_what_is_no_pin_is_refused(access: AccessControl, pin: str) -> None:
    with pytest.raises(InputError, match="expected a PIN of 6 to 12 digits"):
        access.set_pin(pin)
    assert access.first_pin() is not None


def test_wrong_codes_make_a_client_wait_too_but_not_for_the_pin(access: AccessControl) -> None:
    for _ in range(3):
        access.check_code("wrong", who=PHONE)
    assert access.check_code(access.pairing_code(), who=PHONE).wait_s > 0
    assert access.check_pin(pin_of(access), who=PHONE).is_right


@pytest.mark.parametrize("text", ["", "½", "\ud800", "1" * 10_000])
def test_any_text_may_be_tried(access: AccessControl, text: str) -> None:
    assert not access.check_pin(text, who=PHONE).is_right
    assert not access.check_code(text, who=PHONE).is_right
    assert not access.is_official(text)


def test_the_code_has_five_digits_and_changes(access: AccessControl) -> None:
    codes = set()
    for _ in range(20):
        codes.add(access.pairing_code())
        access.new_code()
    assert all(len(code) == 5 and code.isdigit() for code in codes)
    assert len(codes) > 15


def test_a_ticket_opens_only_its_own_door(access: AccessControl) -> None:
    official = access.check_pin(pin_of(access), who=PHONE).ticket
    phone = access.check_code(access.pairing_code(), who=PHONE).ticket
    assert access.is_official(official)
    assert access.phone_number(phone)
    assert not access.phone_number(official)
    assert not access.is_official(phone)


def test_a_ticket_is_good_after_a_restart_and_after_a_new_code(
    access: AccessControl, tmp_path: Path, clock: SteppedClock, days: Days
) -> None:
    phone = access.check_code(access.pairing_code(), who=PHONE).ticket
    access.new_code()
    assert access.phone_number(phone)
    assert AccessControl(tmp_path, clock, wall_s=days).phone_number(phone)


def test_a_ticket_ends(access: AccessControl, days: Days) -> None:
    official = access.check_pin(pin_of(access), who=PHONE).ticket
    days.now_s += LASTS_S[TicketKind.OFFICIAL] - 1
    assert access.is_official(official)
    days.now_s += 2
    assert not access.is_official(official)


@pytest.mark.parametrize("change", ["9999999999", "x", ""])
def test_a_ticket_whose_end_was_changed_is_void(access: AccessControl, change: str) -> None:
    ends, _, rest = access.check_pin(pin_of(access), who=PHONE).ticket.partition(".")
    assert access.is_official(f"{ends}.{rest}")
    assert not access.is_official(f"{change}.{rest}")


def test_a_new_pin_voids_officials_tickets_not_those_of_phones(access: AccessControl) -> None:
    official = access.check_pin(pin_of(access), who=PHONE).ticket
    phone = access.check_code(access.pairing_code(), who=PHONE).ticket
    access.set_pin("7654321")
    assert not access.is_official(official)
    assert access.phone_number(phone)


def test_phones_that_are_sent_away_need_the_new_code(access: AccessControl) -> None:
    code = access.pairing_code()
    phone = access.check_code(code, who=PHONE).ticket
    access.revoke_phone_tickets()
    assert not access.phone_number(phone)
    assert access.phone_number(access.check_code(access.pairing_code(), who=PHONE).ticket)


def test_a_ticket_of_another_box_is_none(access: AccessControl, tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    other = begun(folder, SteppedClock(), Days())
    assert not access.is_official(other.check_pin(pin_of(other), who=PHONE).ticket)


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
        begun(tmp_path / "none", SteppedClock(), Days()).set_pin("428137")


def test_before_it_begins_nothing_is_written(tmp_path: Path) -> None:
    AccessControl(tmp_path, SteppedClock())
    assert list(tmp_path.iterdir()) == []


def test_the_code_changes_when_a_game_ends_and_at_no_other_view(access: AccessControl) -> None:
    per_game, codes = CodePerGame(access), []
    lobby, game = TableState(), rolled_table("13446")
    for state in (lobby, game, game, lobby, lobby, game):
        per_game.on_state(state)
        codes.append(access.pairing_code())
    assert codes[0] == codes[2] != codes[3]
    assert codes[3] == codes[5]


def lock_out_strangers(access: AccessControl) -> None:
    """With codes, because a PIN is slow to check."""
    for number in range(ALL_CLIENTS.free):
        access.check_code("wrong", who=LoginClient(ClientGroup.OTHER, f"192.168.1.{number}"))


def known(
    access: AccessControl, ticket: str, kind: TicketKind = TicketKind.KNOWN_PHONE
) -> LoginClient:
    return access.identify_client(ticket, kind, "192.168.1.99")


def test_a_known_browser_is_not_locked_out(access: AccessControl) -> None:
    code = access.pairing_code()
    phone = access.check_code(code, who=PHONE).known
    lock_out_strangers(access)
    assert access.check_code(code, who=known(access, "no ticket")).wait_s > 0
    assert access.check_code(code, who=known(access, phone)).is_right
    assert access.check_code(code, who=BOX).is_right


def test_a_new_pin_makes_known_browsers_strangers(access: AccessControl) -> None:
    laptop = access.check_pin(pin_of(access), who=PHONE).known
    assert known(access, laptop, TicketKind.KNOWN_OFFICIAL).group is ClientGroup.KNOWN
    access.set_pin("7654321")
    stranger = LoginClient(ClientGroup.OTHER, "192.168.1.99")
    assert known(access, laptop, TicketKind.KNOWN_OFFICIAL) == stranger


def test_a_known_phone_is_neither_joined_nor_a_known_official(access: AccessControl) -> None:
    phone = access.check_code(access.pairing_code(), who=PHONE).known
    assert known(access, phone).group is ClientGroup.KNOWN
    assert not access.phone_number(phone)
    assert not access.is_official(phone)
    assert known(access, phone, TicketKind.KNOWN_OFFICIAL).group is ClientGroup.OTHER


def test_a_logged_out_ticket_is_void_also_after_a_restart(
    access: AccessControl, tmp_path: Path, clock: SteppedClock, days: Days
) -> None:
    code = access.pairing_code()
    first, second = (access.check_code(code, who=PHONE).ticket for _ in range(2))
    access.log_out(TicketKind.PHONE, first)
    access.log_out(TicketKind.PHONE, "no ticket")
    for each in (access, begun(tmp_path, clock, days)):
        assert not each.phone_number(first)
        assert each.phone_number(second)


def test_logged_out_tickets_are_forgotten_when_they_expire(
    access: AccessControl, tmp_path: Path, days: Days
) -> None:
    for _ in range(3):
        access.log_out(TicketKind.PHONE, access.check_code(access.pairing_code(), who=PHONE).ticket)
        days.now_s += LASTS_S[TicketKind.PHONE] + 1
    kept = json.loads((tmp_path / "logins.json").read_text())
    assert len(kept["logged_out"]["phone"]) == 1


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"wrong": 1}', "[" * 100_000])
def test_a_broken_memory_of_logins_does_not_stop_a_table(
    tmp_path: Path, clock: SteppedClock, days: Days, text: str
) -> None:
    (tmp_path / "logins.json").write_text(text)
    assert pin_of(begun(tmp_path, clock, days))


def test_the_memory_of_logins_is_for_the_owner_alone(access: AccessControl, tmp_path: Path) -> None:
    access.check_code("00000", who=PHONE)
    assert stat.S_IMODE((tmp_path / "logins.json").stat().st_mode) == 0o600
