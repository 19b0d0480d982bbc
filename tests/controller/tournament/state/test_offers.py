# SPDX-License-Identifier: MIT
"""What a player may choose after a corrector."""

from __future__ import annotations

import pytest

from controller.base.errors import IllegalActionError
from controller.tournament.state.player_view import list_offers_after
from tests.controller.tournament.event_tables import PlayedEvent, duplicate_event

CORRECTOR = "corrector 1>6"


def list_actions(event: PlayedEvent, player: int) -> list[object]:
    offers = list_offers_after(event.state.data, player, CORRECTOR)
    return [offer["action"] for offer in offers if isinstance(offer, dict)]


def test_a_corrector_is_offered_to_who_has_still_to_choose() -> None:
    event = PlayedEvent(duplicate_event(), players=2)
    with pytest.raises(IllegalActionError):
        list_actions(event, 1)
    event.open_game()
    with pytest.raises(IllegalActionError):
        list_actions(event, 1)
    event.throw("13446")
    assert "10+10/3" in list_actions(event, 1)
    event.choose(1, "4+10/4")
    with pytest.raises(IllegalActionError):
        list_actions(event, 1)
    assert "10+10/3" in list_actions(event, 2)
