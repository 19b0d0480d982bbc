# SPDX-License-Identifier: MIT
"""The pages of the history: games, players, replays and files."""
