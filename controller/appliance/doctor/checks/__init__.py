# SPDX-License-Identifier: MIT
"""The checks of the doctor: one file for what belongs together."""
