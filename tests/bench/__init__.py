# SPDX-License-Identifier: MIT
"""Benchmarks of whole tables, desks and kills: `python -m tests.bench`."""
