# SPDX-License-Identifier: MIT
"""What positions of Choice are worth, with and without jokers."""
