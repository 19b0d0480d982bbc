# SPDX-License-Identifier: MIT
"""Who may do what at a table: the PIN, the code for phones, and how often somebody may try."""
