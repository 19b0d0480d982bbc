# SPDX-License-Identifier: MIT
"""
What each event does at a table, one module for each kind of event.

A handler takes the state and its event. It returns the new state and what must be on the
disk before a screen shows it. `controller.table.transitions` lists the events that mean
something in each phase.
"""

from __future__ import annotations

from typing import TypeAlias

from controller.table.effects import PendingEntry
from controller.table.state import TableState

Step: TypeAlias = tuple[TableState, tuple[PendingEntry, ...]]
"""A new state, and what must be written before it is shown."""
