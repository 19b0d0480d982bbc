# SPDX-License-Identifier: MIT
"""Finished games to look at again: step by step on a page, and as files to take along."""
