# SPDX-License-Identifier: MIT
"""Blobs between two rests: dice, groups of dice, and hands."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.tracking.motion import Grey
from vision.tracking.motion_blobs import Blob, DiePlace, MotionComparison

EDGE_PX = 14.0
FELT = np.full((180, 320), 60.0, np.float32)
ENDS = ((60.0, 60.0), (120.0, 90.0), (190.0, 50.0), (250.0, 110.0))
ON_THE_WAY = ((90.0, 120.0), (130.0, 125.0), (170.0, 110.0), (215.0, 130.0))
COMING_IN = ((140.0, 172.0), (154.0, 174.0), (168.0, 173.0), (153.0, 162.0))


def draw_dice(places: Sequence[tuple[float, float]]) -> Grey:
    """Draw dice onto the felt."""
    picture = FELT.copy()
    for place in places:
        corners = cv2.boxPoints((place, (EDGE_PX, EDGE_PX), 20.0))
        cv2.fillConvexPoly(picture, np.rint(corners).astype(np.int32), (220.0,))
    return picture


def find_blobs(*frames: Grey) -> tuple[Blob, ...]:
    """Return what the first of these frames shows: after it, dice come to their ends."""
    places = tuple(DiePlace(np.array(end), EDGE_PX) for end in ENDS)
    comparison = MotionComparison(FELT, draw_dice(ENDS), (), places)
    seen = [
        comparison.compare(frame, 0.1 * number, frames[number - 1] if number else FELT)
        for number, frame in reversed(list(enumerate(frames)))
    ]
    return seen[-1].blobs


def test_a_bunch_of_dice_that_comes_in_is_no_hand() -> None:
    [bunch] = find_blobs(draw_dice(COMING_IN), draw_dice(ON_THE_WAY))
    assert bunch.reaches_out
    assert not bunch.is_hand


def test_a_blob_that_reaches_in_and_draws_back_is_a_hand() -> None:
    [hand] = find_blobs(draw_dice(COMING_IN), FELT)
    assert hand.is_hand


def test_a_blob_larger_than_all_moving_dice_is_a_hand() -> None:
    arm = draw_dice(())
    cv2.rectangle(arm, (120, 100), (190, 179), (220.0,), -1)
    [hand] = find_blobs(arm, draw_dice(ON_THE_WAY))
    assert hand.is_hand


def test_a_finger_beside_moving_dice_with_an_arm_is_a_hand() -> None:
    arm = draw_dice(ON_THE_WAY)
    cv2.rectangle(arm, (250, 60), (310, 179), (220.0,), -1)
    [finger] = find_blobs(draw_dice(COMING_IN), arm)
    assert finger.is_hand


def test_a_place_that_was_uncovered_was_there_before() -> None:
    spot = ((100.0, 100.0),)
    [blob] = find_blobs(draw_dice(spot), draw_dice(ON_THE_WAY))
    [later] = find_blobs(draw_dice(spot), draw_dice(spot), draw_dice(ON_THE_WAY))
    assert (blob.was_still, later.is_still) == (False, True)
