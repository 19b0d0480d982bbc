# SPDX-License-Identifier: MIT
"""What programs get of entries that older versions wrote, and of those that do not fit."""

from __future__ import annotations

from controller.integrations.api.entry_views import EVENT_TYPES, EntryContext, EntryViews
from controller.journal.entries import KINDS
from controller.journal.hashchain import Body, Entry

VIEWS = EntryViews(str)
OLD_DIE: Body = {
    **{"face": 4, "polarity": "light", "colour": "white", "x_mpx": 1, "y_mpx": 2},
    **{"angle_mdeg": 0, "edge_mpx": 40_000},
}


def describe(kind: str, body: Body) -> dict[str, object] | None:
    return VIEWS.describe_event(Entry(7, 1000, kind, body, "", ""), EntryContext())


def test_what_an_old_reading_does_not_say_is_null() -> None:
    event = describe("reading", {"by": "Ada", "lie": [OLD_DIE], "doubts": [], "picture": ""})
    assert event is not None
    unknown = {"origin": None, "confidence": None}
    assert event["dice"] == [{"face": 4, "polarity": "light", "colour": "white", **unknown}]
    assert (event["by"], event["picture"], event["in_doubt"]) == ("Ada", None, False)


def test_an_entry_that_does_not_fit_is_no_event() -> None:
    assert describe("fault", {"device": 3, "what": "gone"}) is None
    assert describe("weather", {}) is None


def test_an_event_is_of_a_kind_or_a_start() -> None:
    assert set(EVENT_TYPES) - set(KINDS) == {"started"}
