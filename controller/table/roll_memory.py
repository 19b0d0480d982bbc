# SPDX-License-Identifier: MIT
"""Rolls as the table remembers them: the last one, those before it, and dice of single players."""

from __future__ import annotations

from dataclasses import dataclass

from controller.games.contract import GameState
from controller.table.events import NO_PICTURE_INFO, PictureInfo, TrayDie


@dataclass(frozen=True, slots=True)
class PrivateDice:
    """Dice of one player after a joker; the others keep the shared roll."""

    player: str
    dice: tuple[TrayDie, ...]


@dataclass(frozen=True, slots=True)
class LastRoll:
    """
    The last roll, with everything that a correction needs.

    Attributes:
        by: Who rolled.
        roll: The faces as they count, in the record's text form.
        dice: The same dice in the order of the screen, with their positions in the picture.
        before: The position before the roll, after an action that followed from its kept dice.
        roll_dice: The shared roll before it.
        private_dice: Dice of single players before it.
        picture: Digest of the picture that was read; empty for none.
        picture_info: What else is known of that picture.
        was: The first faces; empty if the roll was not corrected.
        reason: Why they were corrected or entered by hand; may be empty.
        is_reviewed: Whether a review of just these faces has ended.
    """

    by: str
    roll: str
    dice: tuple[TrayDie, ...]
    before: GameState
    roll_dice: tuple[TrayDie, ...]
    private_dice: tuple[PrivateDice, ...]
    picture: str = ""
    picture_info: PictureInfo = NO_PICTURE_INFO
    was: str = ""
    reason: str = ""
    is_reviewed: bool = False


@dataclass(frozen=True, slots=True)
class LoggedRoll:
    """
    A shared roll of the game, for the curve of the scores; see `LastRoll`.

    Attributes:
        before: The position before it, so the one after everything that followed the last.
    """

    by: str
    dice: tuple[TrayDie, ...]
    picture: str
    picture_info: PictureInfo
    before: GameState
