# SPDX-License-Identifier: MIT
"""
What the contacts of real push buttons look like, edge by edge.

Written down after the pictures that oscilloscopes show of such buttons: a small tactile
switch bounces for a millisecond, an arcade button's microswitch longer and at the release
too, a worn one fails while it is held, and a long cable picks up pulses.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Trace:
    """
    One button's contact over time, up at first.

    Attributes:
        name: What it is a picture of.
        edges_ms: When the level turned over.
        presses_ms: First contact of every press that a person meant.
        holds_ms: First contact of those that lasted a second.
        until_ms: How long it was looked at.
    """

    name: str
    edges_ms: tuple[float, ...]
    presses_ms: tuple[float, ...]
    holds_ms: tuple[float, ...] = ()
    until_ms: float = 5000.0


TRACES = (
    Trace(
        "tactile switch, new", (212.0, 212.3, 212.5, 213.1, 213.2, 341.0, 341.2, 341.3), (212.0,)
    ),
    Trace(
        "arcade button, bounces at press and release",
        (
            500.0,
            500.4,
            501.1,
            502.9,
            503.0,
            506.6,
            508.2,
            655.0,
            656.1,
            656.3,
            659.8,
            660.2,
            663.9,
            664.1,
            667.0,
            667.4,
        ),
        (500.0,),
    ),
    Trace(
        "the same button, three times in quick order",
        (
            100.0,
            101.5,
            103.0,
            172.0,
            174.5,
            176.0,
            231.0,
            231.9,
            236.0,
            301.0,
            302.0,
            305.0,
            360.0,
            360.2,
            360.8,
            440.0,
        ),
        (100.0, 231.0, 360.0),
    ),
    Trace(
        "slow finger: the contact scratches before it closes",
        (800.0, 801.0, 812.0, 814.5, 826.0, 827.0, 841.0, 843.0, 850.0, 1020.0),
        (800.0,),
    ),
    Trace(
        "worn switch: fails twice for a moment while it is held",
        (300.0, 302.0, 303.5, 780.0, 786.0, 1190.0, 1203.0, 1900.0, 1904.0, 1907.0),
        (300.0,),
        (300.0,),
    ),
    Trace(
        "long cable: a relay nearby switches five times",
        (400.0, 400.2, 900.0, 900.6, 901.0, 901.2, 1500.0, 1504.0, 2100.0, 2100.1, 3000.0, 3011.0),
        (),
    ),
    Trace(
        "a pulse on the cable right before a real press",
        (1000.0, 1002.0, 1060.0, 1061.0, 1063.0, 1200.0),
        (1060.0,),
    ),
    Trace("a very short tap", (700.0, 701.2, 702.0, 737.0, 738.0, 741.0), (700.0,)),
    Trace(
        "held for pause, and let go with bounce",
        (250.0, 250.7, 252.0, 1810.0, 1811.5, 1816.0, 1817.0, 1822.0),
        (250.0,),
        (250.0,),
    ),
)
