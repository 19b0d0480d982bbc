# SPDX-License-Identifier: MIT
"""Soak test: play at a real table, disturb it, and check its limits."""
