# SPDX-License-Identifier: MIT
"""Options of the test run."""

from __future__ import annotations

import pytest
from hypothesis import settings

# The same code gives the same answer twice; `make fuzz` is what looks for other examples.
# How long an example takes is decided by what else the machine does.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile("same")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--kills",
        type=int,
        default=12,
        help="how often the running table is killed at a random moment (default 12)",
    )
    parser.addoption(
        "--twin-games",
        type=int,
        default=12,
        help="how many random games of a kind the rules play against their twin (default 12)",
    )
