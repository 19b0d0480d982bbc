# SPDX-License-Identifier: MIT
"""Black'n'White: its rules, its rounds and its notation."""
