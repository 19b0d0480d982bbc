# SPDX-License-Identifier: MIT
"""What stops people from reading or using a page: axe's rules, and contrast in its pixels."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.support.contrast import find_faint_texts

# Only what is wrong leaves the page: axe also describes every element that is right.
_FIND_BROKEN = """async () => {
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target}`));
}"""


def find_barriers(page: Page) -> list[str]:
    """Return each rule that an element breaks, and each text that is too faint."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    broken: list[str] = page.evaluate(_FIND_BROKEN)
    return broken + [str(faint) for faint in find_faint_texts(page)]
