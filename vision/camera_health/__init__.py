# SPDX-License-Identifier: MIT
"""Whether the camera works and still shows the tray as it was calibrated."""
