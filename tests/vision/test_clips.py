# SPDX-License-Identifier: MIT
"""A ring of small frames has an end in time and memory, and becomes a film that plays."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from vision.clips import ClipRing, encode_motion_jpeg
from vision.decoding.videos import read_video
from vision.frame import Image
from vision.image_files import encode_jpeg


def shade(level: int, wh: tuple[int, int] = (64, 48)) -> Image:
    return np.full((wh[1], wh[0], 3), level, np.uint8)


def shown(clip: bytes, folder: Path) -> list[int]:
    """Return the shades of a film's frames, as a player decodes them."""
    path = folder / "clip.avi"
    path.write_bytes(clip)
    return [round(float(frame.image_bgr.mean())) for frame in read_video(path)]


def fill_ring(ring: ClipRing, levels: range, *, every_s: float = 0.1) -> ClipRing:
    for level in levels:
        ring.add(level * every_s, partial(shade, level))
    return ring


def test_a_film_shows_the_frames_since_then_in_their_order(tmp_path: Path) -> None:
    ring = fill_ring(ClipRing(), range(0, 15))
    assert shown(ring.make_clip(0.45), tmp_path) == pytest.approx(list(range(5, 15)), abs=1)


def test_the_oldest_fall_out(tmp_path: Path) -> None:
    ring = fill_ring(ClipRing(), range(0, 200), every_s=0.125)
    assert shown(ring.make_clip(0.0), tmp_path) == pytest.approx(list(range(151, 200)), abs=1)


def test_the_ring_never_exceeds_its_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.clips._MOST_BYTES", 50_000)
    ring, rng = ClipRing(), np.random.default_rng(1)

    def noise() -> Image:
        return rng.integers(0, 255, (96, 128, 3), np.uint8)

    for number in range(100):
        ring.add(number * 0.06, noise)
        assert ring.held_bytes <= 50_000
    assert ring.held_bytes > 25_000


def test_a_fast_camera_is_not_encoded_faster_than_asked() -> None:
    made: list[float] = []
    ring = ClipRing()

    def show(at_s: float) -> Image:
        made.append(at_s)
        return shade(9)

    for number in range(60):
        ring.add(number / 60.0, partial(show, number / 60.0))
    assert len(made) == 15  # each fourth of sixty: the first that is nearly due is taken


def test_the_last_frame_is_taken_in_any_case(tmp_path: Path) -> None:
    ring = fill_ring(ClipRing(), range(0, 5))
    ring.add(0.41, lambda: shade(200), is_last=True)
    assert shown(ring.make_clip(0.0), tmp_path)[-1] == pytest.approx(200, abs=1)


def test_frames_of_another_size_are_not_in_the_same_film(tmp_path: Path) -> None:
    ring = fill_ring(ClipRing(), range(0, 5))
    for number in range(5, 10):
        ring.add(number * 0.1, lambda: shade(77, (32, 24)))
    assert shown(ring.make_clip(0.0), tmp_path) == [77] * 5


def test_a_camera_opened_again_clears_the_ring() -> None:
    ring = fill_ring(ClipRing(), range(5, 15))
    ring.add(0.0, lambda: shade(1))
    assert ring.make_clip(0.0) == b""


@pytest.mark.parametrize("levels", [range(0, 0), range(0, 1)])
def test_fewer_than_two_frames_are_no_film(levels: range) -> None:
    assert fill_ring(ClipRing(), levels).make_clip(0.0) == b""


def test_the_same_frames_make_the_same_file() -> None:
    one, other = (fill_ring(ClipRing(), range(0, 15)).make_clip(0.3) for _ in range(2))
    assert one == other


def test_a_clip_lasts_as_long_as_its_frames(tmp_path: Path) -> None:
    frames = [encode_jpeg(shade(level)) for level in range(0, 100, 10)]
    path = tmp_path / "clip.avi"
    path.write_bytes(encode_motion_jpeg(frames, (64, 48), frame_us=80_000))
    times_s = [frame.at_s for frame in read_video(path)]
    assert times_s == pytest.approx([0.08 * number for number in range(10)], abs=1e-3)


def test_every_length_in_the_file_is_right() -> None:
    frames = [encode_jpeg(shade(level)) + b"\0" * (level % 2) for level in range(5)]
    film = encode_motion_jpeg(frames, (64, 48), frame_us=100_000)
    assert int.from_bytes(film[4:8], "little") == len(film) - 8
    index = film.index(b"idx1") + 8
    movi = film.index(b"movi")
    for number, frame in enumerate(frames):
        line = film[index + 16 * number : index + 16 * (number + 1)]
        at, size = (int.from_bytes(line[i : i + 4], "little") for i in (8, 12))
        assert film[movi + at : movi + at + 4] == b"00dc"
        assert film[movi + at + 8 : movi + at + 8 + size] == frame


@pytest.mark.parametrize(("count", "frame_us"), [(0, 100), (2, 0)])
def test_no_film_of_nothing(count: int, frame_us: int) -> None:
    with pytest.raises(ValueError, match="expected frames and a time"):
        encode_motion_jpeg([b"x"] * count, (64, 48), frame_us=frame_us)
