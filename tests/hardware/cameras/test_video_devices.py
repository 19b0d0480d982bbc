# SPDX-License-Identifier: MIT
"""The webcams of a machine, as its kernel describes their devices."""

from __future__ import annotations

import struct
from pathlib import Path

from hardware.cameras.video_devices import VideoDevice, list_video_devices

CAPTURE, METADATA, DECODER = 0x04200001, 0x04A00000, 0x04208001


def answer(card: bytes, capabilities: int) -> bytes:
    """Return what the kernel writes about a device."""
    every = capabilities | 0x80000000 | CAPTURE
    return struct.pack("=16s32s32s6I", b"uvcvideo", card, b"usb-1", 0, every, capabilities, 0, 0, 0)


def test_only_devices_that_give_pictures_are_webcams(tmp_path: Path) -> None:
    said = {
        "video0": answer(b"C920 \xc3\xa9", CAPTURE),
        "video1": answer(b"C920", METADATA),
        "video2": answer(b"", CAPTURE),
        "video10": answer(b"bcm2835-codec-decode", DECODER),
        "video11": answer(b"\xff", CAPTURE),
    }
    links = tmp_path / "v4l" / "by-id"
    links.mkdir(parents=True)
    for name in (*said, "video3"):
        (tmp_path / name).touch()
    (links / "usb-C920-index0").symlink_to(tmp_path / "video0")

    def query(device: Path) -> bytes:
        if device.name not in said:
            raise PermissionError(13, "Permission denied")
        return said[device.name]

    assert list(list_video_devices(tmp_path, query)) == [
        VideoDevice(str(links / "usb-C920-index0"), "C920 é"),
        VideoDevice(str(tmp_path / "video2"), "video2"),
        VideoDevice(str(tmp_path / "video3"), "video3: Permission denied"),
        VideoDevice(str(tmp_path / "video11"), "video11"),
    ]


def test_the_kernel_refuses_a_file_that_is_no_device(tmp_path: Path) -> None:
    (tmp_path / "video0").touch()
    (device,) = list_video_devices(tmp_path)
    assert device.label == "video0: Inappropriate ioctl for device"
    assert list(list_video_devices(tmp_path / "none")) == []
