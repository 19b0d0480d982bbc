# SPDX-License-Identifier: MIT
"""What happens while a game is on: its course, its rounds, whose button it is, a second look."""
