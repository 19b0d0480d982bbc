# SPDX-License-Identifier: MIT
"""A text as a QR code that a telephone reads off a screen or a sheet of paper."""

from __future__ import annotations

import io

import segno

_QUIET_MODULES = 4
"""So much white belongs around a code; without it telephones do not find it."""


def code_svg(text: str) -> bytes:
    """
    Return a QR code as an SVG of its own, which fills whatever place it is given.

    An eighth of it may be hidden, by a glint or a finger, and it is still read.
    """
    drawn = io.BytesIO()
    code = segno.make(text, error="m", micro=False)
    code.save(drawn, kind="svg", border=_QUIET_MODULES, dark="#000", light="#fff", omitsize=True)
    # Whole pixels or none: edges that are blurred are what a telephone stumbles over.
    return drawn.getvalue().replace(b"<svg ", b'<svg shape-rendering="crispEdges" ', 1)
