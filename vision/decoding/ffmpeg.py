# SPDX-License-Identifier: MIT
"""
FFmpeg's decoders, through PyAV, with every damage as an error.

The decoders run in the caller's thread, because PyAV collects their messages by thread. PyAV is
loaded on first use: it takes 17 MB, and a table with a camera does not need it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from vision.decoding.errors import DamagedError
from vision.picture_headers import MOST_PIXELS

if TYPE_CHECKING:
    from av import Packet, VideoCodecContext, VideoFrame, VideoStream
    from av.stream import Stream


def set_strict(codec: VideoCodecContext) -> None:
    """Let a decoder report damage instead of hiding it, and refuse frames that are too large."""
    codec.thread_type = "NONE"
    codec.options = {"err_detect": "explode", "max_pixels": str(MOST_PIXELS)}


def decode_packet(
    codec: VideoCodecContext, packet: Packet[VideoStream] | Packet[Stream] | None
) -> list[VideoFrame]:
    """
    Return the frames that a packet completes; `None` for the last ones.

    Raises:
        DamagedError: One of them is not whole.
    """
    with raising_damage():
        frames = codec.decode(packet)
    if (packet is not None and packet.is_corrupt) or any(frame.is_corrupt for frame in frames):
        raise DamagedError("a frame with missing parts")
    return frames


def is_whole_jpeg(data: bytes) -> bool:
    """Return whether FFmpeg decodes a JPEG without an error; it tolerates filler bytes."""
    import av

    codec = av.VideoCodecContext.create("mjpeg", "r")
    set_strict(codec)
    try:
        return bool(decode_packet(codec, av.Packet(data)) + decode_packet(codec, None))
    except DamagedError:
        return False


@contextmanager
def raising_damage() -> Iterator[None]:
    """Raise FFmpeg's errors as `DamagedError`, with its words; print nothing."""
    import av

    av.logging.set_level(av.logging.ERROR)
    # Otherwise an error that was reported before would come without its words.
    av.logging.set_skip_repeated(False)
    with av.logging.Capture() as messages:
        try:
            yield
        except av.FFmpegError as error:
            words = [message.strip() for _, _, message in messages] or [error.strerror or ""]
            raise DamagedError(words[0]) from error
