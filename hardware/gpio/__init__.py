# SPDX-License-Identifier: MIT
"""Drive everything on pins: buttons and lamps, light, buzzer."""
