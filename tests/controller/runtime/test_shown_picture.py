# SPDX-License-Identifier: MIT
"""Screens get every frame while dice move, and few while nothing happens."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.runtime.frame_events import FrameEvents
from controller.runtime.picture_recorder import PictureRecorder, RecentPictures
from controller.runtime.shown_picture import LONGEST_S, SHORTEST_S, ShownPicture
from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.truthful_reader import TruthfulReader
from vision.frame import Frame, Image

FPS = 10
SIZE_WH = (640, 360)


@pytest.fixture
def camera() -> Iterator[SimulatedCamera]:
    with SimulatedCamera(SteppedClock(), seed=3, size_wh=SIZE_WH, fps=FPS) as camera:
        yield camera


@pytest.fixture
def shown() -> ShownPicture:
    return ShownPicture()


def make_frame(number: int, *, light: int = 90) -> Frame:
    noise = np.random.default_rng(number).integers(0, 8, (180, 320, 3))
    image: Image = (noise + light).astype(np.uint8)
    return Frame(image, number / FPS, number)


def list_shown(shown: ShownPicture, frames: range, *, is_live: bool = False) -> list[int]:
    numbers = []
    for number in frames:
        shown.add(make_frame(number), is_live=is_live)
        numbers.append(shown.encode()[0])
    return sorted(set(numbers))


def test_every_live_frame_is_shown(shown: ShownPicture) -> None:
    assert list_shown(shown, range(5), is_live=True) == [0, 1, 2, 3, 4]


def test_no_picture_is_held_after_a_newer_one(shown: ShownPicture) -> None:
    """Who looked at it may have left; at 1280x720 it has 2.8 MB."""
    frame = make_frame(0)
    held = weakref.ref(frame.image_bgr)
    shown.add(frame, is_live=True)
    shown.encode()
    shown.encode(is_small=True)
    del frame
    shown.add(make_frame(1), is_live=True)
    assert held() is None


def test_noise_alone_is_no_new_picture(shown: ShownPicture) -> None:
    frames = range(round(LONGEST_S * FPS))
    assert list_shown(shown, frames) == [0]
    assert list_shown(shown, range(frames.stop, frames.stop + FPS))[-1] >= frames.stop


def test_a_change_at_rest_is_shown_at_most_twice_a_second(shown: ShownPicture) -> None:
    numbers = set()
    for number in range(2 * FPS):
        frame = make_frame(number)
        frame.image_bgr[number : number + 100, 50:150] = 255
        shown.add(frame, is_live=False)
        numbers.add(shown.encode()[0])
    pauses = np.diff(sorted(numbers)) / FPS
    assert len(numbers) == 4
    assert pauses.min() >= SHORTEST_S


def test_a_camera_that_was_opened_again_is_shown_at_once(shown: ShownPicture) -> None:
    shown.add(make_frame(500), is_live=False)
    shown.add(make_frame(0), is_live=False)
    assert shown.encode()[0] == 0


def test_a_small_screen_gets_half_the_width_and_height(shown: ShownPicture) -> None:
    shown.add(make_frame(3), is_live=True)
    whole, small = shown.encode(), shown.encode(is_small=True)
    assert (whole.number, whole.scale, small.number, small.scale) == (3, 1, 3, 2)
    assert decode(small.jpeg).shape == (90, 160, 3)
    assert len(small.jpeg) < len(whole.jpeg) / 2
    assert shown.encode(is_small=True) is small


def test_a_picture_of_odd_size_stays_whole(shown: ShownPicture) -> None:
    frame = make_frame(3)
    shown.add(replace(frame, image_bgr=frame.image_bgr[1:]), is_live=True)
    small = shown.encode(is_small=True)
    assert small.scale == 1
    assert decode(small.jpeg).shape == (179, 320, 3)


def decode(jpeg: bytes) -> Image:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


def test_a_throw_is_smooth_and_a_rest_is_quiet(camera: SimulatedCamera) -> None:
    events = FrameEvents(TruthfulReader(camera), PictureRecorder(RecentPictures()))

    def watch(frames: int) -> list[int]:
        numbers = []
        for _ in range(frames):
            list(events.process(camera.frame(1.0)))
            numbers.append(events.picture()[0])
        return numbers

    watch(2 * FPS)
    assert len(set(watch(10 * FPS))) <= 10 / LONGEST_S + 1
    camera.throw()
    rolling = watch(FPS)
    assert len(set(rolling)) >= FPS - 3, "while dice roll, nearly every frame is shown"
