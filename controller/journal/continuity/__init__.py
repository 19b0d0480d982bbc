# SPDX-License-Identifier: MIT
"""Check that a journal continues: the signed checkpoint, a restored backup, the passed time."""
