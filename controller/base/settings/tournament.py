# SPDX-License-Identifier: MIT
"""The section of the settings about tournaments."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.base.languages.message import message
from controller.base.settings.key_spec import describe_key


@dataclass(frozen=True, slots=True)
class TournamentSettings:
    """The desk of a tournament. The table joins it on the service page and sends nothing before."""

    address: str = field(
        default="",
        metadata=describe_key(
            message("Address of the desk"),
            message("What the service page offers, such as http://192.168.0.10:8090."),
        ),
    )
    pictures: bool = field(
        default=True,
        metadata=describe_key(
            message("Send pictures"),
            message("The desk may ask for the pictures of the rolls."),
        ),
    )
