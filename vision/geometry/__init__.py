# SPDX-License-Identifier: MIT
"""The geometric opinion: pips as ellipses, lying as a number's pips lie, on an even body."""
