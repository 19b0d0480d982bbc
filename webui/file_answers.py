# SPDX-License-Identifier: MIT
"""
Answer with files and pages: compressed if the client can read that, a file only if it is new to it.

A page that many open is compressed once. It holds no secret but the view of who asks, and no other
site can ask for that.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from controller.base.packed_file import PackedFile

FindHeader: TypeAlias = Callable[[str], str | None]
"""Returns a header of the request; None if it lacks it."""

_PAGE_LEVEL = 6
_MOST_PAGES = 16  # Different ones that are kept compressed.


class FileAnswer(NamedTuple):
    """What a server of any kind sends."""

    body: bytes
    status: int
    headers: dict[str, str]


def answer_packed(
    file: PackedFile, headers: Mapping[str, str], find_header: FindHeader
) -> FileAnswer:
    """Return the answer with a file and further headers, or 304 if the client has it."""
    # Weak, because the compressed content and the plain one have the same tag.
    common = {**headers, "ETag": f'W/"{file.tag}"', "Vary": "Accept-Encoding"}
    if _has_tag(find_header("If-None-Match") or "", file.tag):
        return FileAnswer(b"", 304, common)
    common["Content-Type"] = file.media_type
    if _accepts_gzip(find_header):
        return FileAnswer(file.packed, 200, {**common, "Content-Encoding": "gzip"})
    return FileAnswer(file.content, 200, common)


def pack_page(page: bytes, find_header: FindHeader) -> tuple[bytes, dict[str, str]]:
    """Return the bytes of a page for a client, and the headers that belong to them."""
    if not _accepts_gzip(find_header):
        return page, {"Vary": "Accept-Encoding"}
    return _compress_page(page), {"Vary": "Accept-Encoding", "Content-Encoding": "gzip"}


@lru_cache(maxsize=_MOST_PAGES)
def _compress_page(page: bytes) -> bytes:
    return gzip.compress(page, _PAGE_LEVEL, mtime=0)


def _accepts_gzip(find_header: FindHeader) -> bool:
    for each in (find_header("Accept-Encoding") or "").lower().split(","):
        name, _, weight = each.replace(" ", "").partition(";")
        if name in ("gzip", "*"):
            return weight not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _has_tag(header: str, tag: str) -> bool:
    tags = {each.strip().removeprefix("W/") for each in header.split(",")}
    return f'"{tag}"' in tags or "*" in tags
