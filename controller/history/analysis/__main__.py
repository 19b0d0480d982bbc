# SPDX-License-Identifier: MIT
"""
Build the account of one game: `python -m controller.history.analysis < RECORD`.

A running table starts this as a process of low priority, because a coach may compute for
seconds. It prints one JSON object, or `null` if no coach knows the game.
"""

from __future__ import annotations

import json
import sys

from controller.coach.account import build_account
from controller.coach.account_codec import encode_account
from controller.coach.coaches import find_coach
from controller.journal.records.replay import read_record


def main() -> None:
    """Read a record from standard input; print its account."""
    game = read_record(sys.stdin.buffer)
    coach = find_coach(game.game, game.start.options, is_deeper=True)
    account = build_account(coach, game.start, game.events) if coach else None
    json.dump(encode_account(account) if account else None, sys.stdout)


if __name__ == "__main__":
    main()
