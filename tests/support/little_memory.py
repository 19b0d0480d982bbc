# SPDX-License-Identifier: MIT
"""`dicebell` in a process that gets little memory."""

import resource
import sys

from controller.cli.main import main

MEMORY_BYTES = 3 << 30
"""Address space that a command gets: far less than what prepared files ask for."""

if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    sys.exit(main())
