# SPDX-License-Identifier: MIT
"""The idle screen and the guide without a page."""
