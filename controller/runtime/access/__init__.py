# SPDX-License-Identifier: MIT
"""Access control: the PIN, the pairing code for phones, and limits on attempts."""
