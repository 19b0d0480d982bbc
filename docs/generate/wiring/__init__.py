# SPDX-License-Identifier: MIT
"""The wiring in `docs/building.md`, drawn from the very settings that it is for."""
