# SPDX-License-Identifier: MIT
"""Every trace of a button's contact is told as what the person meant."""

from __future__ import annotations

import pytest

from hardware.debounce import DebounceParams, Debouncer
from hardware.panel import Button, Hold, PanelEvent, Press
from tests.hardware.traces import TRACES, Trace

PARAMS = DebounceParams()


def told_of(traces: dict[Button, Trace], every_ms: float | None) -> list[PanelEvent]:
    """Play traces at the same time; `every_ms`: how often somebody asks besides."""
    debouncers = {button: Debouncer(button, PARAMS) for button in traces}
    until_ms = max(trace.until_ms for trace in traces.values())
    moments = [
        (at_ms, button, number % 2 == 0)
        for button, trace in traces.items()
        for number, at_ms in enumerate(trace.edges_ms)
    ]
    asks = range(1, int(until_ms / every_ms)) if every_ms else ()
    told: list[PanelEvent] = []
    for at_ms, button, is_down in sorted(
        [*moments, *((n * (every_ms or 0.0), None, False) for n in asks)],
        key=lambda moment: moment[0],
    ):
        if button is None:
            told += [event for one in debouncers.values() for event in one.tick(at_ms / 1000)]
        else:
            told += debouncers[button].edge(is_down, at_ms / 1000)
    return told + [event for one in debouncers.values() for event in one.tick(until_ms / 1000)]


def meant(button: Button, trace: Trace) -> list[PanelEvent]:
    """What the person meant by a trace, in order of time."""
    presses = [Press(button, at_ms / 1000) for at_ms in trace.presses_ms]
    holds = [Hold(button, at_ms / 1000 + PARAMS.hold_s) for at_ms in trace.holds_ms]
    return sorted([*presses, *holds], key=lambda event: event.at_s)


@pytest.mark.parametrize("every_ms", [None, 0.7, 3.0, 50.0], ids=["at edges", "0.7", "3", "50"])
@pytest.mark.parametrize("trace", TRACES, ids=lambda trace: trace.name)
def test_a_trace_is_told_as_it_was_meant(trace: Trace, every_ms: float | None) -> None:
    assert told_of({Button.LEFT: trace}, every_ms) == meant(Button.LEFT, trace)


@pytest.mark.parametrize("one", TRACES, ids=lambda trace: trace.name)
@pytest.mark.parametrize("other", TRACES, ids=lambda trace: trace.name)
def test_two_buttons_at_once_do_not_disturb_each_other(one: Trace, other: Trace) -> None:
    told = told_of({Button.LEFT: one, Button.BACK: other}, 5.0)
    for button, trace in ((Button.LEFT, one), (Button.BACK, other)):
        assert [event for event in told if event.button is button] == meant(button, trace)
