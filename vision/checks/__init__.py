# SPDX-License-Identifier: MIT
"""Checks that turn into doubts: dice that lean, hide, stack or leave the felt."""
