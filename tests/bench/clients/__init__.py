# SPDX-License-Identifier: MIT
"""Who visits a table while it is measured: screens, phones, programs, players and strangers."""
