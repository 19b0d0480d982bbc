# SPDX-License-Identifier: MIT
"""The commands of `dicebell`, one a file."""
