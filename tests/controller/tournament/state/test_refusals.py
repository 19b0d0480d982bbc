# SPDX-License-Identifier: MIT
"""Every proposed entry that does not follow is refused with its code and one line."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from controller.journal.hashchain import build_next_entry
from controller.tournament.entries.codec import EventEntry, encode_body
from controller.tournament.entries.draw_entries import DrawMade, DrawPublished, TableResult
from controller.tournament.entries.event_entries import (
    EventBegun,
    EventResult,
    GameForfeited,
    KeyAccepted,
    KeyChanged,
    PenaltyGiven,
    TableEnrolled,
)
from controller.tournament.entries.fields import Source
from controller.tournament.entries.game_entries import (
    ChoiceMade,
    GameClosed,
    GameOpened,
    ReserveAsked,
    ReserveOpened,
    RollClosed,
    RollOpened,
    RollRuling,
)
from controller.tournament.entries.player_entries import (
    PlayerJoined,
    PlayerLeft,
    PlayerRenamed,
    PlayerReturned,
    PlayerWithdrawn,
    TokenIssued,
)
from controller.tournament.state.state import EventState
from tests.controller.tournament.event_tables import BOX, PlayedEvent, duplicate_event

WHY = "seen by two officials"
OTHER = "b" * 64


@pytest.fixture
def event() -> PlayedEvent:
    """Return an event in its second roll: Player 1 chose, Player 4 left, 5 withdrew, 6 is new."""
    event = PlayedEvent(duplicate_event(games=1), players=5)
    event.write(PlayerWithdrawn(5, "Olga", WHY))
    event.open_game()
    event.throw("13446")
    event.run_out()
    event.write(PlayerLeft(4))
    event.throw("12245")
    event.choose(1, "4+5/5")
    event.write(PlayerJoined(6, "Fay", "d" * 64))
    return event


def source(seq: int, box: str = BOX) -> Source:
    return Source(box, seq, "c" * 64)


NOW = 1_060_000
LATER = NOW + 60_000

REFUSED: list[tuple[EventEntry, str, str]] = [
    (duplicate_event(), "twice", "event: expected one event in a journal, found Autumn cup"),
    (TableEnrolled(OTHER, "Two", 1), "twice", "enrolled.number: expected a free number, found 1"),
    (KeyChanged(OTHER, BOX), "unknown", "key_changed.box: expected an enrolled table"),
    (KeyChanged(BOX, BOX), "twice", "key_changed.key: expected another key than the one it showed"),
    (KeyAccepted(BOX, OTHER, "Olga", WHY), "unknown", "key_accepted.key: expected no key"),
    (PlayerJoined(8, "Gus"), "order", "joined.player: expected 7, found 8"),
    (PlayerJoined(7, "Player 1"), "twice", "joined.name: expected a name that nobody has"),
    (PlayerJoined(7, "Рlayer 1"), "twice", "joined.name: expected a name that nobody has"),
    (PlayerJoined(7, "Gus", "d" * 64), "twice", "joined.token: expected a new phone"),
    (PlayerRenamed(9, "Gus"), "unknown", "renamed.player: expected a player from 1 to 6, found 9"),
    (PlayerRenamed(1, "Fay"), "twice", "renamed.name: expected a name that nobody has, found Fay"),
    (TokenIssued(1, "d" * 64), "twice", "token.token: expected a new phone"),
    (PlayerLeft(4), "twice", "left.player: expected a player who is here, found Player 4"),
    (PlayerReturned(1), "twice", "returned.player: expected a player who left, found Player 1"),
    (PlayerReturned(5), "closed", "expected a player who has not withdrawn, found Player 5"),
    (PlayerWithdrawn(5, "Olga", WHY), "closed", "withdrawn.player: expected a player who has not"),
    (PenaltyGiven(9, 10, "Olga", WHY), "unknown", "penalty.player: expected a player from 1 to 6"),
    (PenaltyGiven(1, 0, "Olga", WHY), "rule", "penalty.points: expected points other than 0"),
    (GameForfeited(1, 2, "Olga", WHY), "unknown", "forfeit.game: expected a game or round that"),
    (GameForfeited(1, 1, "Olga", WHY, True), "twice", "expected a forfeit that can be lifted"),
    (GameOpened(2, BOX, 9, by="Olga"), "early", "expected no open game, found game 1, still open"),
    (GameClosed(1, "Olga", WHY), "early", "expected no open roll, found roll 2, still open"),
    (GameClosed(2), "closed", "game_closed.game: expected game 1, which is open, found 2"),
    (RollOpened(1, 3, "11111", source(9), LATER), "early", "found roll 2, still open"),
    (ChoiceMade(1, 2, 1, ("4+5/5",)), "twice", "choice.player: expected one choice from a roll"),
    (ChoiceMade(1, 1, 2, ("4+10/4",)), "late", "expected roll 2, which is open, found 1"),
    (ChoiceMade(1, 3, 2, ("4+10/4",)), "early", "expected roll 2, which is open, found 3"),
    (ChoiceMade(2, 1, 2, ("4+5/5",)), "closed", "expected game 1, which is open, found 2"),
    (ChoiceMade(1, 2, 2, ("4+10/4",)), "illegal", "choice.do: expected one of 3+6/5, 3+7/4"),
    (ChoiceMade(1, 2, 2, ("corrector 2>6",)), "illegal", "found corrector 2>6"),
    (ChoiceMade(1, 2, 2, ("terminator", "4+5/5")), "illegal", "found terminator, 4+5/5"),
    (ChoiceMade(1, 2, 2, ("4+5/5", "4+5/5")), "illegal", "found 4+5/5, 4+5/5"),
    (ChoiceMade(1, 2, 4, ("4+5/5",)), "closed", "expected a player who plays this roll"),
    (ChoiceMade(1, 2, 6, ("4+5/5",)), "closed", "a player who plays this roll, found Fay"),
    (ChoiceMade(1, 2, 5, ("4+5/5",)), "closed", "expected a player who has not withdrawn"),
    (ChoiceMade(1, 2, 9, ("4+5/5",)), "unknown", "choice.player: expected a player from 1 to 6"),
    (ReserveAsked(1, 2, 1), "twice", "reserve_asked.player: expected one choice from a roll"),
    (ReserveOpened(1, 2, "11111", source(9), LATER), "early", "a player who waits for a reserve"),
    (ReserveOpened(1, 1, "11111", source(9), LATER), "closed", "expected the open roll, found 1"),
    (RollClosed(1, 2), "early", "expected an official and a reason: the clock still runs"),
    (RollClosed(1, 1), "closed", "roll_closed.roll: expected the open roll, found 1"),
    (RollRuling(1, 9, "keep", "Olga", WHY), "unknown", "ruling.roll: expected a roll of the event"),
    (RollRuling(1, 1, "recompute", "Olga", WHY), "rule", "expected the faces that count now"),
    (RollRuling(1, 1, "keep", "Olga", WHY, faces="11111"), "rule", "expected no faces, which only"),
    (
        RollRuling(1, 2, "recompute", "Olga", WHY, faces="11111", until_ms=5),
        "rule",
        "ruling.until_ms: expected a time to come, found 5",
    ),
    (
        RollRuling(1, 1, "recompute", "Olga", WHY, faces="11111", until_ms=LATER),
        "closed",
        "ruling.until_ms: expected no clock: the roll is closed",
    ),
    (
        RollRuling(1, 1, "keep", "Olga", WHY, is_reserve=True),
        "unknown",
        "ruling.is_reserve: expected a roll with a reserve roll",
    ),
    (DrawMade(1, ((1, 2),), "13446", (source(1),)), "rule", "expected an event with draws"),
    (DrawPublished(1, "Olga"), "closed", "published.round: expected a draft, found 1"),
    (TableResult(1, 1, (1, 2)), "unknown", "table_result.round: expected a published round"),
    (EventResult((), "Olga"), "early", "expected no open game, found game 1, still open"),
]


@pytest.mark.parametrize(("entry", "code", "words"), REFUSED, ids=lambda value: str(value)[:40])
def test_an_entry_that_does_not_follow_is_refused(
    event: PlayedEvent, entry: EventEntry, code: str, words: str
) -> None:
    refusal = event.refuse(entry)
    assert words in refusal.text
    assert refusal.code == code
    assert "\n" not in refusal.text


def test_nothing_comes_before_the_event() -> None:
    refusal = EventState().check(PlayerJoined(1, "Ada"), 0)
    assert refusal is not None
    assert (refusal.code, refusal.text) == (
        "order",
        "joined: expected an event that has begun, found one that has not begun",
    )


def test_a_choice_after_the_clock_is_late(event: PlayedEvent) -> None:
    event.now_ms += 61_500
    refusal = event.refuse(ChoiceMade(1, 2, 2, ("4+5/5",)))
    assert refusal.text == "choice.roll: expected a choice within the clock, found 1.5 s too late"
    assert refusal.code == "late"


def test_the_last_millisecond_counts(event: PlayedEvent) -> None:
    event.now_ms += 59_999
    assert event.check(ChoiceMade(1, 2, 2, ("4+5/5",))) is None
    event.now_ms += 1
    assert event.check(ChoiceMade(1, 2, 2, ("4+5/5",))) is not None


def test_an_annulled_roll_takes_no_choice(event: PlayedEvent) -> None:
    event.write(RollRuling(1, 2, "annul", "Olga", WHY))
    for entry in (ChoiceMade(1, 2, 2, ("4+5/5",)), RollRuling(1, 2, "annul", "Olga", WHY)):
        assert event.refuse(entry).code == "annulled"


def test_a_reserve_roll_that_is_there_cannot_be_asked_for(event: PlayedEvent) -> None:
    event.write(ReserveAsked(1, 2, 2))
    assert event.refuse(ReserveAsked(1, 2, 2)).code == "twice"
    event.throw("11111")
    assert event.refuse(ReserveAsked(1, 2, 3)).text.endswith(
        "expected a Terminator before the reserve roll is thrown, found the reserve roll is there"
    )


@pytest.mark.parametrize(
    ("entry", "seat", "is_allowed"),
    [
        (ChoiceMade(1, 2, 2, ("4+5/5",)), 2, True),
        (ChoiceMade(1, 2, 2, ("4+5/5",)), 3, False),
        (ChoiceMade(1, 2, 2, ("4+5/5",), "Olga"), 2, False),
        (PlayerLeft(2), 2, True),
        (PlayerLeft(2), 3, False),
        (RollClosed(1, 2, "Olga", WHY), 2, False),
        (PenaltyGiven(3, 10, "Olga", WHY), 2, False),
    ],
)
def test_a_phone_speaks_for_its_own_seat_only(
    event: PlayedEvent, entry: EventEntry, seat: int, is_allowed: bool
) -> None:
    refusal = event.check(entry, seat)
    assert (refusal is None) == is_allowed
    assert refusal is None or refusal.code == "seat"


def without_roll(event: PlayedEvent) -> int:
    """Close the open roll; return the number of the last line of the table."""
    event.run_out()
    return len(event.table.entries) - 1


@pytest.mark.parametrize(
    ("make", "code", "words"),
    [
        (
            lambda last: RollOpened(1, 4, "11111", source(last + 1), LATER * 2),
            "order",
            "expected 3",
        ),
        (lambda last: RollOpened(1, 3, "11111", source(last), LATER * 2), "twice", "a line after"),
        (
            lambda last: RollOpened(1, 3, "11111", source(last + 1, OTHER), LATER * 2),
            "unknown",
            "roll_opened.source: expected the table of the game",
        ),
        (lambda last: RollOpened(1, 3, "11111", source(last + 1), 5), "rule", "a time to come"),
        (lambda last: GameClosed(1), "early", "players are still playing"),
    ],
)
def test_a_roll_that_does_not_follow_is_refused(
    event: PlayedEvent, make: Callable[[int], EventEntry], code: str, words: str
) -> None:
    refusal = event.refuse(make(without_roll(event)))
    assert (refusal.code, words in refusal.text) == (code, True), refusal.text


def test_the_faces_of_a_roll_are_those_of_its_line(event: PlayedEvent) -> None:
    event.run_out()
    thrown = event.send(event.table.throw("22345"))
    line = Source(BOX, thrown.seq, thrown.link)
    refusal = event.refuse(RollOpened(1, 3, "11111", line, LATER * 2))
    assert refusal.text == "roll_opened.faces: expected 22345, as the table threw, found 11111"
    assert event.check(RollOpened(1, 3, "22345", line, LATER * 2)) is None


def test_a_table_with_another_key_stands_still(event: PlayedEvent) -> None:
    event.run_out()
    event.write(KeyChanged(BOX, OTHER))
    assert event.throw("11111").seq
    assert event.state.data.open_roll is None
    assert event.state.is_still(BOX)
    assert event.state.is_still(OTHER)
    event.write(KeyAccepted(BOX, OTHER, "Olga", "a new card"))
    assert not event.state.is_still(OTHER)
    assert event.refuse(TableEnrolled(BOX, "Table 1")).code == "closed"
    for line in event.table.entries:
        event.send(line, OTHER)
    assert event.write_due() == ["roll_opened"]


def test_the_rule_of_the_event_limits_rulings() -> None:
    event = PlayedEvent(duplicate_event(corrected="annul"), players=1)
    event.open_game()
    event.throw("13446")
    event.run_out()
    assert event.refuse(RollRuling(1, 1, "recompute", "Olga", WHY, faces="11111")).text == (
        "ruling.decision: expected keep or annul, as the event says, found recompute"
    )


def test_a_play_off_names_its_players_and_comes_last() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=2)
    assert event.refuse(GameOpened(1, BOX, 0, (1, 2), "Olga")).code == "rule"
    event.open_game()
    event.play_game(random.Random(1))
    nobody = event.refuse(GameOpened(2, BOX, 0, by="Olga"))
    assert "the players of the play-off: all games of the event are played" in nobody.text
    assert event.check(GameOpened(2, BOX, 0, (1, 2), "Olga")) is None


def test_the_result_is_what_follows_from_the_journal() -> None:
    event = PlayedEvent(duplicate_event(games=1), players=2)
    event.open_game()
    event.play_game(random.Random(1))
    places = event.state.compute_standings().list_places()
    wrong = event.refuse(EventResult(places[::-1], "Olga"))
    assert "expected the standings that follow from the journal" in wrong.text
    event.write(EventResult(places, "Olga"))
    assert event.refuse(PlayerJoined(3, "Late")).code == "closed"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": "chess"}, "event.game: expected one of choice, black-n-white"),
        ({"game": "wuerfelspiel", "options": {}}, "a game in which one roll is for everybody"),
        ({"game": "dice", "options": {}, "style": "tables"}, "expected a game with a result"),
        ({"options": {"joker": True}}, "event.options: expected no option but jokers"),
        ({"options": {"jokers": 1}}, "event.jokers: expected true or false, found 1"),
    ],
)
def test_an_event_of_an_impossible_game_is_refused(changes: dict[str, object], words: str) -> None:
    begun: EventBegun = duplicate_event(**changes)
    refusal = EventState().check(begun, 0)
    assert refusal is not None
    assert words in refusal.text


@pytest.mark.parametrize(
    ("entry", "code", "text"),
    [
        (PlayerJoined(7, "Gus\u200b"), "unknown", "joined.name: expected a text whose characters"),
        (PlayerRenamed(1, "Gus\u202e"), "unknown", "turns the direction of writing (U+202E"),
        (PlayerWithdrawn(1, "Ol\u00adga", WHY), "unknown", "invisible character (U+00AD"),
        (PlayerWithdrawn(1, "Olga", "so\u2066"), "unknown", "withdrawn.reason: expected a text"),
        (PlayerJoined(7, "fay"), "twice", "found fay"),
    ],
)
def test_a_typed_text_that_hides_something_is_refused(
    event: PlayedEvent, entry: EventEntry, code: str, text: str
) -> None:
    refusal = event.refuse(entry)
    assert text in refusal.text
    assert refusal.code == code


def test_a_journal_from_before_the_rule_for_names_is_read() -> None:
    """It tells Olga and an Olga with a character that shows nothing apart; nobody may join them."""
    event = PlayedEvent(duplicate_event(games=1), players=1)
    old = PlayerJoined(2, "Olga\u200b"), PlayerJoined(3, "Olga"), PlayerRenamed(1, "\u202eAda")
    for entry in old:
        before, body = event.entries[-1], encode_body(entry)
        event.entries.append(build_next_entry(before, at_ms=0, kind=entry.kind, body=body))
        event.state.apply(event.entries[-1])
    people = event.state.data.people
    assert [people.find(number).name for number in (1, 2, 3)] == ["\u202eAda", "Olga\u200b", "Olga"]
    assert (people.find_by_name("Olga"), people.find_by_name("Olga\u200b")) == (3, 2)
    for entry in (PlayerJoined(4, "olga"), PlayerRenamed(3, "OLGA"), PlayerJoined(4, "ada")):
        assert event.refuse(entry).code == "twice"
    event.write(PlayerRenamed(2, "Olga K."))
    assert event.check(PlayerRenamed(3, "OLGA")) is None
