# SPDX-License-Identifier: MIT
"""Measurements of whole tables, desks and kills."""
