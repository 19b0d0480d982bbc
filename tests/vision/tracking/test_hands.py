# SPDX-License-Identifier: MIT
"""Which large blobs at the edge of the picture are confirmed as hands."""

from __future__ import annotations

import numpy as np
import pytest

from vision.tracking.hands import confirm_hands, is_hand_near
from vision.tracking.motion_blobs import Blob, DiePlace, FrameBlobs


def make_blob(*, areas: float = 8.0, is_certain: bool = False) -> Blob:
    return Blob(
        np.array([5.0, 5.0]),
        areas,
        is_still=False,
        was_still=False,
        is_hand=True,
        reaches_out=True,
        is_certain=is_certain,
    )


def make_frame(at_s: float, *blobs: Blob, is_blind: bool = False) -> FrameBlobs:
    labels = np.zeros((40, 60), np.uint16)
    labels[:10, :10] = 1 if blobs else 0
    return FrameBlobs(at_s, labels, blobs, (), (), (), is_blind=is_blind)


def show_confirmed(shows: str, fps: float, *, is_certain: bool = False) -> list[str]:
    """Return what each frame shows, oldest first: a hand, perhaps one, or nothing like it."""
    hands = {"h": (make_blob(is_certain=is_certain),), ".": ()}
    frames = [make_frame(number / fps, *hands[char]) for number, char in enumerate(shows)]
    found = list(confirm_hands(reversed(frames)))[::-1]
    return [
        "".join("h" if each.is_hand else "?" if each.may_be_hand else "-" for each in one.blobs)
        for one in found
    ]


def test_a_blob_that_stays_is_a_hand() -> None:
    assert show_confirmed("..hhhhhhh..", 30.0)[2:9] == ["h"] * 7


@pytest.mark.parametrize("is_certain", [False, True])
def test_a_blob_of_three_frames_is_no_hand(is_certain: bool) -> None:
    assert show_confirmed("..hhh..", 30.0, is_certain=is_certain)[2:5] == ["-"] * 3


@pytest.mark.parametrize(("is_certain", "found"), [(False, "?"), (True, "h")])
def test_with_few_frames_only_the_size_confirms_a_hand(is_certain: bool, found: str) -> None:
    assert show_confirmed("..h..", 6.0, is_certain=is_certain)[2] == found


def test_a_hand_that_is_still_there_at_rest_is_confirmed() -> None:
    assert show_confirmed("...hh", 30.0)[3:] == ["h", "h"]


def test_frames_with_a_covered_view_are_left_out() -> None:
    frames = [make_frame(0.3), make_frame(0.2, is_blind=True), make_frame(0.1)]
    assert [one.at_s for one in confirm_hands(frames)] == [0.3, 0.1]


def test_a_hand_may_be_farther_away_if_frames_are_missing() -> None:
    place = DiePlace(np.array([30.0, 5.0]), 10.0)
    frame = make_frame(0.0, make_blob())
    assert not is_hand_near(frame, place, 1.0 / 30.0)
    assert is_hand_near(frame, place, 0.2)
