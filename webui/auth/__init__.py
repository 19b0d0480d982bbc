# SPDX-License-Identifier: MIT
"""Who may ask what of a table, from which address, and by which name of it."""
