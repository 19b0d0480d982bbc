# SPDX-License-Identifier: MIT
"""The drivers of everything on pins: buttons and lamps, light, buzzer."""
