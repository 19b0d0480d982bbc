# SPDX-License-Identifier: MIT
"""The memory of a table: an index of its journal, and what it knows of games and players."""
