# SPDX-License-Identifier: MIT
"""Würfelspiel: its rules, sheet and notation."""
