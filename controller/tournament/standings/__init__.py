# SPDX-License-Identifier: MIT
"""Standings: points, match points, table points, ties, and plain values for exports."""
