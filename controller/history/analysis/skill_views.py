# SPDX-License-Identifier: MIT
"""What many games of a person say about luck and play, as a page shows it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from controller.coach.account import PlayerAccount
from controller.coach.account_codec import decode_player
from controller.coach.skill import SkillSummary, summarize_skill
from controller.history.views import GameSummary


@dataclass(frozen=True, slots=True)
class VariantSkill:
    """A person's finished games of one variant."""

    game: str  # Key of the game.
    title: str
    variant: str  # Its options in words.
    unit: str  # `points` or `chance`.
    sums: SkillSummary  # The means in that unit.
    # The result without luck of each game, the oldest first: pairs of the game's number and that
    # result.
    adjusted: tuple[tuple[int, float], ...]


_PlayedGame: TypeAlias = tuple[GameSummary, PlayerAccount]


def summarize_variants(
    name: str, games: Iterable[tuple[GameSummary, Mapping[str, Any]]]
) -> tuple[VariantSkill, ...]:
    """Return what games, each with its unit and encoded players, say together by variant."""
    found: dict[tuple[str, str, str], list[_PlayedGame]] = {}
    for game, sums in games:
        seats = [
            seat
            for seat, one in enumerate(game.players)
            if one.name == name and not one.is_opponent
        ]
        for seat in seats:
            key = (game.game, game.variant, sums["unit"])
            played = (game, decode_player(sums["players"][seat]))
            found.setdefault(key, []).append(played)
    own = sorted(found.items(), key=lambda one: -len(one[1]))
    return tuple(_summarize(key[2], each) for key, each in own)


def _summarize(unit: str, games: list[_PlayedGame]) -> VariantSkill:
    games.sort(key=lambda one: one[0].number)
    first, _ = games[0]
    return VariantSkill(
        game=first.game,
        title=first.title,
        variant=first.variant,
        unit=unit,
        sums=summarize_skill([player for _, player in games]),
        adjusted=tuple((game.number, player.adjusted) for game, player in games),
    )
