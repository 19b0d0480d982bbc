# SPDX-License-Identifier: MIT
"""What the choices of the field cost against the best ones: a statistic of games that are over."""
