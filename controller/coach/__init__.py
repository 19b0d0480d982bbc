# SPDX-License-Identifier: MIT
"""What positions and choices are worth, who had luck, and players that the table plays itself."""
