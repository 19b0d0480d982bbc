# SPDX-License-Identifier: MIT
"""
Serve a disk that can lose power as a real one does: what was not flushed may be gone.

QEMU reaches it by the NBD protocol. In an SD card a write lies in a cache until it is flushed. So a
disk can record what it is told; afterwards another one becomes what a power cut at some point of
that record leaves. Of the writes since the last flush chance keeps some, and later ones may survive
earlier ones. One play gives as many power cuts as wanted.

The image itself is never changed, so every scenario starts from the same disk.
"""

from __future__ import annotations

import contextlib
import os
import random
import socket
import struct
import tempfile
import threading
from pathlib import Path
from typing import TypeAlias

BLOCK = 4096

_OPTION_MAGIC = b"IHAVEOPT"
_OPTION_REPLY = 0x3E889045565A9
_EXPORT_NAME, _GO = 1, 7
_ACK, _INFO, _UNSUPPORTED = 1, 3, (1 << 31) + 1
_HAS_FLAGS, _CAN_FLUSH = 1, 4
_READ, _WRITE, _DISCONNECT, _FLUSH = range(4)
_REQUEST, _REPLY = 0x25609513, 0x67446698


Record: TypeAlias = list[tuple[int, bytes] | None]
"""What a disk is told, in order: the number and content of a block; None for a flush."""


class Disk:
    """
    A disk on top of an image.

    Attributes:
        address: Path of the Unix socket at which QEMU finds it.
        record: Gets all that it is told.
    """

    def __init__(self, image: Path, folder: Path) -> None:
        self.address = folder / "disk.socket"
        self.record: Record | None = None
        self._image = os.open(image, os.O_RDONLY)
        self._size = image.stat().st_size
        self._changed_file = tempfile.TemporaryFile(dir=folder)
        self._changed: set[int] = set()
        self.address.unlink(missing_ok=True)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.address))
        self._listener.listen(1)
        self._is_idle = threading.Event()
        self._is_idle.set()
        threading.Thread(target=self._serve, name="disk", daemon=True).start()

    def close(self) -> None:
        """Free everything, after QEMU has ended."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._is_idle.wait()
        self._changed_file.close()
        os.close(self._image)

    def lose_power(self, record: Record, rng: random.Random) -> tuple[int, int]:
        """
        Become the disk whose power was cut when it had been told just this.

        Returns how many blocks were written since the last flush, and how many of them are lost.
        """
        cached: list[tuple[int, bytes]] = []
        for told in record:
            if told is not None:
                cached.append(told)
                continue
            self._store_all(cached)
            cached = []
        # Anything from an empty cache to a full one may have reached the disk.
        share = rng.random()
        kept = [write for write in cached if rng.random() < share]
        self._store_all(kept)
        return len(cached), len(cached) - len(kept)

    def save(self, path: Path) -> None:
        """Write all that differs from the image to a file, after QEMU has ended."""
        self._is_idle.wait()
        with path.open("wb") as file:
            for block in sorted(self._changed):
                file.write(struct.pack(">Q", block) + self._read_block(block))

    def load(self, path: Path) -> None:
        """Become the disk that was saved."""
        with path.open("rb") as file:
            while number := file.read(8):
                self._store(struct.unpack(">Q", number)[0], file.read(BLOCK))

    def _serve(self) -> None:
        while True:
            try:
                line, _ = self._listener.accept()
            except OSError:
                return
            self._is_idle.clear()
            # QEMU is killed at any moment, also in the middle of a request.
            with line, contextlib.suppress(ConnectionError):
                if self._negotiate(line):
                    self._answer_requests(line)
            self._is_idle.set()

    def _negotiate(self, line: socket.socket) -> bool:
        line.sendall(b"NBDMAGIC" + _OPTION_MAGIC + struct.pack(">H", 3))
        _receive(line, 4)
        export = struct.pack(">QH", self._size, _HAS_FLAGS | _CAN_FLUSH)
        while True:
            option, length = struct.unpack(">II", _receive(line, 16)[8:])
            _receive(line, length)
            if option == _EXPORT_NAME:
                line.sendall(export)
                return True
            if option != _GO:
                line.sendall(struct.pack(">QIII", _OPTION_REPLY, option, _UNSUPPORTED, 0))
                continue
            line.sendall(struct.pack(">QIII", _OPTION_REPLY, option, _INFO, 12) + b"\0\0" + export)
            line.sendall(struct.pack(">QIII", _OPTION_REPLY, option, _ACK, 0))
            return True

    def _answer_requests(self, line: socket.socket) -> None:
        while True:
            magic, _, kind, handle, offset, length = struct.unpack(">IHHQQI", _receive(line, 28))
            assert magic == _REQUEST
            answer = b""
            if kind == _READ:
                answer = self._read(offset, length)
            elif kind == _WRITE:
                self._write(offset, _receive(line, length))
            elif kind == _FLUSH and self.record is not None:
                self.record.append(None)
            elif kind == _DISCONNECT:
                return
            line.sendall(struct.pack(">IIQ", _REPLY, 0, handle) + answer)

    def _read(self, offset: int, length: int) -> bytes:
        blocks = range(offset // BLOCK, (offset + length - 1) // BLOCK + 1)
        if self._changed.isdisjoint(blocks):
            return os.pread(self._image, length, offset)
        whole = b"".join(map(self._read_block, blocks))
        start = offset % BLOCK
        return whole[start : start + length]

    def _read_block(self, block: int) -> bytes:
        file = self._changed_file.fileno() if block in self._changed else self._image
        return os.pread(file, BLOCK, block * BLOCK)

    def _write(self, offset: int, data: bytes) -> None:
        end = offset + len(data)
        start = offset - offset % BLOCK
        while start < end:
            first, last = max(start, offset), min(start + BLOCK, end)
            part = data[first - offset : last - offset]
            if len(part) < BLOCK:
                before = self._read_block(start // BLOCK)
                part = before[: first - start] + part + before[last - start :]
            self._store(start // BLOCK, part)
            if self.record is not None:
                self.record.append((start // BLOCK, part))
            start += BLOCK

    def _store_all(self, writes: list[tuple[int, bytes]]) -> None:
        for block, data in writes:
            self._store(block, data)

    def _store(self, block: int, data: bytes) -> None:
        os.pwrite(self._changed_file.fileno(), data, block * BLOCK)
        self._changed.add(block)


def _receive(line: socket.socket, length: int) -> bytes:
    """Return exactly so many bytes."""
    data = bytearray()
    while len(data) < length:
        part = line.recv(length - len(data))
        if not part:
            raise ConnectionResetError
        data += part
    return bytes(data)
