# SPDX-License-Identifier: MIT
"""What a set-up table knows: its empty ground, and how its own dice look there."""
