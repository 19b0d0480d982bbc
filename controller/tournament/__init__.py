# SPDX-License-Identifier: MIT
"""Tournaments: journals of many tables in one place, and what is made of them."""
