# SPDX-License-Identifier: MIT
"""
Luck and play of a game in a report.

It follows from the game's events and the weights that it names, and from nothing else: equal
weights give equal figures.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.base.errors import IllegalActionError, InputError
from controller.base.languages.message import Number, message
from controller.coach.account import GameAccount, build_account
from controller.coach.coaches import find_coach
from controller.coach.contract import Coach, Unit
from controller.games import GAMES
from controller.games.wording import format_signed
from controller.history.analysis.analysis_view import DearChoice, PlayerAnalysis, build_view
from controller.journal.records.from_journal import JournalGame


@dataclass(frozen=True, slots=True)
class DearLine:
    """A dear choice: the roll with its dice as in a record, what it cost, and both choices."""

    roll: int
    dice: tuple[str, ...]
    cost: str
    chosen: str
    best: str


@dataclass(frozen=True, slots=True)
class PlayerLuck:
    """A player's sums in words, and the dearest choices with their headline."""

    name: str
    headline: str
    start: str
    result: str
    luck: str
    play: str
    others: str
    rest: str
    adjusted: str
    dearest: tuple[DearLine, ...]


@dataclass(frozen=True, slots=True)
class LuckReport:
    """Luck and play of everybody; `note` says how certain it is, `weights` what it follows from."""

    players: tuple[PlayerLuck, ...]
    note: str
    weights: str


def build_luck_report(game: JournalGame) -> LuckReport | None:
    """Return luck and play of a game; None if no coach knows it, or it breaks the rules."""
    header = game.header
    try:
        coach = find_coach(header.game, header.options, is_deeper=True)
        return report_luck(coach, game) if coach else None
    except (InputError, IllegalActionError):
        return None


def report_luck(coach: Coach, game: JournalGame) -> LuckReport:
    """Return luck and play of a game by its coach; InputError, IllegalActionError if broken."""
    header = game.header
    start = GAMES[header.game].start(header.players, header.options)
    account = build_account(coach, start, game.events())
    view = build_view(account, game, header.players)
    return LuckReport(
        players=tuple(
            _describe_player(player, start, account.unit)
            for player, start in zip(view["players"], view["values"][0], strict=True)
        ),
        note=_describe_certainty(account),
        weights=account.weights,
    )


def _describe_player(player: PlayerAnalysis, start: float, unit: str) -> PlayerLuck:
    return PlayerLuck(
        name=player["name"],
        headline=message("{player}: the costliest choices", player=player["name"]),
        start=_format_value(start, unit),
        result=_format_value(player["result"], unit),
        luck=_format_value(player["luck"], unit, plus="+"),
        play=_format_value(player["play"], unit, plus="+"),
        others=_format_value(player["others"], unit, plus="+"),
        rest=_format_value(player["rest"], unit, plus="+"),
        adjusted=_format_value(player["adjusted"], unit),
        dearest=tuple(_describe_choice(choice, unit) for choice in player["dearest"]),
    )


def _describe_choice(choice: DearChoice, unit: str) -> DearLine:
    return DearLine(
        roll=choice["roll"],
        dice=tuple(choice["dice"]),
        cost=_format_value(-choice["cost"], unit),
        chosen=choice["chosen"],
        best=message("better: {choice}", choice=choice["best"]),
    )


def _format_value(value: float, unit: str, plus: str = "") -> str:
    """Return whole points, or percent of a chance; `plus` is the sign of a positive value."""
    if unit == Unit.POINTS.value:
        text = format_signed(round(value))
        return text if plus else text.removeprefix("+")
    percent = Number(abs(100 * value), ".1f")
    if float(percent) == 0:
        return message("{percent} %", percent=percent)
    return message("{sign}{percent} %", sign="−" if value < 0 else plus, percent=percent)


def _describe_certainty(account: GameAccount) -> str:
    if not account.equal_below:
        return message("Compared with exact play.")
    return message(
        "Compared with the best play known, which is not exact: differences below {limit} points "
        "count as none.",
        limit=_format_value(account.equal_below, account.unit),
    )
