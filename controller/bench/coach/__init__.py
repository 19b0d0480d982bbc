# SPDX-License-Identifier: MIT
"""How well the coaches know their games, and how fast they answer."""
