# SPDX-License-Identifier: MIT
"""The journal: entries chained by their hashes, on the disk before anyone sees their effect."""
