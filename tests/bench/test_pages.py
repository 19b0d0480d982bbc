# SPDX-License-Identifier: MIT
"""The memory of a real table with ten open pages, and how they load; when either is too much."""

from __future__ import annotations

import shutil

import pytest

from tests.bench.page_loads import measure_loads
from tests.bench.page_probe import BROWSERS
from tests.bench.pages import MOST_MEMORY_MB, Pages


@pytest.mark.long
def test_ten_pages_follow_a_table() -> None:
    metrics = {
        each.name: each for each in Pages(rolls=0, warm_up=0, seed=1, memory_only=True).measure()
    }
    assert metrics["pages"].value == 10
    assert metrics["files that they loaded"].value > 30, "pages load their scripts and styles"
    highest = metrics["memory at its highest, MB"]
    assert 0 < metrics["memory with all pages open, MB"].value <= highest.value
    assert highest._replace(value=MOST_MEMORY_MB + 0.5).find_failure()


@pytest.mark.long
@pytest.mark.browser
def test_pages_load_from_the_cache_at_the_second_visit() -> None:
    if not any(map(shutil.which, BROWSERS)):
        pytest.skip("no browser on this machine: apt-get install chromium")
    metrics = {each.name: each for each in measure_loads(1)}
    assert [each.find_failure() for each in metrics.values() if each.find_failure()] == []
    for name in ("phone", "phone with a seat", "kiosk"):
        assert metrics[f"{name}, first visit, of files"].value >= 2
        assert metrics[f"{name}, first visit, bytes"].value > 10_000
        assert metrics[f"{name}, second visit, of files"].value == 0
    assert metrics["kiosk, requests for the tray in 20 s"].value > 0
