# SPDX-License-Identifier: MIT
"""
What the box's own screen shows to people who do not play yet.

While the table is not in use, a demonstration game plays itself there. A table that was never used
offers a guide to its first roll.
"""
