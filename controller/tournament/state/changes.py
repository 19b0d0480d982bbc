# SPDX-License-Identifier: MIT
"""What each kind of entry changes; every entry has been checked before."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from controller.tournament.entries.draw_entries import (
    DrawMade,
    DrawPublished,
    FixedTable,
    ForbiddenPair,
    PlayersSwapped,
    TableResult,
    TableRuling,
)
from controller.tournament.entries.event_entries import (
    EventBegun,
    EventResult,
    GameForfeited,
    KeyAccepted,
    KeyChanged,
    PenaltyGiven,
    TableEnrolled,
    TroubleNoted,
)
from controller.tournament.entries.game_entries import (
    ChoiceMade,
    CostsFound,
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
from controller.tournament.state.duplicate.game import DuplicateGame
from controller.tournament.state.event_data import EventData
from controller.tournament.state.next_draw import compute_order


def _begin(data: EventData, entry: EventBegun) -> None:
    data.begun = entry


def _enrol(data: EventData, entry: TableEnrolled) -> None:
    data.boxes.add(entry.box, entry.number, entry.name)


def _show_key(data: EventData, entry: KeyChanged) -> None:
    data.boxes.show_key(entry.box, entry.key)


def _accept_key(data: EventData, entry: KeyAccepted) -> None:
    data.boxes.accept_key(entry.box, entry.key)


def _note(data: EventData, entry: TroubleNoted) -> None:
    data.noted.add((entry.box, entry.trouble, entry.line))


def _join(data: EventData, entry: PlayerJoined) -> None:
    data.people.add(entry.name, entry.token)


def _rename(data: EventData, entry: PlayerRenamed) -> None:
    data.people.rename(entry.player, entry.name)


def _set_token(data: EventData, entry: TokenIssued) -> None:
    data.people.set_token(entry.player, entry.token)


def _leave(data: EventData, entry: PlayerLeft) -> None:
    data.people.set_away(entry.player, is_away=True)


def _return(data: EventData, entry: PlayerReturned) -> None:
    data.people.set_away(entry.player, is_away=False)


def _withdraw(data: EventData, entry: PlayerWithdrawn) -> None:
    data.people.withdraw(entry.player)


def _fix_table(data: EventData, entry: FixedTable) -> None:
    data.rounds.set_fixed(entry.player, entry.table)


def _forbid_pair(data: EventData, entry: ForbiddenPair) -> None:
    data.rounds.set_forbidden(entry.players, is_lifted=entry.is_lifted)


def _add_draft(data: EventData, entry: DrawMade) -> None:
    data.rounds.add_draft(entry)


def _swap(data: EventData, entry: PlayersSwapped) -> None:
    data.rounds.swap(*entry.players)


def _publish(data: EventData, entry: DrawPublished) -> None:
    if data.event.style != "tables":
        data.bracket = compute_order(data, data.rounds.rounds[-1].faces)
    data.rounds.publish()


def _add_result(data: EventData, entry: TableResult) -> None:
    is_newest = entry.round == len(data.rounds.published)
    data.rounds.add_result(entry, counts=is_newest and data.result is None)


def _open_game(data: EventData, entry: GameOpened) -> None:
    game = DuplicateGame(
        entry.game,
        data.event.game,
        data.event.options,
        box=entry.box,
        since=entry.since,
        players=frozenset(entry.players) if entry.players else None,
    )
    data.games.append(game)


def _close_game(data: EventData, entry: GameClosed) -> None:
    data.games[-1].is_open = False


def _add_costs(data: EventData, entry: CostsFound) -> None:
    data.costs[entry.game] = entry


def _open_roll(data: EventData, entry: RollOpened) -> None:
    present = data.people.list_present()
    data.games[-1].open(entry.faces, entry.source, entry.until_ms, present)
    data.use_line(entry.source, entry.game, entry.roll, is_reserve=False)


def _choose(data: EventData, entry: ChoiceMade) -> None:
    data.games[-1].choose(entry.player, entry.do)


def _ask_reserve(data: EventData, entry: ReserveAsked) -> None:
    data.games[-1].ask_reserve(entry.player)


def _open_reserve(data: EventData, entry: ReserveOpened) -> None:
    data.games[-1].open_reserve(entry.faces, entry.source, entry.until_ms)
    data.use_line(entry.source, entry.game, entry.roll, is_reserve=True)


def _close_roll(data: EventData, entry: RollClosed) -> None:
    data.games[-1].close_roll()


def _rule(data: EventData, entry: RollRuling) -> None:
    game = data.games[entry.game - 1]
    if entry.decision != "keep":
        data.costs.pop(entry.game, None)
    if entry.decision == "annul":
        game.annul(entry.roll)
    elif entry.decision == "recompute":
        game.change_faces(entry.roll, entry.faces, entry.until_ms, is_reserve=entry.is_reserve)
    data.rulings.append(entry)
    if entry.cause:
        data.decided.add(entry.cause.link)


def _rule_on_table(data: EventData, entry: TableRuling) -> None:
    data.decided.add(entry.cause.link)


def _penalize(data: EventData, entry: PenaltyGiven) -> None:
    data.penalties.append(entry)


def _forfeit(data: EventData, entry: GameForfeited) -> None:
    if entry.is_lifted:
        data.forfeits[entry.player].discard(entry.game)
    else:
        data.forfeits[entry.player].add(entry.game)


def _end(data: EventData, entry: EventResult) -> None:
    data.result = entry


CHANGES: Mapping[type, Callable[[EventData, Any], None]] = {
    EventBegun: _begin,
    TableEnrolled: _enrol,
    KeyChanged: _show_key,
    KeyAccepted: _accept_key,
    TroubleNoted: _note,
    PlayerJoined: _join,
    PlayerRenamed: _rename,
    TokenIssued: _set_token,
    PlayerLeft: _leave,
    PlayerReturned: _return,
    PlayerWithdrawn: _withdraw,
    FixedTable: _fix_table,
    ForbiddenPair: _forbid_pair,
    DrawMade: _add_draft,
    PlayersSwapped: _swap,
    DrawPublished: _publish,
    TableResult: _add_result,
    GameOpened: _open_game,
    GameClosed: _close_game,
    CostsFound: _add_costs,
    RollOpened: _open_roll,
    RollClosed: _close_roll,
    ChoiceMade: _choose,
    ReserveAsked: _ask_reserve,
    ReserveOpened: _open_reserve,
    RollRuling: _rule,
    TableRuling: _rule_on_table,
    PenaltyGiven: _penalize,
    GameForfeited: _forfeit,
    EventResult: _end,
}
