# SPDX-License-Identifier: MIT
"""Choice: its rules, jokers, sheet and notation."""
