# SPDX-License-Identifier: MIT
"""
The command line, without the second for which choices must be shown before a confirm counts.

A page test presses as soon as the page shows what it wants to confirm, and would wait for that
second at every choice.
"""

from __future__ import annotations

import sys

from controller.cli.main import main
from controller.runtime import confirm_guard

if __name__ == "__main__":
    confirm_guard.LOOK_S = 0.0
    sys.exit(main())
