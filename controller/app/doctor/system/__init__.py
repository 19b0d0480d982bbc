# SPDX-License-Identifier: MIT
"""The machine by itself: its Python, disk, screen, clock, port, heat and power."""
