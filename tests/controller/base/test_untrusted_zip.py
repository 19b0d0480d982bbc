# SPDX-License-Identifier: MIT
"""Whatever is done to a zip file, it is read as it was, or refused in one line."""

from __future__ import annotations

import io
import struct
import tracemalloc
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from controller.base.errors import InputError
from controller.base.untrusted_zip import CHUNK_BYTES, MAX_PACKING, SPARE_BYTES, open_zip

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
FILES = {"journal.jsonl": b'{"kind":"roll"}\n' * 20, "empty": b""}
MOST = 1 << 30
_SIZES_AT = 20
"""Where an entry of the list of files has the size of the packed file, and then its own."""


def pack(method: int, files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def list_damaged(whole: bytes) -> Iterator[bytes]:
    """Yield a file with every byte changed, cut off, and with bytes missing."""
    for at, byte in enumerate(whole):
        for changed in (byte ^ 1, byte ^ 0xFF):
            yield whole[:at] + bytes([changed]) + whole[at + 1 :]
    for at in range(0, len(whole), 7):
        yield whole[:at]
        yield whole[:at] + whole[at + 5 :]


@pytest.mark.parametrize("method", METHODS)
def test_damage_gives_the_same_files_or_one_line(tmp_path: Path, method: int) -> None:
    path = tmp_path / "files.zip"
    refused: list[str] = []
    for content in list_damaged(pack(method, FILES)):
        path.write_bytes(content)
        try:
            with open_zip(path, "a zip file", "a whole one") as archive:
                read = {name: archive.read(name, MOST) for name in archive.entries}
        except InputError as error:
            refused.append(str(error))
        else:
            assert {name: read[name] for name in FILES if name in read}.items() <= FILES.items()
    assert len(refused) > len(pack(method, FILES)) // 2
    assert all(line.startswith(str(path)) and "\n" not in line for line in refused)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("more", [-1, 1, 100])
def test_a_file_has_the_size_that_the_list_says(tmp_path: Path, method: int, more: int) -> None:
    whole = bytearray(pack(method, {"journal.jsonl": b"dice" * 50}))
    at = whole.index(b"PK\x01\x02") + _SIZES_AT + 4
    struct.pack_into("<I", whole, at, 200 + more)
    (tmp_path / "files.zip").write_bytes(whole)
    with open_zip(tmp_path / "files.zip", "a zip file", "a whole one") as archive:
        with pytest.raises(
            InputError, match=r"journal\.jsonl: expected a whole one, found a damaged"
        ):
            archive.read("journal.jsonl", MOST)


@pytest.mark.parametrize("method", METHODS[1:])
@pytest.mark.parametrize("is_lying", [False, True])
def test_a_small_file_does_not_become_a_large_one(
    tmp_path: Path, method: int, is_lying: bool
) -> None:
    """A list of files may also say that the packed file is large."""
    size = SPARE_BYTES + CHUNK_BYTES
    whole = bytearray(pack(method, {"zeros": bytes(size)}))
    assert MAX_PACKING * len(whole) < size
    if is_lying:
        struct.pack_into("<I", whole, whole.index(b"PK\x01\x02") + _SIZES_AT, size)
    path = tmp_path / "files.zip"
    path.write_bytes(whole)
    with open_zip(path, "a zip file", "a whole one") as archive:
        with pytest.raises(InputError, match="zeros: expected files compressed at most 200 times"):
            archive.read("zeros", MOST)


def test_a_file_is_read_in_pieces(tmp_path: Path) -> None:
    path = tmp_path / "files.zip"
    path.write_bytes(pack(zipfile.ZIP_DEFLATED, {"zeros": bytes(SPARE_BYTES)}))
    tracemalloc.start()
    with open_zip(path, "a zip file", "a whole one") as archive:
        assert sum(map(len, archive.iter_chunks("zeros"))) == SPARE_BYTES
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * CHUNK_BYTES


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "files.zip"
    path.write_bytes(pack(zipfile.ZIP_DEFLATED, {"letters": b"abc"}))
    with open_zip(path, "a zip file", "a whole one") as archive:
        with pytest.raises(InputError, match="letters: expected 2 bytes at most, found 3"):
            archive.read("letters", 2)


def test_what_is_no_zip_and_what_is_in_it_twice(tmp_path: Path) -> None:
    path = tmp_path / "files.zip"
    for content, found in ((b"", "torn, or no zip file"), (b"dice" * 99, "torn, or no zip file")):
        path.write_bytes(content)
        with pytest.raises(InputError, match=f"expected a zip file, found a file that is {found}"):
            with open_zip(path, "a zip file", "a whole one"):
                pass
    path.write_bytes(pack(zipfile.ZIP_STORED, {"one": b"1", "two": b"2"}).replace(b"two", b"one"))
    with pytest.raises(InputError, match="expected each file once, found 'one' twice"):
        with open_zip(path, "a zip file", "a whole one"):
            pass
    with pytest.raises(InputError, match="found No such file"):
        with open_zip(tmp_path / "none.zip", "a zip file", "a whole one"):
            pass
