# SPDX-License-Identifier: MIT
"""The journal: entries chained by their hashes, on disk before anybody sees them."""
