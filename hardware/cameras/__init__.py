# SPDX-License-Identifier: MIT
"""The drivers of cameras: the Pi's, a webcam, a recording."""
