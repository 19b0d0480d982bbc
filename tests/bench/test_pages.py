# SPDX-License-Identifier: MIT
"""The memory of a real table with ten open pages, and when it is too much."""

from __future__ import annotations

import pytest

from tests.bench.pages import MOST_MEMORY_MB, Pages


@pytest.mark.long
def test_ten_pages_follow_a_table() -> None:
    metrics = {each.name: each for each in Pages(rolls=0, warm_up=0, seed=1).measure()}
    assert metrics["pages"].value == 10
    assert metrics["files that they loaded"].value > 100, "pages load their scripts and styles"
    highest = metrics["memory at its highest, MB"]
    assert 0 < metrics["memory with all pages open, MB"].value <= highest.value
    assert highest._replace(value=MOST_MEMORY_MB + 0.5).find_failure()
