# SPDX-License-Identifier: MIT
"""
A table that plays by itself, and is held against the truth of its simulated tray.

`play` moves the dice and presses the buttons, `players` decide what to do, `truth` knows
what really lies in the tray and compares.
"""

from __future__ import annotations

from controller.app.autoplay.play import Autoplay, StuckError
from controller.app.autoplay.truth import Tally

__all__ = ["Autoplay", "StuckError", "Tally"]
