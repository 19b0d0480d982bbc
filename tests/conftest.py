# SPDX-License-Identifier: MIT
"""Options of the test run, and which tests run beside each other."""

from __future__ import annotations

import pytest


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


# Before the plugin that sends tests to the cores looks at the groups.
@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """
    Let the tests of whole tables run first, one after the other, while others run beside them.

    A throw takes its time whatever the machine does: where three tables and three browsers
    share two cores, hardly a picture a second is left to see it by.
    """
    for item in items:
        if _is_of_whole_table(item):
            item.add_marker(pytest.mark.xdist_group("whole table"))
    items.sort(key=lambda item: not _is_of_whole_table(item))


def _is_of_whole_table(item: pytest.Item) -> bool:
    return "whole_table" in item.path.parts
