# SPDX-License-Identifier: MIT
"""
What officials ask for in forms, as entries of the event.

Each act has the words of its form as texts. What the form cannot know, such as the number of the
next game, is taken from the event in the transaction that stores the entry.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from controller.base.errors import InputError
from controller.base.languages.message import join_words, message
from controller.games.player_names import clean_line
from controller.journal.hashchain import Body
from controller.tournament.entries import (
    appeal_entries,
    call_entries,
    check_in_entries,
    draw_entries,
    event_entries,
    game_entries,
    player_entries,
)
from controller.tournament.entries.codec import EventEntry
from controller.tournament.entries.entry_base import FORMAT, MATCH_STYLES
from controller.tournament.entries.event_entries import NEW_ABSENCE
from controller.tournament.entries.fields import Source
from controller.tournament.server.event_runner import Build
from controller.tournament.server.player_requests import choose_by_phone, hash_secret
from controller.tournament.state.box_lines import ThrownRoll
from controller.tournament.state.check_in import list_missing
from controller.tournament.state.due import list_overtime
from controller.tournament.state.next_draw import build_seeded_draw, list_seeds, needs_dice
from controller.tournament.state.refusal import refuse_before_event
from controller.tournament.state.state import EventState

MOST_TIE_BREAKS = 4
"""How many the form offers."""

Form: TypeAlias = Mapping[str, str]
MOST_MINUTES = 24 * 60  # Of the clock of a round.
_WHOLE = re.compile("[-\N{MINUS SIGN}]?[0-9]{1,9}")


def build_official_entry(do: str, form: Form, by: str, now_ms: int) -> Build:
    """Return what makes the entry of an act, a key of `ACTS`; InputError for another one."""
    act = ACTS.get(do)
    if act is None:
        raise InputError(expected=message("a button of this page"), found=repr(do[:40]))
    require_official(by)
    reader = FormReader(form, by, now_ms)

    def build(state: EventState) -> EventEntry:
        # Other acts read what an event has; a page may be older than the next event.
        if state.data.begun is None and do not in _BEFORE_EVENT:
            raise refuse_before_event(do)
        return act(state, reader)

    return build


def enter_choice(fields: Body, player: int, by: str) -> Build:
    """Return what makes a choice for a player without a phone; InputError if it is none."""
    require_official(by)
    build = choose_by_phone({**fields, "player": player, "by": by})
    return lambda state: build(state, player)


def issue_phone(player: int, secret: str, by: str) -> Build:
    """
    Return what gives a player another phone; the old one is not valid any more.

    InputError if the official has no name.
    """
    require_official(by)
    return lambda state: player_entries.TokenIssued(player, hash_secret(secret), by)


def require_official(by: str) -> None:
    """Check that an official has a name; InputError if not."""
    if not by:
        raise InputError(expected=message("the name of the official"), found=message("none"))


class FormReader:
    """The fields of one form as they were sent; `now_ms` is the time of the request."""

    def __init__(self, form: Form, by: str, now_ms: int) -> None:
        self._form = form
        self.by = by
        self.now_ms = now_ms

    @property
    def reason(self) -> str:
        return self.line("reason")

    def has(self, key: str) -> bool:
        """Return whether a field was filled in, or a box ticked."""
        return bool(self.line(key))

    def line(self, key: str) -> str:
        """Return a field with single spaces between its words; empty if it is missing."""
        return clean_line(" ".join(self._form.get(key, "").split()))

    def whole(self, key: str, *, default: int | None = None) -> int:
        """Return a whole number; InputError for anything else, or nothing without a default."""
        text = self.line(key)
        return default if default is not None and not text else parse_whole(text, key)

    def wholes(self, key: str) -> list[int]:
        """Return whole numbers that are separated by spaces or commas."""
        return [parse_whole(part, key) for part in self.line(key).replace(",", " ").split()]

    def pair(self) -> tuple[int, int]:
        return self.whole("player"), self.whole("other")

    def faces(self) -> str:
        """Return the faces of dice in ascending order."""
        return "".join(sorted(self.line("faces").replace(" ", "").replace(",", "")))

    def source(self) -> Source | None:
        """Return the line of a table that a form is about."""
        if not self.has("link"):
            return None
        return Source(self.line("box"), self.whole("seq"), self.line("link"))


def parse_whole(text: str, key: str) -> int:
    """Return a whole number that somebody typed; InputError if it is none."""
    if not _WHOLE.fullmatch(text):
        raise InputError(expected=message("a whole number"), found=repr(text[:20]), where=key)
    return int(text.replace("\N{MINUS SIGN}", "-"))


Act: TypeAlias = Callable[[EventState, FormReader], EventEntry]


def _begin(state: EventState, form: FormReader) -> EventEntry:
    options: Body = {"jokers": True} if form.has("jokers") else {}
    body: dict[str, object] = {
        "format": FORMAT,
        "name": form.line("name"),
        "style": form.line("style"),
        "game": form.line("game"),
        "options": options,
        "games": form.whole("games"),
    }
    for key in ("scoring", "tie_break", "corrected", "pairing"):
        body[key] = form.line(key)
    for key in ("clock_s", "table_size", "lives"):
        body[key] = form.whole(key)
    if body["style"] == "duplicate":
        body["absence"] = form.line("absence") or NEW_ABSENCE
        if body["absence"] == "nothing":  # Only events of earlier versions count so.
            expected = join_words(["worst", "below_mean"], "or")
            raise InputError(expected=expected, found="nothing", where="event.absence")
    else:
        body["seeding"] = "announced"
        body["round_end"] = form.line("round_end") or "play_on"
    body["team_best"] = form.whole("team_best", default=0)
    if body["style"] in MATCH_STYLES:
        chosen = (form.line(f"tie_break_{number}") for number in range(1, MOST_TIE_BREAKS + 1))
        body["tie_breaks"] = tuple(filter(None, chosen)) or event_entries.NEW_TIE_BREAKS
        body["bye"] = form.line("bye") or event_entries.NEW_BYE
    if body["style"] == "swiss":
        body["late"] = form.line("late") or "nothing"
        body["half_byes"] = form.whole("half_byes", default=0)
    return event_entries.EventBegun(**body)  # type: ignore[arg-type]


def _open_game(state: EventState, form: FormReader) -> EventEntry:
    box = _read_table(form)
    since = _find_next_line(state, box)
    number = len(state.data.games) + 1
    players = tuple(form.wholes("players"))
    return game_entries.GameOpened(number, box, since, players, form.by)


def _read_table(form: FormReader) -> str:
    box = form.line("box")
    if not box:  # The form offers none while none is enrolled.
        expected = message("an enrolled table")
        raise InputError(expected=expected, found=message("none"), where="box")
    return box


def _find_next_line(state: EventState, box: str) -> int:
    """Return the number of the next line of a table; 0 for an unknown one, which is refused."""
    return state.data.boxes.lines_of(box).next_seq if state.data.boxes.find(box) else 0


def _rule(state: EventState, form: FormReader) -> EventEntry:
    game, number = form.whole("game"), form.whole("roll")
    decision, faces = form.line("decision"), ""
    until_ms = 0
    if decision == "recompute":
        faces = form.faces()
        roll = state.data.find_roll(game, number)
        if roll is not None and roll.is_open:
            until_ms = _find_clock_end(state, form)
    is_reserve, cause = form.has("is_reserve"), form.source()
    return game_entries.RollRuling(
        game, number, decision, form.by, form.reason, is_reserve, faces, until_ms, cause
    )


def _restore(state: EventState, form: FormReader) -> EventEntry:
    """Let an annulled roll count again; the ruling names the line that the annulment was about."""
    game, number = form.whole("game"), form.whole("roll")
    roll = state.data.find_roll(game, number)
    until_ms = _find_clock_end(state, form) if roll is not None and roll.was_open else 0
    annulled = (game, number, "annul")
    causes = [
        each.cause
        for each in state.data.rulings
        if isinstance(each, game_entries.RollRuling)
        and (each.game, each.roll, each.decision) == annulled
    ]
    cause = causes[-1] if causes else None
    return game_entries.RollRuling(
        game, number, "restore", form.by, form.reason, until_ms=until_ms, cause=cause
    )


def _decide_appeal(state: EventState, form: FormReader) -> EventEntry:
    number, decision = form.whole("ruling"), form.line("decision")
    faces = form.faces() if decision == "recompute" else ""
    rulings, until_ms = state.data.rulings, 0
    ruling = rulings[number - 1] if 1 <= number <= len(rulings) else None
    if isinstance(ruling, game_entries.RollRuling):
        roll = state.data.find_roll(ruling.game, ruling.roll)
        is_open = roll is not None and (roll.was_open if roll.is_annulled else roll.is_open)
        if is_open and decision in ("recompute", "restore"):
            until_ms = _find_clock_end(state, form)
    return appeal_entries.AppealDecided(number, decision, form.by, form.reason, faces, until_ms)


def _find_clock_end(state: EventState, form: FormReader) -> int:
    return form.now_ms + state.data.event.clock_s * 1000


def _rule_table(state: EventState, form: FormReader) -> EventEntry:
    cause = form.source()
    if cause is None:
        raise InputError(expected=message("the line of a table"), found=message("none"))
    return draw_entries.TableRuling(cause, form.line("decision"), form.by, form.reason)


def _draw(state: EventState, form: FormReader) -> EventEntry:
    """Draw the next round from the announced rolls; in an old event, from the newest of a table."""
    data, rolls = state.data, tuple[ThrownRoll, ...]()
    if needs_dice(data):
        if data.event.seeding == "announced":
            rolls = list_seeds(data)
        elif newest := data.boxes.lines_of(form.line("box")).newest:
            rolls = (newest,)
        if not rolls:
            raise InputError(
                expected=message("a table with a roll that seeds the draw"), found=message("none")
            )
    return build_seeded_draw(data, rolls)


def _announce_draw(state: EventState, form: FormReader) -> EventEntry:
    box, number = _read_table(form), _next_round(state)
    since = _find_next_line(state, box)
    return draw_entries.DrawAnnounced(number, box, since, form.by, form.reason)


def _time_round(state: EventState, form: FormReader) -> EventEntry:
    minutes = form.whole("minutes")
    if not 0 <= minutes <= MOST_MINUTES:
        expected = message(
            "a whole number from {least} to {most}", least="0", most=str(MOST_MINUTES)
        )
        raise InputError(expected=expected, found=str(minutes), where="minutes")
    until_ms = form.now_ms + minutes * 60_000 if minutes else 0
    return draw_entries.RoundTimed(len(state.data.rounds.published) or 1, until_ms, form.by)


def _count_overtime(state: EventState, form: FormReader) -> EventEntry:
    table = form.whole("table")
    for result in list_overtime(state.data):
        if result.table == table:
            return replace(result, by=form.by, reason=form.reason)
    expected = message("a table whose game ended after the clock")
    raise InputError(expected=expected, found=str(table), where="table")


def _find_draft(state: EventState) -> int:
    draft = state.data.rounds.draft
    return draft.number if draft else _next_round(state)


def _next_round(state: EventState) -> int:
    return len(state.data.rounds.published) + 1


_BEFORE_EVENT = ("begin", "answer call")
"""The acts whose entries are `BeforeEvent`."""

ACTS: Mapping[str, Act] = {
    "begin": _begin,
    "open game": _open_game,
    # The roll that the official saw: another one may be open by now.
    "close roll": lambda _, form: game_entries.RollClosed(
        form.whole("game"), form.whole("roll"), form.by, form.reason
    ),
    "close game": lambda state, form: game_entries.GameClosed(
        state.data.open_game.number if state.data.open_game else 1, form.by, form.reason
    ),
    "publish result": lambda state, form: event_entries.EventResult(
        state.compute_standings().list_places(), form.by
    ),
    "enter player": lambda state, form: player_entries.PlayerJoined(
        len(state.data.people) + 1, form.line("name"), by=form.by
    ),
    "rename": lambda _, form: player_entries.PlayerRenamed(
        form.whole("player"), form.line("name"), form.by
    ),
    "name person": lambda _, form: player_entries.PersonNamed(
        form.whole("player"), form.line("key"), form.by
    ),
    "set section": lambda _, form: player_entries.SectionNamed(
        form.whole("player"), form.line("section"), form.by
    ),
    "set team": lambda _, form: player_entries.TeamNamed(
        form.whole("player"), form.line("team"), form.by
    ),
    "seat at kiosk": lambda _, form: player_entries.KioskSeated(
        form.whole("player"), form.by, form.line("box")
    ),
    "pause": lambda _, form: player_entries.PlayerLeft(form.whole("player"), form.by),
    "return": lambda _, form: player_entries.PlayerReturned(form.whole("player"), form.by),
    "withdraw": lambda _, form: player_entries.PlayerWithdrawn(
        form.whole("player"), form.by, form.reason
    ),
    "penalty": lambda _, form: event_entries.PenaltyGiven(
        form.whole("player"),
        form.whole("points"),
        form.by,
        form.reason,
        form.whole("game", default=0),
    ),
    "forfeit": lambda _, form: event_entries.GameForfeited(
        form.whole("player"), form.whole("game"), form.by, form.reason, form.has("is_lifted")
    ),
    "rule": _rule,
    "restore": _restore,
    "rule table": _rule_table,
    "appeal": lambda _, form: appeal_entries.RulingAppealed(
        form.whole("ruling"), form.whole("player"), form.by
    ),
    "decide appeal": _decide_appeal,
    "answer call": lambda _, form: call_entries.CallAnswered(form.whole("call"), form.by),
    "open check-in": lambda state, form: check_in_entries.CheckInOpened(
        _next_round(state), form.by
    ),
    "check in": lambda _, form: check_in_entries.PlayerCheckedIn(
        form.whole("player"), form.by, form.has("is_lifted")
    ),
    "close check-in": lambda state, form: check_in_entries.CheckInClosed(
        _next_round(state), form.by, list_missing(state.data) if form.has("leaves_out") else ()
    ),
    "note trouble": lambda _, form: event_entries.TroubleNoted(
        form.line("box"), form.line("trouble"), form.whole("line"), form.by, form.reason
    ),
    "fix table": lambda _, form: draw_entries.FixedTable(
        form.whole("player"), form.whole("table"), form.by, form.reason
    ),
    "forbid pair": lambda _, form: draw_entries.ForbiddenPair(
        form.pair(), form.by, form.reason, form.has("is_lifted")
    ),
    "ask bye": lambda _, form: draw_entries.ByeAsked(
        form.whole("round"), form.whole("player"), form.by, form.has("is_lifted")
    ),
    "announce draw": _announce_draw,
    "draw": _draw,
    "swap": lambda state, form: draw_entries.PlayersSwapped(
        _find_draft(state), form.pair(), form.by, form.reason
    ),
    "publish draw": lambda state, form: draw_entries.DrawPublished(_find_draft(state), form.by),
    "time round": _time_round,
    "count overtime": _count_overtime,
    "enter result": lambda _, form: draw_entries.TableResult(
        form.whole("round"),
        form.whole("table"),
        tuple(form.wholes("points")),
        tuple(form.wholes("losers")),
        by=form.by,
        reason=form.reason,
    ),
}
"""Every act of an official, by the value of its button."""
