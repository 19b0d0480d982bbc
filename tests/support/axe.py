# SPDX-License-Identifier: MIT
"""What stops people from reading or using a page: axe's rules, and contrast in its pixels."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.support.contrast import find_faint_texts


def find_barriers(page: Page) -> list[str]:
    """Return each rule that an element breaks, and each text that is too faint."""
    found = Axe().run(page).response["violations"]
    broken = [f"{one['id']}: {node['target']}" for one in found for node in one["nodes"]]
    return broken + [str(faint) for faint in find_faint_texts(page)]
