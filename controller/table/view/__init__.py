# SPDX-License-Identifier: MIT
"""What a screen shows of a table: the shape of it, and how it is made from the state."""
