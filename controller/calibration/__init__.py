# SPDX-License-Identifier: MIT
"""Calibrating a table: the result is stored beside its journal and used from then on."""
