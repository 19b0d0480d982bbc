# SPDX-License-Identifier: MIT
"""The keys of what a table keeps: its data folder, and the pictures of the rolls."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from controller.base.languages.message import message
from controller.base.settings.key_spec import describe_key


@dataclass(frozen=True, slots=True)
class DataSettings:
    """Where games are kept."""

    folder: Path = field(
        default=Path("dicebell-data"),
        metadata=describe_key(message("Data folder"), message("Journals and pictures are there.")),
    )


@dataclass(frozen=True, slots=True)
class EvidenceSettings:
    """Pictures of the rolls, and for how long they are kept; their digests stay for ever."""

    clips: bool = field(
        default=False,
        metadata=describe_key(
            message("Film every throw"), message("A film of every throw is stored too.")
        ),
    )
    keep_days: int = field(
        default=0,
        metadata=describe_key(
            message("Keep pictures for"),
            message("Older pictures are deleted; 0 keeps them forever."),
            (0, 36_500),
            unit="days",
        ),
    )
    keep_mb: int = field(
        default=0,
        metadata=describe_key(
            message("Room for pictures"),
            message("Above this size the oldest pictures are deleted; 0 for no limit."),
            (0, 1_000_000),
            unit="MB",
        ),
    )
    picture_quality: int = field(
        default=90,
        metadata=describe_key(
            message("Quality of the pictures"),
            message("A worse picture is read again with less certainty."),
            (85, 100),
        ),
    )
