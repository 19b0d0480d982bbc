# SPDX-License-Identifier: MIT
"""Pages for people who do not play yet: the idle screen's demonstration, and the guide."""
