# SPDX-License-Identifier: MIT
"""Lists of an event that people take to other programs and bring back: players, and results."""
