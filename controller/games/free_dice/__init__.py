# SPDX-License-Identifier: MIT
"""Just dice: any number of dice, and no rules."""
