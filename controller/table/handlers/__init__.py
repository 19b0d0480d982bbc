# SPDX-License-Identifier: MIT
"""
What each event does at a table: one file for each kind of thing that happens.

Every step takes the state and the event, and gives the new state with what has to be
on the disk before anybody may see it. Which events mean something in which phase stands
in `controller.table.transitions`.
"""

from __future__ import annotations

from typing import TypeAlias

from controller.table.effects import PendingEntry
from controller.table.state import TableState

Step: TypeAlias = tuple[TableState, tuple[PendingEntry, ...]]
"""A new state, and what has to be written before it is shown."""
