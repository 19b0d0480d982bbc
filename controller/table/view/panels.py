# SPDX-License-Identifier: MIT
"""What panels show: whose lamps are lit, and which of their buttons are stuck."""

from __future__ import annotations

from collections.abc import Mapping

from controller.table.events import ButtonStuck, Key
from controller.table.play.turns import may_press, player_at
from controller.table.spoken import listed
from controller.table.state import Phase, TableState
from controller.table.view.shape import SEATS_MOST, ButtonsView, NoticeView


def lamps_of(state: TableState, buttons: ButtonsView) -> list[list[str]]:
    """Return for each seat which buttons do something on a panel of its own."""
    words: Mapping[str, object] = {**buttons}
    keys = [key for key in Key if words[key.value]]
    return [
        [key.value for key in keys if may_press(state, key, panel)]
        for panel in range(1, SEATS_MOST + 1)
    ]


def stuck_notice(state: TableState) -> NoticeView | None:
    """Return what to say of stuck buttons; none if there are none, or while play is paused."""
    if not state.stuck or state.phase is Phase.PAUSED:
        return None
    names = listed([_name(state, button) for button in state.stuck])
    if len(state.stuck) == 1:
        verb, mend = "is", "It presses nothing until it lets go."
    else:
        verb, mend = "are", "They press nothing until they let go."
    return {"kind": "fault", "text": f"{names[0].upper()}{names[1:]} {verb} stuck.", "mend": mend}


def _name(state: TableState, button: ButtonStuck) -> str:
    name = f"the button {button.key.value}"
    if button.panel is None:
        return name
    player = player_at(state, button.panel)
    return f"{name} of {player}" if player else f"{name} of panel {button.panel}"
