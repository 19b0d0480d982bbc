# SPDX-License-Identifier: MIT
"""
Which die is which, from one rest to the next.

Dice have no names, but they have places: two dice cannot lie in one place, and
a kept die stays nearly where it was. So a die with the same face close to where
one lay is that die, and another face there means that it was turned. A die that
tips over one edge moves by exactly its edge, so *turned* reaches a little
further than *kept*. Everything else came from a throw.

Distances are counted in edges of the die itself: that holds with and without a
calibration, near the camera and far from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import dist
from typing import Protocol

from vision.frame import Frame
from vision.reading import DieReading, Origin, Point, TrayReading
from vision.watching.settle import TrayState, TrayWatcher


@dataclass(frozen=True, slots=True)
class TrackParams:
    """
    How far a die may have moved and still be known again, in edges of the die.

    Attributes:
        kept_edges: With the same face up: pushed a little.
        turned_edges: With another face up: tipped over an edge, and pushed a little.
    """

    kept_edges: float = 0.75
    turned_edges: float = 1.25


class PlacedDie(Protocol):
    """A die with its place in the picture, whoever keeps it: enough to know it again."""

    @property
    def face(self) -> int:
        """The number up."""
        ...

    @property
    def polarity(self) -> object:
        """Whether the body is lighter or darker than the pips; the same die has the same one."""
        ...

    @property
    def center_px(self) -> Point:
        """Centre of the top face."""
        ...

    @property
    def edge_px(self) -> float:
        """Length of a face edge; 0 for a die whose place nobody knows."""
        ...


@dataclass(frozen=True, slots=True)
class Known:
    """
    A die that was known again.

    Attributes:
        before: Its index among the dice before.
        origin: `KEPT`, or `TURNED` where it shows another face.
    """

    before: int
    origin: Origin


@dataclass(frozen=True, slots=True)
class Rest:
    """
    A stretch of frames on which nothing moved, and what lay there.

    Attributes:
        reading: What was read, with the origin of every die.
        first_frame: Number of the first frame.
        last_frame: Number of the last one.
    """

    reading: TrayReading
    first_frame: int
    last_frame: int


def rests(
    frames: Iterable[Frame], watcher: TrayWatcher, *, expect: int | None = None
) -> Iterator[Rest]:
    """
    Yield the rests of a recording, each when it is over.

    Args:
        frames: The recording, or a camera for as long as it is looked through.
        watcher: A new one.
        expect: How many dice belong in the tray, where that is known.
    """
    before: TrayReading | None = None
    rest: Rest | None = None
    for frame in frames:
        look = watcher.look(frame, expect=expect)
        if look.state is TrayState.AT_REST and look.reading is not None:
            reading = origins(before, look.reading)
            rest = Rest(reading, look.first_frame, look.last_frame)
        elif rest is not None:
            yield rest
            before, rest = rest.reading, None
    if rest is not None:
        yield rest


def origins(
    before: TrayReading | None, now: TrayReading, params: TrackParams | None = None
) -> TrayReading:
    """
    Tell of every die how it came to lie where it lies.

    A die that lies where there was only a doubt before was set straight there by a hand:
    that is `placed`. A kept die that was knocked further than the limits cannot be told from
    a thrown one by its place; it is called `thrown`.

    Args:
        before: The reading of the rest before; none at the first rest.
        now: The reading of this rest.
        params: How far a die may have moved.

    Returns:
        The reading of this rest, the origin of every die filled in.
    """
    if before is None:
        return _with_origins(now, lambda _: Origin.PRESENT)
    known = known_again(before.dice, now.dice, params)

    def origin(index: int) -> Origin:
        if index in known:
            return known[index].origin
        was_doubtful = _lay_in_doubt(before, now.dice[index])
        return Origin.PLACED if was_doubtful else Origin.THROWN

    return _with_origins(now, origin)


def known_again(
    before: Sequence[PlacedDie], now: Sequence[PlacedDie], params: TrackParams | None = None
) -> Mapping[int, Known]:
    """
    Pair the dice of two rests, same faces first, then nearest.

    Returns:
        By the index of each die of `now` that was known again, which one it was.
    """
    params = params or TrackParams()
    pairs = sorted(
        (old.face != new.face, dist(old.center_px, new.center_px) / old.edge_px, i, j)
        for i, old in enumerate(before)
        for j, new in enumerate(now)
        if old.polarity == new.polarity and old.edge_px > 0.0
    )
    known: dict[int, Known] = {}
    taken: set[int] = set()
    for is_turned, edges, i, j in pairs:
        limit = params.turned_edges if is_turned else params.kept_edges
        if edges > limit or i in taken or j in known:
            continue
        taken.add(i)
        known[j] = Known(i, Origin.TURNED if is_turned else Origin.KEPT)
    return known


def _with_origins(reading: TrayReading, origin: Callable[[int], Origin]) -> TrayReading:
    dice = (replace(die, origin=origin(index)) for index, die in enumerate(reading.dice))
    return replace(reading, dice=tuple(dice))


def _lay_in_doubt(before: TrayReading, die: DieReading) -> bool:
    return any(
        doubt.center_px is not None
        and dist(doubt.center_px, die.center_px) <= max(doubt.radius_px, die.edge_px)
        for doubt in before.doubts
    )
