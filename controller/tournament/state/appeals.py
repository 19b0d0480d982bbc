# SPDX-License-Identifier: MIT
"""
Appeals against rulings on rolls: when they are allowed, and what their decisions do.

A ruling can be appealed against once, as long as it is the newest one on its roll. What a second
official then decides is final: it stands, or the decision becomes a ruling of its own. After the
result that changes the record alone, as any ruling does.

An appeal belongs to its ruling. While it is open, only a later line of the table lets an official
rule on the roll; that ruling closes it, and may be appealed against itself.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from controller.base.languages.message import Message, message
from controller.games.player_names import compute_look
from controller.tournament.entries.appeal_entries import (
    UPHOLD,
    AppealDecided,
    AppealEntry,
    RulingAppealed,
)
from controller.tournament.entries.draw_entries import TableRuling
from controller.tournament.entries.game_entries import RollRuling
from controller.tournament.state.event_data import EventData, Ruling
from controller.tournament.state.game_steps import apply_ruling, check_ruling
from controller.tournament.state.refusal import refuse_entry, require_no_result, require_player

_CHANGES = {"recompute", "annul", "restore"}  # Decisions that may replace one on a roll.

_About: TypeAlias = tuple[int, int, bool] | str


def check_appeal_entry(data: EventData, entry: AppealEntry, at_ms: int) -> None:
    """Check that an entry follows from those before it; RefusedEntryError if it does not."""
    where = f"{entry.kind}.ruling"
    if entry.ruling > len(data.rulings):
        expected = message("a ruling from 1 to {most}", most=str(len(data.rulings)))
        raise refuse_entry("unknown", expected, entry.ruling, where)
    ruling = data.rulings[entry.ruling - 1]
    match entry:
        case RulingAppealed():
            require_no_result(data, entry)
            player = require_player(data, entry.player, "appealed.player")
            if entry.ruling in data.appeals:
                name = data.people.find(data.appeals[entry.ruling].player).name
                found = message("one of {player}", player=name)
                raise refuse_entry("twice", message("a ruling without an appeal"), found, where)
            if not is_open_to_appeal(data, entry.ruling):
                expected = message("the newest ruling on a roll, unless it decided on an appeal")
                raise refuse_entry("closed", expected, entry.ruling, where)
            if not _concerns(data, ruling, entry.player):
                expected = message("a player who plays this roll")
                raise refuse_entry("rule", expected, player.name, "appealed.player")
        case AppealDecided():
            if entry.ruling not in data.appeals or entry.ruling in data.appeal_decisions:
                expected = message("a ruling with an open appeal")
                raise refuse_entry("closed", expected, entry.ruling, where)
            is_same = compute_look(entry.by) == compute_look(ruling.by)
            if is_same and len(data.officials) > 1:
                expected = message("another official than the one whose ruling it is")
                raise refuse_entry("rule", expected, entry.by, "appeal_decided.by")
            _check_decision(data, entry, ruling, at_ms)
        case _:
            assert_never(entry)


def apply_appeal_entry(data: EventData, entry: AppealEntry) -> None:
    """Change the event by an entry that was checked."""
    if isinstance(entry, RulingAppealed):
        data.appeals[entry.ruling] = entry
        return
    data.appeal_decisions[entry.ruling] = entry
    if entry.decision == UPHOLD:
        data.final_rulings.add(entry.ruling)
        return
    changed = _build_ruling(entry, data.rulings[entry.ruling - 1])
    if isinstance(changed, RollRuling):
        apply_ruling(data, changed)
    else:
        data.rulings.append(changed)
    data.final_rulings.add(len(data.rulings))
    if changed.cause:
        data.decided.add(changed.cause.link)  # It stays decided if an annulment is taken back.


def is_open_to_appeal(data: EventData, number: int) -> bool:
    """Return whether a ruling, by its number, may be appealed against now."""
    if data.result is not None or number in data.appeals or number in data.final_rulings:
        return False
    return find_newest(data, data.rulings[number - 1]) == number


def is_open_appeal(data: EventData, number: int) -> bool:
    """Return whether an appeal against a ruling, by its number, waits for a decision."""
    if number not in data.appeals or number in data.appeal_decisions:
        return False
    return find_newest(data, data.rulings[number - 1]) == number


def find_newest(data: EventData, ruling: Ruling) -> int:
    """Return the number of the newest ruling on the roll that a ruling is about; 0 without one."""
    about = _name_roll(ruling)
    for number in range(len(data.rulings), 0, -1):
        if _name_roll(data.rulings[number - 1]) == about:
            return number
    return 0


def list_restorable(data: EventData) -> list[RollRuling]:
    """Return the annulments that an official may take back, in the order of their rolls."""
    found = [
        ruling
        for number, ruling in enumerate(data.rulings, start=1)
        if isinstance(ruling, RollRuling)
        and ruling.decision == "annul"
        and number not in data.final_rulings
        and find_newest(data, ruling) == number
        and not is_open_appeal(data, number)
    ]
    return sorted(found, key=lambda ruling: (ruling.game, ruling.roll))


def list_appealable(data: EventData, player: int) -> list[int]:
    """Return the numbers of the rulings against which a player may appeal."""
    return [
        number
        for number, ruling in enumerate(data.rulings, start=1)
        if _concerns(data, ruling, player) and is_open_to_appeal(data, number)
    ]


def name_ruled(data: EventData, ruling: Ruling) -> Message:
    """Return on what an official ruled: a roll of the event, or a table's own."""
    if isinstance(ruling, RollRuling):
        return message("Game {game}, roll {roll}", game=ruling.game, roll=ruling.roll)
    table = data.boxes.find(ruling.cause.box)
    name = table.name if table else ruling.cause.box[:16]
    return message("{table}, line {line}", table=name, line=ruling.cause.seq)


def _concerns(data: EventData, ruling: Ruling, player: int) -> bool:
    if isinstance(ruling, TableRuling):
        return not data.people.find(player).is_withdrawn
    return player in data.games[ruling.game - 1].rolls[ruling.roll - 1].present


def _name_roll(ruling: Ruling) -> _About:
    """Return what all rulings on the same roll have in common, and no others."""
    if isinstance(ruling, TableRuling):
        return ruling.cause.link
    return (ruling.game, ruling.roll, ruling.is_reserve)


def _check_decision(data: EventData, entry: AppealDecided, ruling: Ruling, at_ms: int) -> None:
    where = "appeal_decided.decision"
    if entry.decision == UPHOLD:
        if entry.faces or entry.until_ms:
            expected = message("no faces and no clock, since nothing changes")
            raise refuse_entry("rule", expected, entry.faces or entry.until_ms, where)
        return
    is_of_table = isinstance(ruling, TableRuling)
    if entry.decision not in ({"keep", "changed"} - {ruling.decision} if is_of_table else _CHANGES):
        expected = message("another decision than that of the ruling")
        raise refuse_entry("rule", expected, entry.decision, where)
    changed = _build_ruling(entry, ruling)
    if isinstance(changed, RollRuling):
        check_ruling(data, changed, at_ms)


def _build_ruling(entry: AppealDecided, ruling: Ruling) -> Ruling:
    """Return the ruling that replaces another one."""
    if isinstance(ruling, TableRuling):
        return TableRuling(ruling.cause, entry.decision, entry.by, entry.reason)
    return RollRuling(
        ruling.game,
        ruling.roll,
        entry.decision,
        entry.by,
        entry.reason,
        is_reserve=ruling.is_reserve,
        faces=entry.faces,
        until_ms=entry.until_ms,
        cause=ruling.cause,
    )
