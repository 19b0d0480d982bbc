# SPDX-License-Identifier: MIT
"""
Everything that is plugged in: cameras, buttons and lamps, real and simulated ones.

A driver is a file and keeps its library to itself. The simulated tray is a driver like
the others, and can be named in the settings.
"""
