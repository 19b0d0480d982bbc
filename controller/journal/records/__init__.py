# SPDX-License-Identifier: MIT
"""
Game records: the portable form of a game, one JSON object a line.

A record holds what happened and nothing that follows from it, as PGN does for chess;
`replay` computes everything else with the rules.
"""
