# SPDX-License-Identifier: MIT
"""What other programs get of a table: its journal as events, its rolls, and requests for dice."""
