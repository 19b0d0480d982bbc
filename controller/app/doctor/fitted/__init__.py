# SPDX-License-Identifier: MIT
"""What is fitted to the table: its camera, and everything on pins."""
