# SPDX-License-Identifier: MIT
"""The index of the journal: its games, read by the rules and kept in a database."""
