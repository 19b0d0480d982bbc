# SPDX-License-Identifier: MIT
"""The calibrated tray: which place of a picture lies where on the felt, and what may be kept."""
