# SPDX-License-Identifier: MIT
"""
Read videos frame by frame, each with its time stamp.

A frame is whole, or it is an error and the last one: later frames are built on it. One of a motion
JPEG that is skipped is not looked at. Only regular files are opened: a pipe or a device may have no
end.
"""

from __future__ import annotations

import stat
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from vision.decoding.errors import (
    DamagedError,
    PictureError,
    TornVideoError,
    describe_error,
    require_few_pixels,
)
from vision.decoding.ffmpeg import decode_packet, raising_damage, set_strict
from vision.decoding.jpeg import decode_jpeg
from vision.frame import Frame, Image

if TYPE_CHECKING:
    from av import Packet, VideoCodecContext, VideoFrame, VideoStream
    from av.container import InputContainer
    from av.video.reformatter import VideoReformatter

LEAST_VIDEO_PX, MOST_VIDEO_ASPECT = 24, 8
"""The shortest side of a video, and the longest side in shorter ones."""

_USUAL_FPS = 30.0
_MISSING_S = 0.5  # A video may end this much before the length in its header: sound may be longer.


@dataclass(frozen=True, slots=True)
class VideoLength:
    frames: int
    fps: float  # Frames a second, on average.


def measure_video(path: Path) -> VideoLength:
    """
    Return the length of a video: from its header, or else by counting.

    Raises:
        PictureError: The file cannot be read or is no video.
    """
    with _open(path) as video:
        stream = video.streams.video[0]
        count = stream.frames
        if not count:
            with suppress(DamagedError):
                count = sum(1 for packet in _packets(video) if packet.size)
        return VideoLength(max(count, 1), _fps(stream))


@dataclass(frozen=True, slots=True)
class StoredFrame:
    """
    A frame as a video stores it; its conversion takes as long as its decoding.

    One that no other frame is built on is decoded only by its conversion.
    """

    path: Path
    to_image: Callable[[], Image]
    at_s: float
    number: int

    def convert(self) -> Frame:
        """
        Return the frame with its picture, before the next one is asked for.

        Raises:
            TornVideoError: It is damaged.
        """
        with _naming_damage(self.path, self.number):
            return Frame(self.to_image(), self.at_s, self.number)


def read_video(path: Path) -> Generator[Frame, None, None]:
    """
    Yield the frames of a video in order, with times from 0 by their time stamps.

    Raises:
        PictureError: The file cannot be read or is no video.
        TornVideoError: It ends before its end, or a frame is damaged.
    """
    with closing(decode_video(path)) as frames:
        for frame in frames:
            yield frame.convert()


def decode_video(path: Path) -> Generator[StoredFrame, None, None]:
    """As `read_video`, for a caller who skips frames."""
    with _open(path) as video:
        number, at_s = 0, 0.0
        first_s: float | None = None
        period_s = 1 / _fps(video.streams.video[0])
        frames = _decode(video, path)
        while True:
            with _naming_damage(path, number):
                stored = next(frames, None)
            if stored is None:
                return
            stamp_s, to_image = stored
            time_s = at_s + period_s if stamp_s is None else stamp_s
            first_s = time_s if first_s is None else first_s
            # A stamp that goes back says nothing.
            at_s = max(at_s, time_s - first_s)
            yield StoredFrame(path, to_image, at_s, number)
            number += 1


@contextmanager
def _naming_damage(path: Path, number: int) -> Iterator[None]:
    try:
        yield
    except DamagedError as error:
        raise TornVideoError(path, expected=f"a whole frame {number}", found=str(error)) from error


def _open(path: Path) -> InputContainer:
    import av

    expected = "a video"
    try:
        about = path.stat()
    except OSError as error:
        raise PictureError(path, expected=expected, found=describe_error(error)) from error
    if not stat.S_ISREG(about.st_mode):
        raise PictureError(path, expected=expected, found="no regular file")
    if about.st_size == 0:
        raise PictureError(path, expected=expected, found="an empty file")
    try:
        with raising_damage():
            # FFmpeg takes a name like "a:b" for an address; an absolute one is none.
            video = av.open(str(path.absolute()))
    except DamagedError as error:
        raise PictureError(path, expected=expected, found=f"none ({error})") from error
    try:
        if not video.streams.video:
            raise PictureError(path, expected=expected, found="a file without pictures")
        codec = video.streams.video[0].codec_context
        _require_size(path, codec.width, codec.height)
        set_strict(codec)
    except PictureError:
        video.close()
        raise
    return video


def _require_size(path: Path, width: int, height: int) -> None:
    require_few_pixels(path, width, height)
    # A narrower one has no rows or columns left in the small copies that show motion.
    if min(width, height) < max(LEAST_VIDEO_PX, max(width, height) / MOST_VIDEO_ASPECT):
        expected = f"a video of {LEAST_VIDEO_PX} pixels or more, no side {MOST_VIDEO_ASPECT} times"
        found = f"{width} x {height}"
        raise PictureError(path, expected=f"{expected} the other", found=found)


def _fps(stream: VideoStream) -> float:
    return float(stream.average_rate or stream.guessed_rate or _USUAL_FPS)


def _packets(video: InputContainer) -> Iterator[Packet[VideoStream]]:
    """Yield the packets of the frames, and an empty one that ends the decoding."""
    packets = video.demux(video.streams.video[0])
    while True:
        with raising_damage():
            packet = next(packets, None)
        if packet is None:
            return
        yield packet


def _decode(
    video: InputContainer, path: Path
) -> Iterator[tuple[float | None, Callable[[], Image]]]:
    """Yield each frame's time and what returns its picture; damage or an early end is an error."""
    from av.video.reformatter import VideoReformatter

    codec = video.streams.video[0].codec_context
    converter = VideoReformatter()  # Made once: it starts threads.
    jpegs = _MotionJpeg(codec, converter)
    count, end_s = 0, 0.0
    for packet in _packets(video):
        if packet.pts is not None:
            end_s = float((packet.pts + (packet.duration or 0)) * packet.time_base)
        # An empty one before the last repeats a frame; to a decoder it would be the end.
        is_last = not packet.size and packet.dts is None
        if packet.size and codec.name == "mjpeg":
            stamp_s = None if packet.pts is None else float(packet.pts * packet.time_base)
            yield stamp_s, partial(jpegs.decode, packet)
        elif packet.size or is_last:
            for frame in decode_packet(codec, packet):
                yield frame.time, partial(_to_image, frame, converter)
        count += not is_last
    promised, length_s = video.streams.video[0].frames, (video.duration or 0) / 1e6
    # Some containers only have a duration, which may round up by a frame.
    if count == 0 or count < promised - 1:
        expected = f"{promised or 'some'} frames"
        raise TornVideoError(path, expected=expected, found=f"the end after {count}")
    # Of Matroska's formats the duration is in the header; of others it may be a guess.
    if not promised and "matroska" in video.format.name and end_s < length_s - _MISSING_S:
        expected = f"a video of {length_s:.1f} s"
        raise TornVideoError(path, expected=expected, found=f"the end after {end_s:.1f} s")


class _MotionJpeg:
    """
    The pictures of a motion JPEG.

    libjpeg-turbo takes half of FFmpeg's time. But FFmpeg alone knows of a rotation, of two fields
    in a picture, and of a smaller range of brightness. The first picture shows if there is one.
    """

    def __init__(self, codec: VideoCodecContext, converter: VideoReformatter) -> None:
        self._codec = codec
        self._converter = converter
        self._is_plain: bool | None = None

    def decode(self, packet: Packet[VideoStream]) -> Image:
        """Return the picture of a packet; DamagedError if it is not whole."""
        image = decode_jpeg(bytes(packet))
        if self._is_plain:
            return image
        frames = decode_packet(self._codec, packet)
        if not frames:
            raise DamagedError("a packet without a frame")
        if self._is_plain is None:
            self._is_plain = self._shows_as_stored(frames[0], image)
        return image if self._is_plain else _to_image(frames[0], self._converter)

    def _shows_as_stored(self, frame: VideoFrame, image: Image) -> bool:
        """Return whether the picture of the JPEG is the one that FFmpeg shows."""
        from av.video.reformatter import ColorRange

        size_as_stored = (frame.height, frame.width) == image.shape[:2]
        return size_as_stored and not frame.rotation and frame.color_range == ColorRange.JPEG


def _to_image(decoded: VideoFrame, converter: VideoReformatter) -> Image:
    """Return a frame upright, by the rotation that a phone has stored."""
    with raising_damage():
        image = converter.reformat(decoded, format="bgr24").to_ndarray()
    return np.ascontiguousarray(np.rot90(image, decoded.rotation // 90), np.uint8)
