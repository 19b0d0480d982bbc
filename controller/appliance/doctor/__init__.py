# SPDX-License-Identifier: MIT
"""Check what works on this machine and what does not, with the remedy."""
