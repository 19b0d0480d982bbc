# SPDX-License-Identifier: MIT
"""Names of the devices that can be lost."""

from __future__ import annotations

CAMERA = "camera"
DISK = "disk"
