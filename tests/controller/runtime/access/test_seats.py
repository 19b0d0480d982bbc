# SPDX-License-Identifier: MIT
"""Which phone has which seat: one phone a seat, one seat a phone, also after a restart."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from controller.runtime.access.rate_limit import ClientGroup, LoginClient
from controller.runtime.access.seats import BoundPhone, PhoneSeats
from controller.runtime.access.tickets import LASTS_S, AccessControl, CodePerGame, TicketKind
from controller.table.events import Event, GameClosed, GameContinued, GameLeft, StartRequested
from hardware.clock import SteppedClock
from tests.support.table import CONFIRM, play, table

ADAS, BENS = BoundPhone("adas", 1000), BoundPhone("bens", 1000)
SOMEBODY = LoginClient(ClientGroup.OTHER, "192.168.1.20")


def seats_of(folder: Path, *, now_s: float = 0.0) -> PhoneSeats:
    seats = PhoneSeats(folder, wall_s=lambda: now_s)
    seats.load()
    return seats


def test_a_seat_has_one_phone_and_a_phone_one_seat(tmp_path: Path) -> None:
    seats = seats_of(tmp_path)
    assert seats.bind("Ada", ADAS)
    assert not seats.bind("Ada", BENS)
    assert seats.bind("Ada", ADAS), "its own seat again"
    assert seats.bind("Ben", ADAS)
    assert (seats.list_players(), seats.player_of("adas")) == (("Ben",), "Ben")
    assert seats.bind("Ada", BENS)


def test_a_restart_keeps_seats_and_starter(tmp_path: Path) -> None:
    before = seats_of(tmp_path)
    before.bind("Ada", ADAS)
    before.note_starter("adas")
    after = seats_of(tmp_path)
    assert (after.player_of("adas"), after.is_starter("adas")) == ("Ada", True)
    assert stat.S_IMODE((tmp_path / "seats.json").stat().st_mode) == 0o600


def test_a_seat_ends_with_its_ticket(tmp_path: Path) -> None:
    seats_of(tmp_path).bind("Ada", ADAS)
    late = seats_of(tmp_path, now_s=1000.0)
    assert (late.list_players(), late.player_of("adas")) == ((), "")
    assert late.bind("Ada", BoundPhone("bens", 2000))


def test_a_freed_seat_is_told_to_its_followers(tmp_path: Path) -> None:
    told: list[tuple[str, ...]] = []
    seats = seats_of(tmp_path)
    seats.subscribe(told.append)
    seats.bind("Ada", ADAS)
    seats.free("Ada")
    seats.free("Ada")
    assert told == [(), ("Ada",), ()]


def test_nobody_without_a_number_has_a_seat_or_leads(tmp_path: Path) -> None:
    seats = seats_of(tmp_path)
    seats.note_starter("")
    assert (seats.player_of(""), seats.is_starter("")) == ("", False)


@pytest.mark.parametrize("text", ["{", "[]", '{"seats": {"Ada": 1}, "starter": ""}'])
def test_a_broken_file_costs_the_seats_and_nothing_else(tmp_path: Path, text: str) -> None:
    (tmp_path / "seats.json").write_text(text)
    seats = seats_of(tmp_path)
    assert seats.list_players() == ()
    assert seats.bind("Ada", ADAS)
    assert seats_of(tmp_path).list_players() == ("Ada",)


def test_a_full_disk_keeps_nobody_from_a_seat(tmp_path: Path) -> None:
    seats = PhoneSeats(tmp_path / "gone", wall_s=lambda: 0.0)
    assert seats.bind("Ada", ADAS)
    assert seats.player_of("adas") == "Ada"


class Joined:
    def __init__(self, folder: Path) -> None:
        self.now_s = 0.0
        self.access = AccessControl(folder, SteppedClock(), wall_s=lambda: self.now_s)
        self.access.begin()
        self.ticket = self.join()

    def join(self, ticket: str = "") -> str:
        code = self.access.pairing_code()
        return self.access.check_code(code, who=SOMEBODY, ticket=ticket).ticket


@pytest.fixture
def joined(tmp_path: Path) -> Joined:
    return Joined(tmp_path)


def test_a_phone_that_joins_again_keeps_its_seat_for_longer(joined: Joined) -> None:
    access = joined.access
    assert access.take_seat("Ada", joined.ticket)
    joined.now_s = 1000.0
    newer = joined.join(joined.ticket)
    assert newer != joined.ticket
    assert access.phone_number(newer) == access.phone_number(joined.ticket)
    joined.now_s = LASTS_S[TicketKind.PHONE] + 500.0
    assert access.phone_number(joined.ticket) == ""
    assert access.seats.player_of(access.phone_number(newer)) == "Ada"


def test_a_wrong_code_changes_no_seat(joined: Joined) -> None:
    joined.access.take_seat("Ada", joined.ticket)
    wrong = joined.access.check_code("no code", who=SOMEBODY, ticket=joined.ticket)
    assert (wrong.is_right, wrong.ticket) == (False, "")
    assert joined.access.seats.list_players() == ("Ada",)


def test_only_a_joined_phone_takes_a_seat(joined: Joined) -> None:
    assert not joined.access.take_seat("Ada", "")
    assert not joined.access.take_seat("Ada", f"{joined.ticket}x")
    assert joined.access.seats.list_players() == ()


def test_a_logout_and_sending_phones_away_free_the_seats(joined: Joined) -> None:
    access = joined.access
    access.take_seat("Ada", joined.ticket)
    access.log_out(TicketKind.PHONE, joined.ticket)
    assert access.seats.list_players() == ()
    access.take_seat("Ben", joined.join())
    access.revoke_phone_tickets()
    assert access.seats.list_players() == ()


def test_a_seat_that_expires_is_told_to_its_followers_once(joined: Joined) -> None:
    told: list[tuple[str, ...]] = []
    joined.access.take_seat("Ada", joined.ticket)
    joined.access.seats.subscribe(told.append)
    observer = CodePerGame(joined.access)
    observer.on_idle()
    joined.now_s = LASTS_S[TicketKind.PHONE] + 1.0
    observer.on_idle()
    observer.on_idle()
    assert told == [("Ada",), ()]


@pytest.mark.parametrize(
    ("events", "leads"),
    [
        ((CONFIRM,), True),
        ((GameClosed(),), False),
        ((GameLeft(),), True),
        ((GameLeft(), GameContinued()), True),
        ((GameLeft(), GameContinued(), GameClosed()), False),
        ((GameLeft(), StartRequested()), True),
        ((GameLeft(), StartRequested(), StartRequested()), False),
    ],
)
def test_who_started_a_game_leads_while_it_can_be_played(
    joined: Joined, events: tuple[Event, ...], *, leads: bool
) -> None:
    seats, state = joined.access.seats, table()
    observer = CodePerGame(joined.access)
    observer.on_state(state)
    seats.note_starter("adas")
    for event in events:
        state = play(state, event)
        observer.on_state(state)
    assert seats.is_starter("adas") is leads
