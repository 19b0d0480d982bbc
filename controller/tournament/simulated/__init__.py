# SPDX-License-Identifier: MIT
"""Simulated phones that join an event and play, for demonstrations and benchmarks."""
