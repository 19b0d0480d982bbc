# SPDX-License-Identifier: MIT
"""The result of many kills, and what must not have happened."""

from __future__ import annotations

from dataclasses import dataclass, field

ENOUGH_KILLS = 20
"""Of fewer kills each may come before the first roll."""


@dataclass(slots=True)
class KillResult:
    """
    What was counted over all kills.

    Attributes:
        kills: How often the table was killed.
        seconds: How long that took.
        games: How many data folders were played in.
        throws: How often dice were thrown.
        rolls: Rolls in the journals.
        entries: Entries in the journals.
        answers: Presses that the table confirmed, and that the journal must hold.
        views: Different confirmed states that screens showed before a kill.
        screens: Screens that were compared with a replay after a restart.
        torn: Restarts that cut a torn line off the journal.
        differing: Screens that did not show what the journal replays to, with the keys.
        lost: Confirmed states that a screen had shown and that the journal never held.
        lost_answers: Confirmed presses that the journal does not hold.
        lost_entries: Journals that did not begin with what they held before the kill.
        lost_pictures: Rolls without their picture.
        invented: Rolls in the journal without a throw.
        refused: Presses that were answered with an error.
        broken: Findings of a verification of the journals in the end.
    """

    kills: int = 0
    seconds: float = 0.0
    games: int = 0
    throws: int = 0
    rolls: int = 0
    entries: int = 0
    answers: int = 0
    views: int = 0
    screens: int = 0
    torn: int = 0
    differing: list[str] = field(default_factory=list)
    lost: int = 0
    lost_answers: int = 0
    lost_entries: int = 0
    lost_pictures: int = 0
    invented: int = 0
    refused: int = 0
    broken: list[str] = field(default_factory=list)


def list_kill_metrics(result: KillResult) -> dict[str, float]:
    """Return the metrics by name."""
    return {
        "kills": result.kills,
        "seconds": round(result.seconds, 1),
        "data folders": result.games,
        "throws": result.throws,
        "rolls in the journals": result.rolls,
        "entries in the journals": result.entries,
        "presses confirmed": result.answers,
        "states shown before a kill": result.views,
        "screens compared after a restart": result.screens,
        "torn lines cut off": result.torn,
        "screens that differ from the journal": len(result.differing),
        "states shown and lost": result.lost,
        "presses confirmed and lost": result.lost_answers,
        "journals that lost entries": result.lost_entries,
        "rolls without their picture": result.lost_pictures,
        "rolls invented": result.invented,
        "presses answered with an error": result.refused,
        "breaks found by verify": len(result.broken),
    }


def find_kill_failures(result: KillResult) -> list[str]:
    """Return what must not have happened, as sentences; empty if all went well."""
    counts = {
        "states were shown and are lost": result.lost,
        "presses were confirmed and are lost": result.lost_answers,
        "journals lost entries": result.lost_entries,
        "rolls have no picture": result.lost_pictures,
        "rolls were invented": result.invented,
        "presses were answered with an error": result.refused,
    }
    found = [f"{number} {what}" for what, number in counts.items() if number]
    if result.kills >= ENOUGH_KILLS and not result.rolls:
        found.append("not one roll was taken")
    return [*found, *result.differing, *result.broken]
