# SPDX-License-Identifier: MIT
"""
The kinds of entries in an event's own journal; docs/event-journal.md lists them.

Everything that counts for a result stands in these entries. Lines of tables are the evidence.
"""

from __future__ import annotations

from collections.abc import Mapping

from controller.tournament.entries import (
    draw_entries,
    event_entries,
    game_entries,
    player_entries,
)
from controller.tournament.entries.entry_base import EventEntry

KINDS: Mapping[str, type[EventEntry]] = {
    entry.kind: entry
    for entry in (
        event_entries.EventBegun,
        event_entries.TableEnrolled,
        event_entries.KeyChanged,
        event_entries.KeyAccepted,
        event_entries.TroubleNoted,
        event_entries.PenaltyGiven,
        event_entries.GameForfeited,
        event_entries.EventResult,
        player_entries.PlayerJoined,
        player_entries.PlayerRenamed,
        player_entries.TokenIssued,
        player_entries.PlayerLeft,
        player_entries.PlayerReturned,
        player_entries.PlayerWithdrawn,
        draw_entries.FixedTable,
        draw_entries.ForbiddenPair,
        draw_entries.DrawMade,
        draw_entries.PlayersSwapped,
        draw_entries.DrawPublished,
        draw_entries.TableResult,
        draw_entries.TableRuling,
        game_entries.GameOpened,
        game_entries.GameClosed,
        game_entries.CostsFound,
        game_entries.RollOpened,
        game_entries.RollClosed,
        game_entries.ChoiceMade,
        game_entries.ReserveAsked,
        game_entries.ReserveOpened,
        game_entries.RollRuling,
    )
}
"""Every kind by its name in the journal."""
