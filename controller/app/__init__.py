# SPDX-License-Identifier: MIT
"""Threads, wiring and the command line: where pure parts meet cameras, disks and people."""
