# SPDX-License-Identifier: MIT
"""
For whom a browser acts in an event: the player of a phone, one of several, or any for an official.

A phone proves with the secret in its cookie whose it is. A tablet that several players share has a
secret of each in the same cookie, and says in each request for whom it asks. An official needs
none of them, nor does the own screen of a table, which signs.
"""

from __future__ import annotations

from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from controller.base.languages.message import message
from controller.runtime.access.tickets import AccessControl
from controller.tournament.server.player_requests import hash_secret, is_secret
from controller.tournament.state.refusal import refuse_entry
from controller.tournament.state.state import EventState
from webui.tournament.official_session import find_name, is_official

PLAYER_COOKIE = "dicebell-player"
LASTS_S = 7 * 86_400
MOST_SHARING = 8
"""Players of one browser: a table of them; its cookie stays far below 4 kB."""
_SEPARATOR = "."  # No character of a secret.


@dataclass(frozen=True, slots=True)
class Browser:
    """
    Who asks.

    Attributes:
        tokens: The SHA-256 of the secrets that it has.
        player: For whom it asks; 0 if it does not say.
        official: The name of the official who acts for the player; None at a player's browser.
        box: The key of the table whose own screen it is; empty for another browser.
    """

    tokens: tuple[str, ...] = ()
    player: int = 0
    official: str | None = None
    box: str = ""

    @property
    def is_shared(self) -> bool:
        """Whether it acts for several players: none of them may see what another chose."""
        return self.official is not None or bool(self.box) or len(self.tokens) > 1

    def list_players(self, state: EventState) -> tuple[int, ...]:
        """Return its players: those of a table, else in the order in which they joined it."""
        if self.box:
            return tuple(state.data.list_at_kiosk(self.box))
        found = (state.find_player_by_token(token) for token in self.tokens)
        return tuple(player for player in found if player is not None)

    def find_player(self, state: EventState) -> int | None:
        """Return for whom it asks; None if it has no player, or has to say which one."""
        if self.official is not None:
            return self.player if self.player in state.data.people else None
        players = self.list_players(state)
        if self.player or self.box:
            return self.player if self.player in players else None
        return players[0] if len(players) == 1 else None

    def find_token(self, state: EventState) -> str:
        """Return the token that proves it; one that no player has if there is none."""
        player = self.find_player(state)
        for token in self.tokens:
            if player is not None and state.find_player_by_token(token) == player:
                return token
        # A phone that has just joined at another server of the event is not known here yet.
        return self.tokens[0] if len(self.tokens) == 1 and not self.player else hash_secret("")


def read_browser(request: Request, access: AccessControl | None) -> Browser:
    """
    Return who asks, by the cookies of a request, `?player=` and `?official`.

    Raises:
        RefusedEntryError: It asks as an official and is not logged in.
    """
    number = request.query_params.get("player", "")
    is_number = number.isascii() and number.isdigit() and len(number) <= 6
    official = None
    if "official" in request.query_params:
        if access is None or not is_official(request, access):
            expected, found = message("an official who is logged in"), message("another browser")
            raise refuse_entry("seat", expected, found, "player")
        official = find_name(request)
    tokens = tuple(hash_secret(secret) for secret in _read_secrets(request))
    return Browser(tokens, int(number) if is_number else 0, official)


def remember_player(request: Request, answer: Response, secret: str, state: EventState) -> None:
    """Give a browser the secret of a player, beside those of others that are valid."""
    kept = [
        each
        for each in _read_secrets(request)
        if each != secret and state.find_player_by_token(hash_secret(each)) is not None
    ]
    answer.set_cookie(
        PLAYER_COOKIE,
        _SEPARATOR.join([*kept, secret]),
        LASTS_S,
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="lax",
    )


def require_room(browser: Browser, state: EventState) -> None:
    """Check that another player may share a browser; RefusedEntryError if too many do."""
    players = browser.list_players(state)
    if len(players) >= MOST_SHARING:
        expected = message("at most {most} players in one browser", most=str(MOST_SHARING))
        raise refuse_entry("rule", expected, str(len(players)), "joined.player")


def _read_secrets(request: Request) -> list[str]:
    found = request.cookies.get(PLAYER_COOKIE, "").split(_SEPARATOR)
    return [secret for secret in found[: 2 * MOST_SHARING] if is_secret(secret)]
