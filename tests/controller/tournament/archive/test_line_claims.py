# SPDX-License-Identifier: MIT
"""Whatever an entry of an event says of a line of a table is compared with that line."""

from __future__ import annotations

import pytest

from controller.tournament.archive.line_claims import read_claim
from controller.tournament.entries.codec import EventEntry
from controller.tournament.state.event_data import EventData
from tests.controller.tournament.entries.examples import EXAMPLES, SOURCE


def names_a_line(entry: EventEntry) -> bool:
    values = [getattr(entry, name) for name in entry.__dataclass_fields__]
    return SOURCE in values or (SOURCE,) in values


@pytest.mark.parametrize(
    "entry", [each for each in EXAMPLES if names_a_line(each)], ids=lambda entry: str(entry.kind)
)
def test_an_entry_that_names_a_line_makes_a_claim(entry: EventEntry) -> None:
    claim = read_claim(1, entry, EventData())
    assert claim is not None
    assert claim.sources == (SOURCE,)


def test_other_entries_claim_nothing() -> None:
    others = [each for each in EXAMPLES if not names_a_line(each)]
    assert {read_claim(1, each, EventData()) for each in others} == {None}
