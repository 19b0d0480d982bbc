# SPDX-License-Identifier: MIT
"""Over time: when the dice lie still, which die is which, and whether it was thrown."""
