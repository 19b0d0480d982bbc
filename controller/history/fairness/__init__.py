# SPDX-License-Identifier: MIT
"""Whether dice are fair: tests that may be looked at as often as one likes."""
