# SPDX-License-Identifier: MIT
"""What works on this machine and what does not, with the remedy: a file for every subject."""
