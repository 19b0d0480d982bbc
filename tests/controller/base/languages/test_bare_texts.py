# SPDX-License-Identifier: MIT
"""The walker of the other tests finds what no catalogue can translate."""

from __future__ import annotations

import pytest

from controller.base.languages.message import chain_messages, message
from tests.controller.base.languages.bare_texts import find_bare_texts, find_unknown_templates

CHOOSES = message("{player} chooses", player="Ada")


@pytest.mark.parametrize(
    "view",
    [
        {"headline": CHOOSES, "state": "chooses", "hint": "", "text": "4 + 10 = 14", "title": None},
        {"parts": [{"heading": CHOOSES, "lines": [chain_messages(["4", "Ada"])]}], "label": "Ada"},
    ],
)
def test_messages_names_and_figures_are_no_bare_texts(view: object) -> None:
    assert find_bare_texts(view, ("Ada",)) == []


@pytest.mark.parametrize(
    ("view", "found"),
    [
        ({"rows": [{"label": "Ones"}]}, "label: 'Ones'"),
        ({"lines": ["Throw."]}, "lines: 'Throw.'"),
        ({"text": message("{player} {what}", player="Ada", what="throws")}, "text: 'throws'"),
        ({"text": f"{CHOOSES}."}, "text: 'Ada chooses.'"),
    ],
)
def test_bare_texts_are_found_with_their_key(view: object, found: str) -> None:
    assert find_bare_texts(view, ("Ada",)) == [found]


def test_templates_that_stand_nowhere_are_found() -> None:
    glued = message("{player} " + "sleeps", player=CHOOSES)
    assert find_unknown_templates([glued], ("controller/games",)) == {"{player} sleeps"}
