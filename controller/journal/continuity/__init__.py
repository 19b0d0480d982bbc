# SPDX-License-Identifier: MIT
"""Whether a journal goes on from where it was: what was signed, what was restored, what time."""
