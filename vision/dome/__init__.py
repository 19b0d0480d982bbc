# SPDX-License-Identifier: MIT
"""A transparent dome over the dice: where it stands, and what is under it."""
