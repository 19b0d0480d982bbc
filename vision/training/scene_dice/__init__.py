# SPDX-License-Identifier: MIT
"""The dice of the scenes: their shape, the layout of their pips, and what they are made of."""
