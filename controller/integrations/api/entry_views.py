# SPDX-License-Identifier: MIT
"""
Entries of the journal as the plain values that other programs get.

The journal's own keys may grow; these stay as `docs/api.md` describes them. Names pass through
the table's memory, so a renamed person has the new name, and a forgotten one has none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from controller.games import GAMES
from controller.journal.checkpoint import derive_words
from controller.journal.hashchain import Entry, Value
from controller.journal.picture_refs import is_digest
from controller.table.journal_entries import decode_opponents
from controller.table.state import SECRET

ShowName = Callable[[str], str]
"""Returns the name that screens show for a name of the journal; empty for a forgotten person."""

PICTURES = "/api/v1/pictures"
ROLL_KINDS = ("roll", "answer")
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class EntryContext:
    """
    What an entry belongs to.

    Attributes:
        game: The entry that began its game; None outside of games.
        request: The number of the entry of the request that it answers or ends; None for none.
        correction: The newest correction of a roll; None without one.
    """

    game: Entry | None = None
    request: int | None = None
    correction: Entry | None = None


class EntryViews:
    """
    Describes entries.

    Args:
        show_name: Turns names of the journal into those that screens show.
    """

    def __init__(self, show_name: ShowName) -> None:
        self._show_name = show_name

    def describe_event(self, entry: Entry, about: EntryContext) -> dict[str, object] | None:
        """Return an entry as the data of an event; None if programs do not get it."""
        describe = _DESCRIBED.get(entry.kind)
        if describe is None:
            return None
        # In front of the kind's own keys, so that a log of events reads well.
        head = {"type": _TYPES.get(entry.kind, entry.kind), "entry": entry.seq}
        return {**head, "at_ms": entry.at_ms, **describe(self, entry, about)}

    def describe_result(self, entry: Entry, about: EntryContext) -> dict[str, object] | None:
        """Return the result of the game that this entry ended; None if it ended none."""
        result = entry.body.get("result")
        if not isinstance(result, Mapping) or about.game is None:
            return None
        totals, winners, losers = (result.get(key) for key in ("totals", "winners", "losers"))
        return {
            "type": "result",
            "entry": entry.seq,
            "at_ms": entry.at_ms,
            "game": {"entry": about.game.seq, "key": about.game.body.get("game")},
            "players": [
                {"name": self.name(name), "total": total}
                for name, total in (totals.items() if isinstance(totals, Mapping) else ())
            ],
            **{
                key: [self.name(name) for name in (names if isinstance(names, Sequence) else ())]
                for key, names in (("winners", winners), ("losers", losers))
            },
        }

    def describe_roll(self, entry: Entry, about: EntryContext) -> dict[str, object]:
        """Return a roll as an event has it, with what was corrected since."""
        event = self.describe_event(entry, about)
        assert event is not None, "rolls are described"
        return {**event, "corrected": self._describe_correction(about)}

    def name(self, value: Value) -> str | None:
        """Return a name as screens show it; None without a name and for a forgotten person."""
        return (isinstance(value, str) and value and self._show_name(value)) or None

    def _roll(self, entry: Entry, about: EntryContext) -> dict[str, object]:
        game, body = about.game, entry.body
        by_hand = self.name(body.get("by_hand")) or ("?" if body.get("by_hand") else None)
        faces = _parse_faces(_game_key(entry, game), str(body.get("roll", "")))
        return {
            "link": entry.link,
            "game": {"entry": game.seq, "key": game.body.get("game")} if game else None,
            "request": about.request,
            "by": self.name(body.get("by")),
            "faces": faces,
            "by_hand": by_hand,
            **_reading(body, [_unread_die(face) for face in faces] if by_hand else None),
        }

    def _describe_correction(self, about: EntryContext) -> dict[str, object] | None:
        if about.correction is None:
            return None
        return {"entry": about.correction.seq, **self._correction(about.correction, about)}

    def _reading(self, entry: Entry, about: EntryContext) -> dict[str, object]:
        by = self.name(entry.body.get("by"))
        return {"by": by, "request": about.request, **_reading(entry.body)}

    def _game(self, entry: Entry, about: EntryContext) -> dict[str, object]:
        players = entry.body.get("players")
        names = players if isinstance(players, Sequence) else ()
        return {
            "game": entry.body.get("game"),
            "players": [self.name(name) for name in names],
            "options": entry.body.get("options"),
            "opponents": [
                {"name": one.name, "grade": one.grade} for one in decode_opponents(entry.body)
            ],
            "training": entry.body.get("hints") is True,
        }

    def _action(self, entry: Entry, about: EntryContext) -> dict[str, object]:
        # A choice from an open roll is hidden from the other players in such a game.
        action = None if _is_secret(about.game) else entry.body.get("do")
        return {"by": self.name(entry.body.get("by")), "action": action}

    def _correction(self, entry: Entry, about: EntryContext) -> dict[str, object]:
        key, body = _game_key(entry, about.game), entry.body
        return {
            "by": self.name(body.get("by")),
            "reason": body.get("reason"),
            "was": _parse_faces(key, str(body.get("was", ""))),
            "faces": _parse_faces(key, str(body.get("roll", ""))),
        }

    def _review(self, entry: Entry, about: EntryContext) -> dict[str, object]:
        return {"by": self.name(entry.body.get("by"))}

    def _request(self, entry: Entry, about: EntryContext) -> dict[str, object]:
        body = entry.body
        return {
            "request": entry.seq,
            "dice": body.get("dice"),
            "for": self.name(body.get("for")),
            "why": body.get("why"),
            "asked_by": body.get("by"),
        }

    def _request_ended(self, entry: Entry, about: EntryContext) -> dict[str, object]:
        return {"request": about.request, "outcome": entry.body.get("outcome")}

    def _checkpoint(self, entry: Entry, about: EntryContext) -> dict[str, object]:
        size, root = entry.body.get("size"), bytes.fromhex(str(entry.body.get("root", "")))
        assert isinstance(size, int)
        return {"size": size, "root": root.hex(), "words": list(derive_words(size, root))}


def _copy_keys(*keys: str) -> Callable[[EntryViews, Entry, EntryContext], dict[str, object]]:
    def copy(_: EntryViews, entry: Entry, about: EntryContext) -> dict[str, object]:
        return {key: entry.body.get(key) for key in keys}

    return copy


_DESCRIBED: Mapping[str, Callable[[EntryViews, Entry, EntryContext], dict[str, object]]] = {
    "genesis": _copy_keys("software"),
    "restart": _copy_keys("software"),
    "game": EntryViews._game,
    "roll": EntryViews._roll,
    "reading": EntryViews._reading,
    "action": EntryViews._action,
    "undo": EntryViews._action,
    "correction": EntryViews._correction,
    "review": EntryViews._review,
    "reviewed": _copy_keys("outcome"),
    "pause": _copy_keys(),
    "resume": _copy_keys(),
    "fault": _copy_keys("device", "what"),
    "back": _copy_keys("device"),
    "parked": _copy_keys(),
    "continued": _copy_keys(),
    "closed": _copy_keys(),
    "checkpoint": EntryViews._checkpoint,
    "request": EntryViews._request,
    "answer": EntryViews._roll,
    "request_ended": EntryViews._request_ended,
}
_TYPES = {"genesis": "started", "restart": "started"}
EVENT_TYPES = tuple(dict.fromkeys(_TYPES.get(kind, kind) for kind in _DESCRIBED))
"""The types of events, by which a program chooses."""


def _reading(
    body: Mapping[str, Value], dice: list[dict[str, object]] | None = None
) -> dict[str, object]:
    """Return the dice of a reading, its doubts and its picture; `dice` replaces those read."""
    lying, doubts, picture = body.get("lie"), body.get("doubts"), body.get("picture")
    read = [
        each for each in (lying if isinstance(lying, Sequence) else ()) if isinstance(each, Mapping)
    ]
    texts = [str(each) for each in (doubts if isinstance(doubts, Sequence) else ())]
    return {
        "dice": [_die(each) for each in read] if dice is None else dice,
        "in_doubt": bool(texts),
        "doubts": [_split_doubt(text) for text in texts],
        "picture": f"{PICTURES}/{picture}.jpg" if is_digest(picture) else None,
    }


def _die(read: Mapping[str, Value]) -> dict[str, object]:
    """Return a die as read; its origin is None if it was not compared with the dice before."""
    ppm = read.get("confidence_ppm")
    return {
        "face": read.get("face"),
        "polarity": read.get("polarity"),
        "colour": read.get("colour"),
        "origin": read.get("origin") or None,
        "confidence": ppm / MILLION if isinstance(ppm, int) else None,
    }


def _unread_die(face: int) -> dict[str, object]:
    """Return a die that a person entered: the camera says nothing about it."""
    return {"face": face, **dict.fromkeys(("polarity", "colour", "origin", "confidence"))}


def _split_doubt(text: str) -> dict[str, str]:
    kind, _, words = text.partition(": ")
    return {"kind": kind, "text": words}


def _game_key(entry: Entry, game: Entry | None) -> str:
    """Return the game whose notation an entry uses; a request's answer is faces alone."""
    return str(game.body.get("game", "")) if game and entry.kind != "answer" else ""


def _parse_faces(game: str, roll: str) -> list[int]:
    """Return the faces of a roll in the notation of its game, each die ending with its face."""
    dice = GAMES[game].parse_roll(roll) if game in GAMES else roll.split() if " " in roll else roll
    return [int(die[-1]) for die in dice if die[-1].isdigit()]


def _is_secret(game: Entry | None) -> bool:
    options = game.body.get("options") if game else None
    return isinstance(options, Mapping) and bool(options.get(SECRET))
