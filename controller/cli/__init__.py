# SPDX-License-Identifier: MIT
"""The command line: the commands of `dicebell`, one a file."""

import os

from hardware.clock import let_libraries_read_any_clock

# Before anything imports `logging`, which asks at once.
let_libraries_read_any_clock()

# Threads would mostly wait for one another, for the matrices here are small, and take time from
# the one that reads the dice. numpy asks once, when it is first imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
