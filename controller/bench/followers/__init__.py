# SPDX-License-Identifier: MIT
"""Programs and pages that follow a table: what they lose, how late they are, what they cost."""
