# SPDX-License-Identifier: MIT
"""What entries say of kinds, keys, cameras and dice, checked as far as that can be."""
