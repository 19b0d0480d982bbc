# SPDX-License-Identifier: MIT
"""The memory of a real table with ten open pages, and when it is too much."""

from __future__ import annotations

from dataclasses import replace

import pytest

from controller.bench.followers.pages import (
    MOST_MEMORY_MB,
    PagesResult,
    find_page_failures,
    list_page_metrics,
    open_pages,
)

USUAL = PagesResult(10, 471, 12, 192.0, 209.0, 224.0, 206.0)


def test_too_much_memory_is_told() -> None:
    assert find_page_failures(USUAL) == []
    large = replace(USUAL, highest_mb=MOST_MEMORY_MB + 0.5)
    assert find_page_failures(large) == [f"the table used {MOST_MEMORY_MB + 0.5:.1f} MB of memory"]


@pytest.mark.long
def test_ten_pages_follow_a_table() -> None:
    opened = open_pages(0, seed=1, report=lambda line: None, warm_up=0)
    assert opened.pages == 10
    assert opened.files > 100, "pages load their scripts and styles"
    assert list_page_metrics(opened)["memory at its highest, MB"] >= round(opened.opened_mb, 1) > 0
