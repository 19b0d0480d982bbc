# SPDX-License-Identifier: MIT
"""
The event as its journals give it: the one object that a store and a server ask.

Everything that counts is a function of the event's own journal. Lines of tables may be
applied before or after it, so an index can be dropped and built again in any order.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from dataclasses import dataclass

from controller.base.errors import InputError
from controller.base.languages.message import message
from controller.games.player_names import compute_look
from controller.journal.hashchain import Entry
from controller.tournament.entries.appeal_entries import AppealEntry, RulingAppealed
from controller.tournament.entries.call_entries import CallEntry, OfficialCalled
from controller.tournament.entries.check_in_entries import CheckInEntry, PlayerCheckedIn
from controller.tournament.entries.codec import EventEntry, decode_entry_body
from controller.tournament.entries.draw_entries import ByeAsked, DrawEntry
from controller.tournament.entries.event_entries import EventBegun, TableEnrolled
from controller.tournament.entries.game_entries import ChoiceMade, GameEntry, ReserveAsked
from controller.tournament.entries.player_entries import (
    PlayerEntry,
    PlayerLeft,
    PlayerRenamed,
    PlayerReturned,
)
from controller.tournament.standings.curves import CurvePoint, FieldCurves
from controller.tournament.standings.event_scores import compute_standings
from controller.tournament.standings.rows import Standings
from controller.tournament.state.appeals import apply_appeal_entry, check_appeal_entry
from controller.tournament.state.box_lines import RollConcern
from controller.tournament.state.calls import apply_call_entry, check_call_entry
from controller.tournament.state.check_entered import (
    require_new_look,
    require_same_spelling,
    require_typed_lines,
    require_undecided,
)
from controller.tournament.state.check_in import apply_check_in_entry, check_check_in_entry
from controller.tournament.state.draw_steps import (
    apply_draw_entry,
    check_draw_entry,
    check_proposed_draw,
)
from controller.tournament.state.due import find_next_due, list_due
from controller.tournament.state.event_data import EventData
from controller.tournament.state.event_steps import apply_event_entry, check_event_entry
from controller.tournament.state.game_steps import apply_game_entry, check_game_entry
from controller.tournament.state.player_steps import apply_player_entry, check_player_entry
from controller.tournament.state.refusal import (
    Refusal,
    RefusedEntryError,
    refuse_before_event,
    refuse_entry,
)

OwnEntry = (
    ChoiceMade
    | ReserveAsked
    | PlayerRenamed
    | PlayerLeft
    | PlayerReturned
    | OfficialCalled
    | PlayerCheckedIn
    | ByeAsked
    | RulingAppealed
)
"""What players may propose by themselves, for their own number."""

BeforeEvent = EventBegun | TableEnrolled | CallEntry
"""What may come before the event has begun: a table may need an official for it."""


@dataclass(frozen=True, slots=True)
class RollReview:
    """A concern about a roll of the event that waits for a ruling."""

    game: int
    roll: int
    is_reserve: bool
    concern: RollConcern
    counts: str  # The faces that count in the event now.

    @property
    def is_contradiction(self) -> bool:
        """Whether the table's faces are not those of the event."""
        return self.counts != self.concern.faces


class EventState:
    """An event; for one thread."""

    def __init__(self) -> None:
        self.data = EventData()  # Everything that it knows, for reading.
        self._curves = FieldCurves(self.data)
        self._standings: Standings | None = None

    def check(self, entry: EventEntry, at_ms: int, seat: int | None = None) -> Refusal | None:
        """
        Return why an entry may not be written now; None if it may.

        Args:
            at_ms: The time that the entry would have.
            seat: The player whose phone proposes it; None for an official and for the program.
        """
        try:
            require_typed_lines(entry)
            self._require(entry, at_ms, seat)
            if isinstance(entry, DrawEntry):
                check_proposed_draw(self.data, entry)
            require_new_look(self.data.people, entry)
            require_same_spelling(self.data.people, entry)
            require_undecided(self.data, entry)
        except RefusedEntryError as error:
            return Refusal(error.code, error)
        return None

    def apply(self, entry: Entry, checked: EventEntry | None = None) -> EventEntry | None:
        """
        Apply the next entry of the event's own journal, and return what it says.

        A kind of a later version changes nothing, and is None.

        Args:
            entry: The entry, whose place in the chain was checked.
            checked: What it says, if `check` accepted that in this very state.

        Raises:
            InputError: It does not follow from the entries before; `where` names its number.
        """
        body = checked or decode_entry_body(entry)
        if body is None:
            return None
        if checked is None:
            try:
                self._require(body, entry.at_ms, None)
            except InputError as error:
                raise error.at(f"entry {entry.seq}, {error.where}") from error
        self.apply_body(body, entry.at_ms)
        return body

    def apply_body(self, body: EventEntry, at_ms: int) -> None:
        """Apply what the next own entry says; it has this time, and was accepted in this state."""
        if isinstance(body, GameEntry):
            apply_game_entry(self.data, body)
        elif isinstance(body, DrawEntry):
            apply_draw_entry(self.data, body)
        elif isinstance(body, PlayerEntry):
            apply_player_entry(self.data, body)
        elif isinstance(body, CallEntry):
            apply_call_entry(self.data, body, at_ms)
        elif isinstance(body, CheckInEntry):
            apply_check_in_entry(self.data, body)
        elif isinstance(body, AppealEntry):
            apply_appeal_entry(self.data, body)
        else:
            apply_event_entry(self.data, body)
        if official := getattr(body, "by", ""):
            self.data.officials.add(compute_look(official))
        self._standings = None

    def apply_all(self, entries: Iterable[Entry]) -> None:
        """Apply entries one after the other; InputError at one that does not follow."""
        for entry in entries:
            self.apply(entry)

    def apply_table_line(self, box: str, entry: Entry) -> None:
        """Read a line of a table's journal; whatever it holds, nothing is raised."""
        self.data.boxes.lines_of(box).apply(entry)

    def copy(self) -> EventState:
        """Return the same event apart; of a large one that takes long."""
        copied: EventState = pickle.loads(pickle.dumps(self))
        return copied

    def list_due(self, now_ms: int) -> tuple[EventEntry, ...]:
        """Return what follows by itself now; ask again after each of them is applied."""
        return list_due(self.data, now_ms)

    def next_due_ms(self) -> int | None:
        """Return when the clock alone makes something due; None if it never does."""
        return find_next_due(self.data)

    def list_reviews(self) -> tuple[RollReview, ...]:
        """Return the rolls that wait for a ruling, in the order of the tables' lines."""
        data, reviews = self.data, {}
        for _, lines in data.boxes.list_lines():
            for concern in lines.list_open(data.decided):
                cause = concern.cause.link
                found = data.opened.get(concern.roll_link) or data.opened.get(cause)
                if found is None:
                    continue
                game, number, is_reserve = found
                roll = data.games[game - 1].rolls[number - 1]
                if not roll.is_annulled:
                    counts = roll.reserve.faces if is_reserve and roll.reserve else roll.faces
                    reviews[cause] = RollReview(game, number, is_reserve, concern, counts)
        return tuple(reviews.values())

    def list_table_concerns(self) -> tuple[RollConcern, ...]:
        """Return what waits for a decision in the games of tables, in an event with draws."""
        data = self.data
        if data.begun is None or data.event.style == "duplicate":
            return ()
        concerns = {
            concern.cause.link: concern
            for box, lines in data.boxes.list_lines()
            if not data.boxes.is_still(box)
            for concern in lines.list_open(data.decided)
        }
        return tuple(concerns.values())

    def compute_standings(self) -> Standings:
        """Return the standings now; after the final ones, as the record has them."""
        if self._standings is None:
            self._standings = compute_standings(self.data)
        return self._standings

    def list_curve(self, player: int) -> tuple[CurvePoint, ...]:
        """Return a player's score and place in a duplicate event after each closed roll."""
        return self._curves.list_points(player)

    def find_player_by_token(self, token: str) -> int | None:
        """Return whose phone has the secret with this SHA-256; None if none has."""
        return self.data.people.find_by_token(token)

    def is_still(self, box: str) -> bool:
        """Return whether a table is unknown, or shows a key that is not accepted."""
        return self.data.boxes.is_still(box)

    def _require(self, entry: EventEntry, at_ms: int, seat: int | None) -> None:
        if self.data.begun is None and not isinstance(entry, BeforeEvent):
            raise refuse_before_event(entry.kind)
        if seat is not None:
            self._require_seat(entry, seat)
        if isinstance(entry, GameEntry):
            check_game_entry(self.data, entry, at_ms)
        elif isinstance(entry, DrawEntry):
            check_draw_entry(self.data, entry)
        elif isinstance(entry, PlayerEntry):
            check_player_entry(self.data, entry)
        elif isinstance(entry, CallEntry):
            check_call_entry(self.data, entry)
        elif isinstance(entry, CheckInEntry):
            check_check_in_entry(self.data, entry)
        elif isinstance(entry, AppealEntry):
            check_appeal_entry(self.data, entry, at_ms)
        else:
            check_event_entry(self.data, entry)

    def _require_seat(self, entry: EventEntry, seat: int) -> None:
        if not isinstance(entry, OwnEntry) or _is_officials(entry):
            expected = message("an official")
            raise refuse_entry("seat", expected, message("a player"), entry.kind)
        if entry.player != seat:
            expected = message("player {number}, whose phone this is", number=str(seat))
            raise refuse_entry("seat", expected, entry.player, f"{entry.kind}.player")


def _is_officials(entry: OwnEntry) -> bool:
    if isinstance(entry, OfficialCalled):
        return False
    return bool(entry.by) or (isinstance(entry, PlayerCheckedIn) and entry.is_lifted)
