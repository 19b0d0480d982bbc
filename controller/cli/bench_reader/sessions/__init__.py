# SPDX-License-Identifier: MIT
"""How well the reader reads at one table for a while, and whether it reports planted faults."""
