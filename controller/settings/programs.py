# SPDX-License-Identifier: MIT
"""The sections of the settings that concern other programs."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.languages.message import message
from controller.settings.key_spec import describe_key


@dataclass(frozen=True, slots=True)
class ApiSettings:
    """The interface for other programs; tokens for it are made on the service page."""

    enabled: bool = field(
        default=False,
        metadata=describe_key(
            message("Answer other programs"),
            message("Programs with a token may read the table or ask for dice."),
        ),
    )
    origins: str = field(
        default="",
        metadata=describe_key(
            message("Foreign pages"),
            message(
                "Pages of these addresses may use it, such as http://192.168.0.5:3000;"
                " separated by commas."
            ),
        ),
    )
    request_s: int = field(
        default=120,
        metadata=describe_key(
            message("Wait for dice"),
            message("A request for dice ends unanswered after this time."),
            (10, 3600),
            unit="s",
        ),
    )
