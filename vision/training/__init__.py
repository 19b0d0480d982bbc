# SPDX-License-Identifier: MIT
"""Scripts that render the nets' school and rebuild their weights; nobody imports them."""
