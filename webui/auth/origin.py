# SPDX-License-Identifier: MIT
"""
Pass on through which listener a request came.

The box's own screen has a listener of its own, on the loopback interface. A request through the
public port is never the box, whatever its address and headers are: a proxy on the box connects
from the loopback interface too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

KEY = "dicebell.origin"  # The key of an `Origin` in the WSGI environment.


@dataclass(frozen=True, slots=True)
class Origin:
    """How a request reached the application."""

    is_own: bool  # Whether it came through the box's own listener.
    public_port: int = 0  # The port that other machines use; 0 if it is not known.


def find_origin(environment: Mapping[str, Any]) -> Origin:
    """Return how a request came; without a listener, as in a test, the address decides alone."""
    found: object = environment.get(KEY)
    return found if isinstance(found, Origin) else Origin(is_own=True)
