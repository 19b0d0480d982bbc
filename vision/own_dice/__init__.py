# SPDX-License-Identifier: MIT
"""Recognizes the owner's own dice by faces that a person confirmed."""
