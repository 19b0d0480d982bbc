# SPDX-License-Identifier: MIT
"""The server of an event, and an event that plays by itself."""
