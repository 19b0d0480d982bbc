# SPDX-License-Identifier: MIT
"""Calibrate a table. The result is stored beside its journal and used at once."""
