# SPDX-License-Identifier: MIT
"""The page of whoever looks after the table."""
