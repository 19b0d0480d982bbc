# SPDX-License-Identifier: MIT
"""Presses and holds out of raw contact: traces as buttons make them, and random ones."""

from __future__ import annotations

from itertools import accumulate, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.debounce import DebounceParams, Debouncer
from hardware.panel import Button, Freed, Hold, PanelEvent, Press, Stuck

MS = 1 / 1024
"""A millisecond for computers: sums of it are exact, so a limit can be met to the point."""
PARAMS = DebounceParams(bounce_s=20 * MS, hold_s=1000 * MS, stuck_s=10_000 * MS)
LEFT = Button.LEFT


def press(at_ms: float) -> Press:
    """The press of the left button with this first contact."""
    return Press(LEFT, at_ms * MS)


def hold(at_ms: float) -> Hold:
    """The hold of the left button that was reached then."""
    return Hold(LEFT, at_ms * MS)


def stuck(at_ms: float) -> Stuck:
    """The moment from which the left button counts as stuck."""
    return Stuck(LEFT, at_ms * MS)


def freed(at_ms: float) -> Freed:
    """The moment when the stuck left button let go."""
    return Freed(LEFT, at_ms * MS)


def events_of(trace_ms: list[float], until_ms: float, *, is_down: bool = False) -> list[PanelEvent]:
    """Play edges (each turns the level over) at these times, then let time go by."""
    debouncer = Debouncer(LEFT, PARAMS, is_down=is_down)
    told: list[PanelEvent] = []
    for at_ms in trace_ms:
        is_down = not is_down
        told += debouncer.edge(is_down, at_ms * MS)
    return told + list(debouncer.tick(until_ms * MS))


FLUTTER = [100.0 + 5 * i for i in range(2100)]
"""Of an even number of edges: it ends with the button up."""


@pytest.mark.parametrize(
    ("trace_ms", "until_ms", "events"),
    [
        ([100, 220], 500, [press(100)]),
        ([100], 9000, [press(100), hold(1100)]),
        ([100, 1095], 3000, [press(100)]),
        # Contact is lost for a moment when the hold is reached.
        ([100, 1095, 1105], 3000, [press(100), hold(1100)]),
        ([100], 3_600_000, [press(100), hold(1100), stuck(10_100)]),
        ([100, 10_095], 30_000, [press(100), hold(1100)]),
        (FLUTTER[:1000], 5100, []),
        (FLUTTER, 20_000, [stuck(10_100), freed(FLUTTER[-1])]),
        (FLUTTER[:-1], 20_000, [stuck(10_100)]),
    ],
)
def test_a_trace_gives_its_events(
    trace_ms: list[float], until_ms: float, events: list[PanelEvent]
) -> None:
    assert events_of(trace_ms, until_ms) == events


def test_button_down_at_the_start_is_stuck_until_released() -> None:
    assert events_of([], 60_000, is_down=True) == [stuck(20)]
    told = events_of([5000, 6000, 6100], 9000, is_down=True)
    assert told == [stuck(20), freed(5000), press(6000)]


def test_level_told_twice_changes_nothing() -> None:
    debouncer = Debouncer(LEFT, PARAMS)
    told = (
        debouncer.edge(True, 100 * MS)
        + debouncer.edge(True, 115 * MS)
        + debouncer.edge(True, 200 * MS)
    )
    assert told == (press(100),)


def test_an_edge_that_was_lost_is_a_bounce() -> None:
    """Edges of a slow machine, whose kernel reads a level after the next edge."""
    debouncer = Debouncer(LEFT, PARAMS)
    edges = [(0, True), (14, True), (22, False), (40, False), (43, True), (103, True), (111, False)]
    told = [event for at, is_down in edges for event in debouncer.edge(is_down, at * MS)]
    assert told + list(debouncer.tick(200 * MS)) == [press(0)]


def test_edge_with_a_time_before_the_last_one_is_no_step_back() -> None:
    debouncer = Debouncer(LEFT, PARAMS)
    debouncer.edge(True, 100 * MS)
    debouncer.edge(False, 90 * MS)
    assert debouncer.next_deadline_s == 120 * MS
    assert debouncer.tick(500 * MS) == ()


def test_nothing_is_due_when_nothing_happens() -> None:
    debouncer = Debouncer(LEFT, PARAMS)
    due_s = [debouncer.next_deadline_s]
    debouncer.edge(True, 100 * MS)
    for at_ms in (100, 200, 1200, 10_200):
        debouncer.tick(at_ms * MS)
        due_s.append(debouncer.next_deadline_s)
    assert due_s == [None, 120 * MS, 1100 * MS, 10_100 * MS, None]


@pytest.mark.parametrize(
    ("bounce_s", "hold_s", "stuck_s"),
    [(0.0, 1.0, 9.0), (-0.1, 1.0, 9.0), (0.5, 0.5, 9.0), (0.1, 1.0, 1.0)],
)
def test_times_that_make_no_sense_are_refused(
    bounce_s: float, hold_s: float, stuck_s: float
) -> None:
    with pytest.raises(ValueError, match="bounce_s"):
        DebounceParams(bounce_s=bounce_s, hold_s=hold_s, stuck_s=stuck_s)


gaps_ms = st.lists(st.integers(1, 1500), max_size=60)
pulses_ms = st.lists(st.tuples(st.integers(1, 19), st.integers(1, 400)), max_size=40)
"""How long something makes contact, shorter than the bounce time, and the quiet after it."""
bursts_ms = st.lists(st.integers(1, 19), max_size=8).map(lambda gaps: gaps[: len(gaps) // 2 * 2])
"""Gaps of bounce; an even number, so that the level after them is the one before."""
presses_ms = st.lists(
    st.tuples(bursts_ms, st.integers(20, 900), bursts_ms, st.integers(20, 900)), max_size=12
)
"""Presses: bounce, how long it rests down, bounce at the release, how long it rests up."""


@given(gaps_ms)
def test_presses_are_the_rests_of_the_contact(gaps: list[int]) -> None:
    """Said another way: take only levels that lasted; count each change to down."""
    edges_ms = list(accumulate(gaps))
    end_ms = (edges_ms[-1] if edges_ms else 0) + 5000
    lasted = [
        (number % 2 == 0)
        for number, (start, stop) in enumerate(
            zip(edges_ms, [*edges_ms[1:], end_ms], strict=True) if edges_ms else []
        )
        if stop - start >= 20
    ]
    expected = sum(
        is_down and not before for before, is_down in zip([False, *lasted], lasted, strict=False)
    )
    told = events_of([float(ms) for ms in edges_ms], end_ms)
    assert sum(isinstance(event, Press) for event in told) == expected


@given(gaps_ms, st.integers(1, 97))
def test_asking_more_often_tells_the_same(gaps: list[int], every_ms: int) -> None:
    edges_ms = list(accumulate(gaps))
    end_ms = (edges_ms[-1] if edges_ms else 0) + 3000
    debouncer = Debouncer(LEFT, PARAMS)
    told: list[PanelEvent] = []
    level, pending = False, list(edges_ms)
    for now_ms in sorted({*range(0, end_ms, every_ms), *edges_ms, end_ms}):
        while pending and pending[0] == now_ms:
            level = not level
            told += debouncer.edge(level, pending.pop(0) * MS)
        told += debouncer.tick(now_ms * MS)
    assert told == events_of([float(ms) for ms in edges_ms], end_ms)


@given(pulses_ms)
def test_no_pulse_below_the_bounce_time_invents_a_press(pulses: list[tuple[int, int]]) -> None:
    """With a quiet of at least the bounce time between them; closer ones may be one bounce."""
    edges_ms, now_ms = [], 100
    for pulse, quiet in pulses:
        edges_ms += [float(now_ms), float(now_ms + pulse)]
        now_ms += pulse + max(quiet, 20)
    assert events_of(edges_ms, now_ms + 30_000) == []


@given(presses_ms)
def test_each_press_is_told_exactly_once_at_its_first_contact(
    presses: list[tuple[list[int], int, list[int], int]],
) -> None:
    edges_ms, contacts_ms, now_ms = [], [], 100
    for at_press, down_ms, at_release, up_ms in presses:
        contacts_ms.append(now_ms)
        for bounce, rest_ms in ((at_press, down_ms), (at_release, up_ms)):
            edges_ms.append(float(now_ms))
            for gap in bounce:
                now_ms += gap
                edges_ms.append(float(now_ms))
            now_ms += rest_ms
    told = events_of(edges_ms, now_ms)
    assert [event for event in told if isinstance(event, Press)] == [
        press(ms) for ms in contacts_ms
    ]


@given(st.lists(st.integers(1, 4000), max_size=60), st.booleans())
def test_a_stuck_button_tells_nothing_but_that_it_let_go(gaps: list[int], is_down: bool) -> None:
    edges_ms = [float(ms) for ms in accumulate(gaps)]
    end_ms = (edges_ms[-1] if edges_ms else 0) + 15_000
    told = events_of(edges_ms, end_ms, is_down=is_down)
    for before, event in pairwise(told):
        assert isinstance(before, Stuck) == isinstance(event, Freed)
    ends_down = is_down == (len(edges_ms) % 2 == 0)
    assert isinstance(told[-1] if told else None, Stuck) == ends_down


class TestHeldApart:
    """A button whose hold means something else than its press."""

    def events_of(self, trace_ms: list[float], until_ms: float) -> list[PanelEvent]:
        debouncer = Debouncer(LEFT, PARAMS, is_held_apart=True)
        told: list[PanelEvent] = []
        for number, at_ms in enumerate(trace_ms):
            told += debouncer.edge(number % 2 == 0, at_ms * MS)
        return told + list(debouncer.tick(until_ms * MS))

    def test_a_press_is_told_when_it_lets_go(self) -> None:
        assert self.events_of([100], 900) == []
        assert self.events_of([100, 102, 104, 300, 303, 305], 400) == [press(100)]

    def test_a_hold_is_no_press_as_well(self) -> None:
        assert self.events_of([100, 2000], 3000) == [hold(1100)]
        assert self.events_of([100], 60_000) == [hold(1100), stuck(10_100)]

    def test_a_press_after_a_hold_is_one(self) -> None:
        assert self.events_of([100, 2000, 2100, 2200], 3000) == [hold(1100), press(2100)]

    def test_a_glitch_is_nothing(self) -> None:
        assert self.events_of([100, 110], 3000) == []

    @given(gaps_ms)
    def test_there_are_as_many_presses_and_holds_as_presses_else(self, gaps: list[int]) -> None:
        edges_ms = [float(ms) for ms in accumulate(gaps)]
        end_ms = (edges_ms[-1] if edges_ms else 0) + 5000
        plain, apart = events_of(edges_ms, end_ms), self.events_of(edges_ms, end_ms)
        assert len(apart) == sum(isinstance(event, Press) for event in plain)
        held = [event for event in plain if isinstance(event, Hold)]
        assert [event for event in apart if isinstance(event, Hold)] == held


@given(gaps_ms)
def test_each_hold_follows_its_own_press_and_times_rise(gaps: list[int]) -> None:
    edges_ms = [float(ms) for ms in accumulate(gaps)]
    told = events_of(edges_ms, (edges_ms[-1] if edges_ms else 0) + 5000)
    assert [event.at_s for event in told] == sorted(event.at_s for event in told)
    for before, event in zip([None, *told], told, strict=False):
        if isinstance(event, Hold):
            assert isinstance(before, Press)
            assert event.at_s == before.at_s + PARAMS.hold_s
