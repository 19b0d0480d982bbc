# SPDX-License-Identifier: MIT
"""What positions of Black'n'White are worth, solved exactly."""
