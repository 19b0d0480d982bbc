# SPDX-License-Identifier: MIT
"""Learning what the coach knows; a table plays without any of it."""
