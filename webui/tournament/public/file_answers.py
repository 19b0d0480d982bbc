# SPDX-License-Identifier: MIT
"""Answer with a file of an event: compressed if the client wants it, and only if it has changed."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from controller.tournament.results.public_files import PublicFile

MAX_AGE_S = 5  # How long a cache may show a public file without asking.
PUBLIC = {"Cache-Control": f"public, max-age={MAX_AGE_S}", "Access-Control-Allow-Origin": "*"}
LIVE = {"Cache-Control": "no-cache"}


def answer_file(request: Request, file: PublicFile, headers: Mapping[str, str]) -> Response:
    """Return a file, or 304 if the client has it."""
    # Weak, because the compressed content and the plain one have the same tag.
    tag = f'W/"{file.tag}"'
    common = {**headers, "ETag": tag, "Vary": "Accept-Encoding"}
    if _has_tag(request.headers.get("If-None-Match", ""), file.tag):
        return Response(status_code=304, headers=common)
    if _accepts_gzip(request.headers.get("Accept-Encoding", "")):
        packed = {**common, "Content-Encoding": "gzip"}
        return Response(file.packed, headers=packed, media_type=file.media_type)
    return Response(file.content, headers=common, media_type=file.media_type)


def _has_tag(header: str, tag: str) -> bool:
    tags = {each.strip().removeprefix("W/") for each in header.split(",")}
    return f'"{tag}"' in tags or "*" in tags


def _accepts_gzip(header: str) -> bool:
    for each in header.lower().split(","):
        name, _, weight = each.replace(" ", "").partition(";")
        if name in ("gzip", "*"):
            return weight not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
