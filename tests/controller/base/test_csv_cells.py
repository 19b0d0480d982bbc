# SPDX-License-Identifier: MIT
"""No cell of an export is computed by a spreadsheet, and none hides or turns a text."""

from __future__ import annotations

import pytest

from controller.base.csv_cells import defuse_cells


@pytest.mark.parametrize(
    "text",
    [
        *("=1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "\n=1", " =1", "\u3000=1", "\u22121"),
        *("\uff1d1+1", "\uff0b1", "\uff0d1", "\uff20A1", "\ufe621", "\ufe66A"),
    ],
)
def test_a_text_that_begins_like_a_formula_is_a_text(text: str) -> None:
    assert defuse_cells([text]) == [f"'{text}"]


def test_numbers_and_other_texts_stay_as_they_are() -> None:
    row: list[int | str] = [
        -5,
        0,
        "Ada = Ben",
        "1+1",
        "",
        "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
        "'",
    ]
    assert defuse_cells(row) == row


def test_what_turns_or_hides_a_text_is_escaped() -> None:
    assert defuse_cells(["Ol\u202ega", "Ada\u200b"]) == ["Ol\\x202ega", "Ada\\x200b"]
