# SPDX-License-Identifier: MIT
"""
What the own screen of a table asks for the players who choose there.

The table signs for its screen, so there is no link and no secret that could leave it. Each request
is for one of the players whom an official seated there, and only the event says who they are.
"""

from __future__ import annotations

import asyncio

from controller.base.errors import InputError, RefusedError
from controller.base.languages.catalogue import load_catalogues
from controller.base.languages.codes import ENGLISH
from controller.base.languages.message import message
from controller.tournament.entries.codec import EventEntry
from controller.tournament.server.event_runner import EventRunner
from controller.tournament.server.phone_limits import PhoneLimits
from controller.tournament.server.player_requests import change_by_phone, choose_by_phone
from controller.tournament.server.store.values import build_unsigned_error
from controller.tournament.server.wire.wire_request import WireAnswer, WireRequest
from controller.tournament.state.refusal import refuse_entry
from controller.tournament.state.state import EventState
from webui.tournament.browsers import Browser
from webui.tournament.event_routes import (
    describe_done,
    list_curve,
    list_offers,
    parse_fields,
    refuse_phone,
)
from webui.tournament.event_stream import EventStreams


class KioskRequests:
    """Answers the screens of all tables of one event."""

    def __init__(self, runner: EventRunner, streams: EventStreams) -> None:
        self._runner = runner
        self._streams = streams
        self._limits = PhoneLimits()

    async def answer(self, asked: WireRequest) -> WireAnswer:
        """Answer a request of an enrolled table; UnsignedTableError without its signature."""
        if asked.sender.signed is None:
            raise build_unsigned_error()
        language = ENGLISH
        try:
            fields = parse_fields(asked.content)
            language = str(fields.get("language", ENGLISH))
            return WireAnswer(200, await self._do(asked.table, fields))
        except RefusedError as error:
            catalogues = load_catalogues()
            return refuse_phone(error, catalogues.get(language) or catalogues[ENGLISH])

    async def _do(self, box: str, fields: dict[str, object]) -> dict[str, object]:
        ask, player, choice = fields.get("ask"), fields.get("player"), fields.get("choice")
        browser = Browser(player=player if type(player) is int else 0, box=box)
        if ask == "look":
            return {**self._streams.describe(browser, str(fields.get("seen", "")))}
        self._limits.require_phone(f"{box} {browser.player}")
        self._runner.read(lambda state: _require_seat(state, browser))
        if ask == "offers":
            return list_offers(self._runner, browser.player, str(fields.get("after", "")))
        if ask == "curve":
            return list_curve(self._runner, browser.player)
        if ask == "return":
            build_own = change_by_phone({"do": "return"})
        elif ask == "choose" and isinstance(choice, dict):
            build_own = choose_by_phone(choice)
        else:
            expected = message("one of {names}", names="look, choose, return, offers, curve")
            raise InputError(expected=expected, found=repr(ask)[:20], where="ask")

        def build(state: EventState) -> EventEntry:
            _require_seat(state, browser)
            return build_own(state, browser.player)

        proposed = self._runner.propose(build, browser.player)
        return await describe_done(asyncio.wrap_future(proposed))


def _require_seat(state: EventState, browser: Browser) -> None:
    if browser.find_player(state) is None:
        expected, found = message("a player who chooses at this table"), message("another player")
        raise refuse_entry("seat", expected, found, "player")
