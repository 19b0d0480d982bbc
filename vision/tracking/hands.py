# SPDX-License-Identifier: MIT
"""
Decide which large blobs at the picture's border are hands.

Dice that fly in together are blurred, and as large as a hand. Time separates them: a hand
stays for tenths of a second, dice need two or three frames. If frames are missing, only the
size is evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from vision.tracking.motion_blobs import DiePlace, FrameBlobs

# How long a hand stays, and how near it is to a die that it sets. Lengths are in edges.
HAND_LEAST_S = 0.15  # A blob that stays for at least this time is a hand.
_MOST_FLIGHT_S = 0.2  # A blob that stayed for less than this is no hand.
_NEAR_EDGES = 1.5  # Largest distance from the hand to the middle of the die that it sets.
_NEAR_EDGES_S = 15.0  # Growth of that distance with the time between frames.
HAND_AROUND_S = 0.5  # How long before the rest the hand is seen there at most.


def confirm_hands(frames: Iterable[FrameBlobs]) -> Iterator[FrameBlobs]:
    """
    Yield the frames, backwards, with `is_hand` only on blobs that stayed as long as a hand.

    Frames with a covered view are dropped.
    """
    run: list[FrameBlobs] = []
    newer_s: float | None = None
    is_confirmed = False
    for frame in frames:
        if frame.is_blind:
            continue
        if not any(blob.is_hand for blob in frame.blobs):
            yield from _reconsider_run(run, newer_s, frame.at_s)
            run, newer_s, is_confirmed = [], frame.at_s, False
            yield frame
            continue
        run.append(frame)
        is_confirmed |= newer_s is None or run[0].at_s - frame.at_s >= HAND_LEAST_S
        if is_confirmed:
            # A hand may stay for seconds, so its frames are not collected.
            yield from run
            run = []
    yield from _reconsider_run(run, newer_s, None)


def _reconsider_run(
    run: list[FrameBlobs], newer_s: float | None, older_s: float | None
) -> Iterator[FrameBlobs]:
    """Yield consecutive frames with possible hands, decided by how long they stayed."""
    if not run or newer_s is None:
        yield from run
        return
    most_s = newer_s - (run[-1].at_s if older_s is None else older_s)
    is_flight = most_s < _MOST_FLIGHT_S
    for frame in run:
        blobs = (
            replace(blob, is_hand=False, may_be_hand=not is_flight)
            if blob.is_hand and (is_flight or not blob.is_certain)
            else blob
            for blob in frame.blobs
        )
        yield replace(frame, blobs=tuple(blobs))


def is_hand_near(frame: FrameBlobs, place: DiePlace, gap_s: float) -> bool:
    """Return whether a hand is near enough to set a die at a position."""
    reach_px = (_NEAR_EDGES + _NEAR_EDGES_S * gap_s) * place.edge_px
    return any(
        blob.is_hand and frame.nearest_pixel(index, place.middle_px, reach_px) is not None
        for index, blob in enumerate(frame.blobs)
    )
