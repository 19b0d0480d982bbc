# SPDX-License-Identifier: MIT
"""Classify dice at rest: which of them are new, and whether they are a roll."""
