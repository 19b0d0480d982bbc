# SPDX-License-Identifier: MIT
"""Draws of who meets whom, seeded by real dice; docs/draws.md describes every step."""
