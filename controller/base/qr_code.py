# SPDX-License-Identifier: MIT
"""Render a text as a QR code for a screen or a sheet of paper."""

from __future__ import annotations

import io
from functools import lru_cache

import segno

_QUIET_MODULES = 4  # The white margin of a code; without it phones do not find it.


# Every screen at the table shows the same few codes.
@lru_cache(4)
def render_qr_svg(text: str, *, is_inline: bool = False) -> bytes:
    """Return a QR code as SVG that stays readable with an eighth hidden, by a glint or a finger."""
    drawn = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        drawn,
        kind="svg",
        border=_QUIET_MODULES,
        dark="#000",
        light="#fff",
        omitsize=True,
        xmldecl=not is_inline,
        svgns=not is_inline,
        nl=not is_inline,
    )
    # Whole pixels only: blurred edges make a code hard to read.
    return drawn.getvalue().replace(b"<svg ", b'<svg shape-rendering="crispEdges" ', 1)
