# SPDX-License-Identifier: MIT
"""Benchmarks of what is known of dice and of play: fair dice, and the coach."""
