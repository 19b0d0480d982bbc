# SPDX-License-Identifier: MIT
"""The running table: its threads, its drivers, its health."""
