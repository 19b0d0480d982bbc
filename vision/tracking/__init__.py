# SPDX-License-Identifier: MIT
"""Follows the tray over time: when dice rest, which die is which, and whether it was thrown."""
