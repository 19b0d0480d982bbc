# SPDX-License-Identifier: MIT
"""What an event knows at a moment: its players, its tables and their lines, its rounds."""
