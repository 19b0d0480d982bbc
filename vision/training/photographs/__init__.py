# SPDX-License-Identifier: MIT
"""Photographs of dice, and what the nets learn from them."""
