# SPDX-License-Identifier: MIT
"""A chip for every test; outside the small machine of `make machine-gpio` there is none."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.machine.gpio.chip import CONFIG, SimulatedChip


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--presses", type=int, default=200, help="how often buttons are pressed (default 200)"
    )


@pytest.fixture
def chip() -> Iterator[SimulatedChip]:
    if not CONFIG.exists():
        pytest.skip("only in the machine of `make machine-gpio`")
    chip = SimulatedChip()
    yield chip
    chip.remove()
