# SPDX-License-Identifier: MIT
"""
List the webcams of this machine.

A webcam has several devices: one gives pictures, another describes them. The kernel says which is
which, and how the maker calls the camera, also while another program uses it.
"""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

# Of linux/videodev2.h: driver, card, bus, version, all capabilities, those of this device.
_CAPABILITY = struct.Struct("=16s32s32sIII12x")
_QUERY = 0x80685600
_CAPTURES, _CONVERTS = 0x00000001, 0x00008000


@dataclass(frozen=True, slots=True)
class VideoDevice:
    """A webcam."""

    path: str  # By its maker and port if there is such a link; it stays the same after a restart.
    label: str  # As its maker calls it; as its device, and why the kernel says nothing.


def query_device(path: Path) -> bytes:
    """
    Return what the kernel says about a device.

    Raises:
        OSError: It cannot be opened, or it is no video device.
    """
    device = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    try:
        return bytes(fcntl.ioctl(device, _QUERY, bytes(_CAPABILITY.size)))
    finally:
        os.close(device)


def list_video_devices(
    dev: Path = Path("/dev"), query: Callable[[Path], bytes] = query_device
) -> Iterator[VideoDevice]:
    """Yield the webcams in the order of their numbers, also those that may not be opened."""
    links = {link.resolve(): link for link in sorted((dev / "v4l/by-id").glob("*"))}
    for device in sorted(dev.glob("video[0-9]*"), key=lambda path: (len(path.name), path.name)):
        path = str(links.get(device.resolve(), device))
        try:
            _, card, _, _, _, capabilities = _CAPABILITY.unpack(query(device))
        except OSError as error:
            yield VideoDevice(path, f"{device.name}: {error.strerror}")
            continue
        if capabilities & _CAPTURES and not capabilities & _CONVERTS:
            label = device.name
            with suppress(UnicodeDecodeError):
                label = card.partition(b"\0")[0].decode().strip() or label
            yield VideoDevice(path, label)
