# SPDX-License-Identifier: MIT
"""How the running table is: its threads, its numbers, its log, and the signs of life it gives."""
