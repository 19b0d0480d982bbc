# SPDX-License-Identifier: MIT
"""The table's memory: entries bound to each other, on disk before anybody sees them."""
