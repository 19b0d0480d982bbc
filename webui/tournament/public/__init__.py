# SPDX-License-Identifier: MIT
"""What everybody sees of an event, players and spectators alike."""
