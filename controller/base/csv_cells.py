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


def restore_cell(text: str) -> str:
    """Return the text of a cell that may have an apostrophe from `defuse_cells`."""
    return text[1:] if text.startswith("'") and _is_formula(text) else text


def _defuse(text: str) -> str:
    shown = escape_unseen(text)
    return f"'{shown}" if _is_formula(shown) else shown


def _is_formula(text: str) -> bool:
    """Return whether a text, without apostrophes before it, is one that a spreadsheet computes."""
    bare = text.lstrip("'")
    # A spreadsheet ignores spaces before a formula.
    return any(
        unicodedata.normalize("NFKC", each).startswith(_FORMULA)
        for each in (bare[:1], bare.lstrip()[:1])
    )
