# SPDX-License-Identifier: MIT
"""The table's side of a tournament: it sends its journal while play goes on."""
