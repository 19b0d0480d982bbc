# SPDX-License-Identifier: MIT
"""The desk of an event: its journals, what tables and phones send, what follows by itself."""
