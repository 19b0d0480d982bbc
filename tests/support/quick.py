# SPDX-License-Identifier: MIT
"""Which parameters of a test are tried at once, and which with the tests that take long."""

from __future__ import annotations

import pytest
from _pytest.mark import ParameterSet


def first_quick(*values: object) -> list[ParameterSet]:
    """Return parameters of which only the first is not long."""
    first, *others = values
    return [pytest.param(first), *(pytest.param(each, marks=pytest.mark.long) for each in others)]
