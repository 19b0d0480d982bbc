# SPDX-License-Identifier: MIT
"""The pages for people who do not play yet."""
