# SPDX-License-Identifier: MIT
"""What spectators get of an event: its texts, its results, its snapshots."""
