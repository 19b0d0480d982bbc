# SPDX-License-Identifier: MIT
"""Write videos of kinds that OpenCV does not write."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import cast

import av
import av.video.stream

from vision.frame import Image


def write_webm(path: Path, images: Sequence[Image], *, times_ms: Sequence[int]) -> None:
    """Write a video as a browser's recorder does: without a length, with a time a frame."""
    _write(path, images, times_ms, codec="libvpx", options={"live": "1"})


def write_h264(
    path: Path,
    images: Sequence[Image],
    *,
    times_ms: Sequence[int],
    is_interlaced: bool = False,
    degrees: int = 0,
) -> None:
    """
    Write an MP4.

    Args:
        path: The file.
        images: Its frames.
        times_ms: When each is shown.
        is_interlaced: Whether every frame is stored as two fields.
        degrees: How far a player turns it, as a video from a phone that was held upright.
    """
    flags = {"flags": "+ildct+ilme", "x264-params": "tff=1"} if is_interlaced else {}
    _write(path, images, times_ms, codec="libx264", stream_options=flags, degrees=degrees)


def write_mjpeg(
    path: Path, images: Sequence[Image], *, times_ms: Sequence[int], degrees: int = 0
) -> None:
    """Write a motion JPEG, as old cameras do."""
    _write(path, images, times_ms, codec="mjpeg", pixels="yuvj420p", degrees=degrees)


def _write(
    path: Path,
    images: Sequence[Image],
    times_ms: Sequence[int],
    *,
    codec: str,
    pixels: str = "yuv420p",
    options: dict[str, str] | None = None,
    stream_options: dict[str, str] | None = None,
    degrees: int = 0,
) -> None:
    with av.open(str(path), "w", options=options or {}) as video:
        stream = cast(
            av.video.stream.VideoStream, video.add_stream(codec, 30, options=stream_options or {})
        )
        stream.height, stream.width = images[0].shape[:2]
        stream.pix_fmt = pixels
        stream.bit_rate = 2_000_000
        if degrees:
            stream.set_display_rotation(degrees)
        stream.codec_context.time_base = Fraction(1, 1000)
        for image, time_ms in zip(images, times_ms, strict=True):
            frame = av.VideoFrame.from_ndarray(image, "bgr24")
            frame.pts, frame.time_base = time_ms, Fraction(1, 1000)
            video.mux(stream.encode(frame))
        video.mux(stream.encode(None))
