# SPDX-License-Identifier: MIT
"""How fast an event is: its draws, and a duplicate game with a large field."""
