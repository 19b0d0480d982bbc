# SPDX-License-Identifier: MIT
"""
Answer one question about a game of an event.

Usage: `python -m controller.tournament.results.play_costs`.
"""

from __future__ import annotations

import sys

from controller.tournament.results.play_costs.costs_codec import answer_question

if __name__ == "__main__":
    sys.stdout.write(answer_question(sys.stdin.read()))
