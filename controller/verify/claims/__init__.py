# SPDX-License-Identifier: MIT
"""Checks of what entries say of kinds, keys, cameras and dice."""
