# SPDX-License-Identifier: MIT
"""Checks that the camera works, and that it shows the tray as it was calibrated."""
