# SPDX-License-Identifier: MIT
"""What positions of Würfelspiel are worth."""
