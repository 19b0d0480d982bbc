# SPDX-License-Identifier: MIT
"""Print a page to scale: shapes in millimetres, as PDF or PNG."""
