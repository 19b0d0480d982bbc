# SPDX-License-Identifier: MIT
"""
What players of Just dice can do, and its one text form.

`throw` is a throw of all dice by the next player, `again` one of some dice while the others stay
as they lie. Both follow from the tray, so no press is needed. `dice 3` changes the
number of dice, `end` ends it.
"""

from __future__ import annotations

import re

from controller.base.errors import InputError
from controller.base.languages.message import message

DICE_MOST = 20  # The most dice that a tray of usual size still shows apart from each other.

COUNTS = tuple(range(1, DICE_MOST + 1))

THROW, AGAIN, END = "throw", "again", "end"

_DICE = re.compile(r"dice ([1-9][0-9]?)", re.ASCII)


def count_text(count: int) -> str:
    """Write the change to this number of dice, such as `dice 3`."""
    return f"dice {count}"


def parse_count(text: str) -> int:
    """Read to how many dice, 1 to 20, the number changes; InputError for anything else."""
    found = _DICE.fullmatch(text)
    if found is None or int(found[1]) not in COUNTS:
        raise InputError(expected=message("a number of dice such as dice 3"), found=repr(text))
    return int(found[1])
