# SPDX-License-Identifier: MIT
"""Measure the time from dice at rest to their reading on the screen, by stage."""
