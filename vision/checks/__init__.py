# SPDX-License-Identifier: MIT
"""What keeps a reading from being certain: dice that lean, lie wrong, hide, and what is no die."""
