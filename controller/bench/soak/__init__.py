# SPDX-License-Identifier: MIT
"""A long evening in short: a real table that is played at, disturbed, watched, and held to it."""
