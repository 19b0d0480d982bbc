# SPDX-License-Identifier: MIT
"""
Drive everything that is plugged in: cameras, buttons and lamps, real and simulated.

Each driver is one file and the only importer of its library. The simulated tray is a driver
like the others and can be chosen in the settings.
"""
