# SPDX-License-Identifier: MIT
"""The accounts of a table's games: computed beside play, kept, and shown in words."""
