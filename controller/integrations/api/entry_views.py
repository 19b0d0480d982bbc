# SPDX-License-Identifier: MIT
"""
Entries of the journal as the plain values that other programs get.

The journal's own keys may grow; these stay as `docs/api.md` describes them. Names pass through
the table's memory, so a renamed person has the new name, and a forgotten one has none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from controller.base.errors import InputError
from controller.games import GAMES
from controller.journal import entries
from controller.journal.checkpoint import derive_words
from controller.journal.hashchain import Entry
from controller.journal.picture_refs import is_digest
from controller.table.state import SECRET

ShowName = Callable[[str], str]
"""Returns the name that screens show for a name of the journal; empty for a forgotten person."""

PICTURES = "/api/v1/pictures"
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class EntryContext:
    """What an entry belongs to."""

    game: Entry | None = None  # The entry that began its game; None outside of games.
    # The number of the entry of the request that it answers or ends; None for none.
    request: int | None = None
    correction: Entry | None = None  # The newest correction of a roll; None without one.


class EntryViews:
    """Describes entries, with the names that screens show."""

    def __init__(self, show_name: ShowName) -> None:
        self._show_name = show_name

    def describe_event(self, entry: Entry, about: EntryContext) -> dict[str, object] | None:
        """Return an entry as the data of an event; None if programs do not get it."""
        described = self._describe(entry, about)
        if described is None:
            return None
        # In front of the kind's own keys, so that a log of events reads well.
        head = {"type": _TYPES.get(entry.kind, entry.kind), "entry": entry.seq}
        return {**head, "at_ms": entry.at_ms, **described}

    def describe_result(self, entry: Entry, about: EntryContext) -> dict[str, object] | None:
        """Return the result of the game that this entry ended; None if it ended none."""
        result = _find_result(entry)
        if result is None or about.game is None:
            return None
        return {
            "type": "result",
            "entry": entry.seq,
            "at_ms": entry.at_ms,
            "game": _name_game(about.game),
            "players": [
                {"name": self.name(name), "total": total} for name, total in result.totals.items()
            ],
            "winners": [self.name(name) for name in result.winners],
            "losers": [self.name(name) for name in result.losers],
        }

    def describe_roll(self, entry: Entry, about: EntryContext) -> dict[str, object]:
        """Return a roll as an event has it, with what was corrected since."""
        event = self.describe_event(entry, about)
        assert event is not None, "rolls are described"
        fix = about.correction and self._describe(about.correction, about)
        corrected = {"entry": about.correction.seq, **fix} if about.correction and fix else None
        return {**event, "corrected": corrected}

    def name(self, name: str) -> str | None:
        """Return a name as screens show it; None without a name and for a forgotten person."""
        return (name and self._show_name(name)) or None

    def _describe(self, entry: Entry, about: EntryContext) -> dict[str, object] | None:
        """Return the kind's own keys of an event; None if programs do not get it."""
        match entries.read_entry(entry):
            case entries.StartEntry(software=software):
                return {"software": software or None}
            case entries.GameEntry() as said:
                return {
                    "game": said.game,
                    "players": [self.name(name) for name in said.players],
                    "options": said.options,
                    "opponents": [{"name": x.name, "grade": x.grade} for x in said.opponents],
                    "training": said.hints,
                }
            case entries.ThrowEntry() as said:
                return self._describe_throw(entry, said, about)
            case entries.ReadingEntry() as said:
                by = self.name(said.by)
                return {"by": by, "request": about.request, **_describe_reading(said)}
            case entries.ActionEntry(by=by, do=action) | entries.UndoEntry(by=by, do=action):
                # A choice from an open roll is hidden from the other players in such a game.
                shown = None if _is_secret(about.game) else action
                return {"by": self.name(by), "action": shown}
            case entries.CorrectionEntry(by=by, reason=reason, was=was, roll=roll):
                key = _game_key(entry, about.game)
                faces = {"was": _parse_faces(key, was), "faces": _parse_faces(key, roll)}
                return {"by": self.name(by), "reason": reason, **faces}
            case entries.ReviewEntry(by=by) | entries.CountedEntry(by=by):
                return {"by": self.name(by)}
            case entries.SeatedEntry(player=by):
                return {"by": self.name(by)}
            case entries.FaultEntry(device=device, what=what):
                return {"device": device, "what": what}
            case entries.BackEntry(device=device):
                return {"device": device}
            case entries.RequestEntry() as said:
                return {
                    "request": entry.seq,
                    "dice": said.dice,
                    "for": self.name(said.player),
                    "why": said.why,
                    "asked_by": said.by,
                }
            case entries.RequestEndedEntry(outcome=outcome):
                return {"request": about.request, "outcome": outcome}
            case entries.ReviewedEntry(outcome=outcome):
                return {"outcome": outcome}
            case entries.CheckpointEntry(size=size, root=root):
                words = derive_words(size, bytes.fromhex(root))
                return {"size": size, "root": root, "words": list(words)}
            case (
                entries.PauseEntry()
                | entries.ResumeEntry()
                | entries.ParkedEntry()
                | entries.ContinuedEntry()
                | entries.ClosedEntry()
            ):
                return {}
        return None

    def _describe_throw(
        self, entry: Entry, throw: entries.ThrowEntry, about: EntryContext
    ) -> dict[str, object]:
        by_hand = self.name(throw.by_hand) or ("?" if throw.by_hand else None)
        faces = _parse_faces(_game_key(entry, about.game), throw.roll)
        # The camera says nothing about dice that a person entered.
        unread = dict.fromkeys(("polarity", "colour", "origin", "confidence"))
        entered = {"dice": [{"face": face, **unread} for face in faces]} if by_hand else {}
        return {
            "link": entry.link,
            "game": _name_game(about.game) if about.game else None,
            "request": about.request,
            "by": self.name(throw.by),
            "faces": faces,
            "by_hand": by_hand,
            **_describe_reading(throw),
            **entered,
        }


EVENT_TYPES = (
    *("started", "game", "roll", "reading", "action", "counted", "seated", "undo"),
    *("correction", "review", "reviewed"),
    *("pause", "resume", "fault", "back", "parked", "continued", "closed", "checkpoint"),
    *("request", "answer", "request_ended"),
)
"""The types of events, by which a program chooses."""

_TYPES = {"genesis": "started", "restart": "started"}


def _describe_reading(entry: entries.DiceEntry) -> dict[str, object]:
    picture = entry.picture
    return {
        "dice": [_describe_die(die) for die in entry.lie],
        "in_doubt": bool(entry.doubts),
        "doubts": [_split_doubt(text) for text in entry.doubts],
        "picture": f"{PICTURES}/{picture}.jpg" if is_digest(picture) else None,
    }


def _describe_die(die: entries.EntryDie) -> dict[str, object]:
    """Return a die as read; None for what is not known, as in a journal of format 1."""
    return {
        "face": die.face,
        "polarity": die.polarity,
        "colour": die.colour,
        "origin": die.origin or None,
        "confidence": die.confidence_ppm / MILLION if die.confidence_ppm else None,
    }


def _split_doubt(text: str) -> dict[str, str]:
    kind, _, words = text.partition(": ")
    return {"kind": kind, "text": words}


def _find_result(entry: Entry) -> entries.EntryResult | None:
    try:
        return entries.decode_part(entry.body.get("result"), entries.EntryResult)
    except InputError:
        return None


def _name_game(game: Entry) -> dict[str, object]:
    return {"entry": game.seq, "key": game.body.get("game")}


def _game_key(entry: Entry, game: Entry | None) -> str:
    """Return the game whose notation an entry uses; a request's answer is faces alone."""
    begun = entries.read_entry(game) if game and entry.kind != "answer" else None
    return begun.game if isinstance(begun, entries.GameEntry) else ""


def _parse_faces(game: str, roll: str) -> list[int]:
    """Return the faces of a roll in the notation of its game, each die ending with its face."""
    dice = GAMES[game].parse_roll(roll) if game in GAMES else roll.split() if " " in roll else roll
    return [int(die[-1]) for die in dice if die[-1].isdigit()]


def _is_secret(game: Entry | None) -> bool:
    begun = entries.read_entry(game) if game else None
    return isinstance(begun, entries.GameEntry) and bool(begun.options.get(SECRET))
