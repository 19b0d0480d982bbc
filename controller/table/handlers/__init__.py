# SPDX-License-Identifier: MIT
"""
What each event does at a table, one module for each kind of event.

A handler takes the state and its event. It returns the new state and what must be on the
disk before a screen shows it. `controller.table.transitions` lists the events that mean
something in each phase.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias, TypeVar

from controller.table.effects import PendingEntry
from controller.table.events import Event
from controller.table.state import Notice, TableState

Step: TypeAlias = tuple[TableState, tuple[PendingEntry, ...]]
"""A new state, and what must be written before it is shown."""

_EventT = TypeVar("_EventT", bound=Event)
_Handler: TypeAlias = Callable[[TableState, _EventT], Step]

HANDLERS: dict[type[object], _Handler[Any]] = {}
"""What handles each type of event, once the machine has imported every module of handlers."""


def handles(event: type[_EventT]) -> Callable[[_Handler[_EventT]], _Handler[_EventT]]:
    """Register the one handler of a type of event; mypy checks that it takes just this type."""

    def register(handler: _Handler[_EventT]) -> _Handler[_EventT]:
        assert event not in HANDLERS, f"{event.__name__} has a handler already"
        HANDLERS[event] = handler
        return handler

    return register


def refuse(state: TableState, text: str) -> Step:
    """Return the step of an event that does nothing but say why."""
    return replace(state, notice=Notice("refused", text)), ()
