# SPDX-License-Identifier: MIT
"""
Cells of CSV that a spreadsheet shows as they are and does not compute.

A name may begin like a formula, also in full-width letters, which some spreadsheets take as the
usual ones. An apostrophe in front makes it a text. Numbers stay numbers.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence

from controller.base.languages.shown_text import escape_unseen

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\N{MINUS SIGN}")


def defuse_cells(cells: Iterable[int | str]) -> Sequence[int | str]:
    """Return the cells of a row as every export writes them."""
    return [each if isinstance(each, int) else _defuse(each) for each in cells]


def _defuse(text: str) -> str:
    shown = escape_unseen(text)
    # A spreadsheet ignores spaces before a formula.
    is_formula = any(
        unicodedata.normalize("NFKC", each).startswith(_FORMULA)
        for each in (shown[:1], shown.lstrip()[:1])
    )
    return f"'{shown}" if is_formula else shown
