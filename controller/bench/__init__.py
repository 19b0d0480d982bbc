# SPDX-License-Identifier: MIT
"""Measurements of a machine and of the reader, for `dicebell bench`."""
