# SPDX-License-Identifier: MIT
"""Every number by which the reader decides, with its unit, its default and its reason."""
