# SPDX-License-Identifier: MIT
"""A text as a QR code that a telephone reads off a screen or a sheet of paper."""

from __future__ import annotations

import io
from functools import lru_cache

import segno

_QUIET_MODULES = 4
"""So much white belongs around a code; without it telephones do not find it."""


# Every screen at the table asks for the same one.
@lru_cache(1)
def render_qr_svg(text: str, *, is_inline: bool = False) -> bytes:
    """
    Return a QR code as SVG, which fills whatever place it is given.

    An eighth of it may be hidden, by a glint or a finger, and it is still read.

    Args:
        text: What it holds.
        is_inline: Whether it is to stand in an HTML page, and not to be a file of its own.
    """
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
    # Whole pixels or none: edges that are blurred are what a telephone stumbles over.
    return drawn.getvalue().replace(b"<svg ", b'<svg shape-rendering="crispEdges" ', 1)
