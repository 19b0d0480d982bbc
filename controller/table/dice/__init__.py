# SPDX-License-Identifier: MIT
"""What dice at rest mean to a table: which lay there before, and whether they are a roll."""
