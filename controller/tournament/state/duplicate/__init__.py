# SPDX-License-Identifier: MIT
"""Duplicate games: everybody plays the rolls of one table, each on a sheet of their own."""
