# SPDX-License-Identifier: MIT
"""Answer with a file of an event: compressed if the client wants it, and only if it has changed."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response

from controller.base.packed_file import PackedFile
from webui.file_answers import answer_packed

MAX_AGE_S = 5  # How long a cache may show a public file without asking.
PUBLIC = {"Cache-Control": f"public, max-age={MAX_AGE_S}", "Access-Control-Allow-Origin": "*"}
LIVE = {"Cache-Control": "no-cache"}


def answer_file(request: Request, file: PackedFile, headers: Mapping[str, str]) -> Response:
    """Return a file, or 304 if the client has it."""
    return Response(*answer_packed(file, headers, request.headers.get))
