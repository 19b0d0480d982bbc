# SPDX-License-Identifier: MIT
"""
The players of an event, by number, name and phone.

Names that look the same count as the same name. In journals from before the rule for names, two
of them may differ by characters that show nothing.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from controller.games.player_names import compute_look, compute_written_look


@dataclass(slots=True)
class Player:
    number: int  # From 1, in the order in which they joined.
    name: str
    token: str  # The SHA-256 of the secret of their phone; empty without one.
    kiosk: str = ""  # The key of the table at whose screen they choose; empty for none.
    key: str = ""  # By which a club knows the person; empty without one.
    is_away: bool = False  # Whether they left and may return.
    is_withdrawn: bool = False  # Whether they are out for good.

    @property
    def is_present(self) -> bool:
        """Whether the next roll or draw is also for them."""
        return not self.is_away and not self.is_withdrawn


class Groups:
    """Who is in which section, or in which team: at most one for each player."""

    def __init__(self) -> None:
        self.names: dict[int, str] = {}  # The group of each player who has one.
        self._by_look: defaultdict[str, set[int]] = defaultdict(set)

    def set(self, number: int, name: str) -> None:
        """Put a player into a group; empty takes the player out."""
        if before := self.names.pop(number, ""):
            self._by_look[compute_look(before)].discard(number)
        if name:
            self.names[number] = name
            self._by_look[compute_look(name)].add(number)

    def find(self, number: int) -> str:
        """Return the group of a player; empty for none."""
        return self.names.get(number, "")

    def find_spelling(self, name: str, number: int) -> str:
        """Return how others spell a group that looks like this name; empty without one."""
        others = self._by_look.get(compute_look(name), ())
        return next((self.names[each] for each in others if each != number), "")

    def list_names(self) -> list[str]:
        return sorted({*self.names.values()}, key=lambda name: (name.casefold(), name))


class People:
    """All players."""

    def __init__(self) -> None:
        self._players: list[Player] = []
        self._by_look: defaultdict[str, list[int]] = defaultdict(list)
        self._by_token: dict[str, int] = {}
        self._by_key: dict[str, int] = {}
        self.kiosks: dict[str, set[int]] = {}  # Who chooses at a table's screen, by its key.
        self._present: frozenset[int] | None = None
        self.sections = Groups()
        self.teams = Groups()

    def __len__(self) -> int:
        return len(self._players)

    def __contains__(self, number: int) -> bool:
        return 1 <= number <= len(self._players)

    def list_players(self) -> tuple[Player, ...]:
        return tuple(self._players)

    def find(self, number: int) -> Player:
        """Return a player who is known to exist."""
        return self._players[number - 1]

    def find_by_name(self, name: str) -> int | None:
        """Return who has this name, joiners and the like included."""
        written = compute_written_look(name)
        alike = self.list_alike(name)
        named = (each for each in alike if compute_written_look(self.find(each).name) == written)
        return next(named, None)

    def list_alike(self, name: str) -> tuple[int, ...]:
        """Return everybody whose name looks the same."""
        return tuple(self._by_look.get(compute_look(name), ()))

    def find_by_token(self, token: str) -> int | None:
        """Return whose phone has the secret with this SHA-256."""
        return self._by_token.get(token) if token else None

    def find_by_key(self, key: str) -> int | None:
        """Return who has this key, in large letters or small."""
        return self._by_key.get(key.casefold()) if key else None

    def list_present(self) -> frozenset[int]:
        """Return the numbers of all who are present; one value until somebody comes or goes."""
        if self._present is None:
            self._present = frozenset(each.number for each in self._players if each.is_present)
        return self._present

    def list_withdrawn(self) -> frozenset[int]:
        """Return the numbers of all who are out for good."""
        return frozenset(each.number for each in self._players if each.is_withdrawn)

    def add(self, name: str, token: str) -> None:
        player = Player(len(self._players) + 1, name, "")
        self._players.append(player)
        self._by_look[compute_look(name)].append(player.number)
        self.set_token(player.number, token)
        self._present = None

    def rename(self, number: int, name: str) -> None:
        player = self.find(number)
        self._by_look[compute_look(player.name)].remove(number)
        player.name = name
        self._by_look[compute_look(name)].append(number)

    def set_key(self, number: int, key: str) -> None:
        player = self.find(number)
        self._by_key.pop(player.key.casefold(), None)
        player.key = key
        if key:
            self._by_key[key.casefold()] = number

    def set_token(self, number: int, token: str) -> None:
        player = self.find(number)
        self._by_token.pop(player.token, None)
        player.token = token
        if token:
            self._by_token[token] = number
            self.set_kiosk(number, "")

    def set_kiosk(self, number: int, box: str) -> None:
        """Let a player choose at the screen of a table, and with no phone; empty ends it."""
        player = self.find(number)
        self.kiosks.get(player.kiosk, set()).discard(number)
        player.kiosk = box
        if box:
            self.kiosks.setdefault(box, set()).add(number)
            self.set_token(number, "")

    def set_away(self, number: int, *, is_away: bool) -> None:
        self.find(number).is_away = is_away
        self._present = None

    def withdraw(self, number: int) -> None:
        self.find(number).is_withdrawn = True
        self._present = None
