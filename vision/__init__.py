# SPDX-License-Identifier: MIT
"""
The table's eye: from the pixels of one picture to a reading, and from frames to rests.

It knows no game, no player and no clock. What it is not certain of is a doubt.
"""
