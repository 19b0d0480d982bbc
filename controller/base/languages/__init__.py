# SPDX-License-Identifier: MIT
"""The texts for people: what a message is, and the catalogues of other languages."""
