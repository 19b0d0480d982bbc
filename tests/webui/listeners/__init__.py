# SPDX-License-Identifier: MIT
"""Tests of the ports: what clients may use, and for how long."""
