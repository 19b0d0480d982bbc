# SPDX-License-Identifier: MIT
"""The interface for other programs."""
