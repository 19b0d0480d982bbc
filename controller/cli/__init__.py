# SPDX-License-Identifier: MIT
"""The command line: the commands of `dicebell`, one a file."""
