# SPDX-License-Identifier: MIT
"""
Which of the large things at the edge of the picture are hands.

A bunch of dice that flies in fast is blurred, and as large as a hand. Time separates them:
a hand that sets a die stays in the picture for some tenths of a second, dice need two or
three frames. If frames are missing, neither is certain. Then only the size is evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from vision.tracking.motion_blobs import Blob, DiePlace, FrameBlobs


@dataclass(frozen=True, slots=True)
class HandParams:
    """
    How long a hand stays, and how near it is to a die that it sets. Lengths are in edges.

    Attributes:
        least_s: What is seen for at least this time is a hand.
        most_flight_s: What was there for less than this, at most, is no hand.
        near_edges: The hand is seen at most this far from the middle of the die that it sets.
        near_edges_s: And this much farther, times the time between the frames.
        around_s: It is seen there at most this long before the die lies there.
    """

    least_s: float = 0.15
    most_flight_s: float = 0.2
    near_edges: float = 1.5
    near_edges_s: float = 15.0
    around_s: float = 0.5


def confirm_hands(frames: Iterable[FrameBlobs], params: HandParams) -> Iterator[FrameBlobs]:
    """
    Yield the frames with `is_hand` only on what stayed as long as a hand.

    Frames on which something covers the view are left out: they show nothing.

    Args:
        frames: The newest first.
        params: How long a hand stays.
    """
    run: list[FrameBlobs] = []
    newer_s: float | None = None
    is_confirmed = False
    for seen in frames:
        if seen.is_blind:
            continue
        if not any(blob.is_hand for blob in seen.blobs):
            yield from _reconsider_run(run, newer_s, seen.at_s, params)
            run, newer_s, is_confirmed = [], seen.at_s, False
            yield seen
            continue
        run.append(seen)
        is_confirmed |= newer_s is None or run[0].at_s - seen.at_s >= params.least_s
        if is_confirmed:
            # Do not keep a hand's frames: it may stay for seconds.
            yield from run
            run = []
    yield from _reconsider_run(run, newer_s, None, params)


def _reconsider_run(
    run: list[FrameBlobs], newer_s: float | None, older_s: float | None, params: HandParams
) -> Iterator[FrameBlobs]:
    """Yield the few consecutive frames with something like a hand, without what is none."""
    if not run or newer_s is None:
        yield from run
        return
    most_s = newer_s - (run[-1].at_s if older_s is None else older_s)
    is_flight = most_s < params.most_flight_s
    for seen in run:
        blobs = (_reconsider_blob(blob, is_flight=is_flight) for blob in seen.blobs)
        yield replace(seen, blobs=tuple(blobs))


def _reconsider_blob(blob: Blob, *, is_flight: bool) -> Blob:
    if not blob.is_hand or (blob.is_certain and not is_flight):
        return blob
    return replace(blob, is_hand=False, may_be_hand=not is_flight)


def is_hand_near(seen: FrameBlobs, place: DiePlace, gap_s: float, params: HandParams) -> bool:
    """Return whether a hand is near enough to a place to set a die there around this frame."""
    reach_px = (params.near_edges + params.near_edges_s * gap_s) * place.edge_px
    return any(
        blob.is_hand and seen.nearest(index, place.middle_px, reach_px) is not None
        for index, blob in enumerate(seen.blobs)
    )
