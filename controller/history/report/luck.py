# SPDX-License-Identifier: MIT
"""
Luck and play of a game in a report.

It follows from the game's events and the weights that it names, and from nothing else: equal
weights give equal figures.
"""

from __future__ import annotations

from controller.base.errors import IllegalActionError, InputError
from controller.base.languages.message import Message, Number, message
from controller.coach.account import build_account
from controller.coach.coaches import find_coach
from controller.coach.contract import Coach, Unit
from controller.games import GAMES
from controller.games.wording import format_signed
from controller.history.analysis.analysis_view import (
    AnalysisView,
    DearChoice,
    PlayerAnalysis,
    build_view,
)
from controller.journal.records.from_journal import JournalGame


def analyse_game(game: JournalGame) -> AnalysisView | None:
    """Return luck and play of a game; None if no coach knows it, or it breaks the rules."""
    header = game.header
    try:
        coach = find_coach(header.game, header.options, is_deeper=True)
        return analyse_by_coach(coach, game) if coach else None
    except (InputError, IllegalActionError):
        return None


def analyse_by_coach(coach: Coach, game: JournalGame) -> AnalysisView:
    """Return luck and play of a game by its coach; InputError, IllegalActionError if broken."""
    header = game.header
    start = GAMES[header.game].start(header.players, header.options)
    return build_view(build_account(coach, start, game.events()), game, header.players)


def head_choices(player: PlayerAnalysis) -> Message:
    return message("{player}: the costliest choices", player=player["name"])


def describe_better(choice: DearChoice) -> Message:
    return message("better: {choice}", choice=choice["best"])


def write_luck(value: float, unit: str, plus: str = "") -> str:
    """Return whole points, or percent of a chance; `plus` is the sign of a positive value."""
    if unit == Unit.POINTS.value:
        text = format_signed(round(value))
        return text if plus else text.removeprefix("+")
    percent = Number(abs(100 * value), ".1f")
    if float(percent) == 0:
        return message("{percent} %", percent=percent)
    return message("{sign}{percent} %", sign="−" if value < 0 else plus, percent=percent)


def describe_certainty(view: AnalysisView) -> Message:
    if not view["equal_below"]:
        return message("Compared with exact play.")
    return message(
        "Compared with the best play known, which is not exact: differences below {limit} points "
        "count as none.",
        limit=write_luck(view["equal_below"], view["unit"]),
    )
