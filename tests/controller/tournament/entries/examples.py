# SPDX-License-Identifier: MIT
"""One valid entry of each kind, with every key."""

from __future__ import annotations

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
from controller.tournament.entries.fields import Source

BOX, OTHER_BOX = "a" * 64, "b" * 64
SOURCE = Source(BOX, 7, "c" * 64)
BY, WHY = "Olga", "seen by two officials"

EXAMPLES: tuple[EventEntry, ...] = (
    event_entries.EventBegun(
        format=1,
        name="Autumn cup",
        style="duplicate",
        game="choice",
        options={"jokers": True},
        games=6,
        clock_s=90,
        scoring="match_points",
        tie_break="costs",
        absence="below_mean",
        corrected="annul",
        pairing="standings",
        seeding="announced",
        round_end="stop",
        table_size=3,
        lives=2,
        tie_breaks=("direct", "buchholz"),
        bye="win",
        late="draw",
        half_byes=1,
        team_best=3,
    ),
    event_entries.TableEnrolled(BOX, "Table 1", 1, BY),
    event_entries.KeyChanged(BOX, OTHER_BOX),
    event_entries.KeyAccepted(BOX, OTHER_BOX, BY, WHY),
    player_entries.PlayerJoined(1, "Ada", "d" * 64, BY),
    player_entries.PlayerRenamed(1, "Ada L.", BY),
    player_entries.TokenIssued(1, "d" * 64, BY),
    player_entries.PlayerLeft(1, BY),
    player_entries.PlayerReturned(1, BY),
    player_entries.PlayerWithdrawn(1, BY, WHY),
    player_entries.PersonNamed(1, "DE-1234", BY),
    player_entries.SectionNamed(1, "Juniors", BY),
    player_entries.TeamNamed(1, "Club A", BY),
    player_entries.KioskSeated(1, BY, BOX),
    draw_entries.FixedTable(1, 3, BY, WHY),
    draw_entries.ForbiddenPair((1, 2), BY, WHY, True),
    draw_entries.DrawAnnounced(2, BOX, 41, BY, WHY),
    draw_entries.DrawMade(2, ((1, 2, 3), (4, 5, 6, 7)), "4412", (SOURCE,), (8,), (9,)),
    draw_entries.ByeAsked(2, 9, BY, True),
    draw_entries.PlayersSwapped(2, (1, 4), BY, WHY),
    draw_entries.DrawPublished(2, BY),
    draw_entries.RoundTimed(2, 1_700_000_000_000, BY),
    draw_entries.TableResult(2, 1, (100, -20, 40), (2,), SOURCE, BY, WHY),
    draw_entries.TableRuling(SOURCE, "keep", BY, WHY),
    game_entries.GameOpened(2, BOX, 40, (1, 2), BY),
    game_entries.GameClosed(2, BY, WHY),
    game_entries.CostsFound(2, "e" * 64, ((1, 24, 12_345), (2, 0, 0))),
    game_entries.RollOpened(2, 1, "13446", SOURCE, 1_700_000_000_000),
    game_entries.RollClosed(2, 1, BY, WHY),
    game_entries.ChoiceMade(2, 1, 3, ("corrector 1>2", "4+10/4"), BY),
    game_entries.ReserveAsked(2, 1, 3, BY),
    game_entries.ReserveOpened(2, 1, "11223", SOURCE, 1_700_000_000_000),
    game_entries.RollRuling(2, 1, "recompute", BY, WHY, True, "13445", 1_700_000_000_000, SOURCE),
    call_entries.OfficialCalled(3, SOURCE),
    call_entries.CallAnswered(2, BY),
    check_in_entries.CheckInOpened(2, BY),
    check_in_entries.PlayerCheckedIn(3, BY, True),
    check_in_entries.CheckInClosed(2, BY, (4, 5)),
    appeal_entries.RulingAppealed(2, 3, BY),
    appeal_entries.AppealDecided(2, "recompute", BY, WHY, "13445", 1_700_000_000_000),
    event_entries.TroubleNoted(BOX, "fork", 17, "Olga", "the card was copied"),
    event_entries.PenaltyGiven(1, 50, BY, WHY, 2),
    event_entries.GameForfeited(1, 2, BY, WHY, True),
    event_entries.EventResult(((1, 1, 240), (2, 2, -100)), BY),
)
