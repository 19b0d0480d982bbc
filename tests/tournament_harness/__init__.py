# SPDX-License-Identifier: MIT
"""Evenings of a tournament in which everything breaks that may; see `__main__`."""
