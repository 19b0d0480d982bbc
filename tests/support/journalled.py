# SPDX-License-Identifier: MIT
"""Games as a journal holds them, written as records: what was played can be played again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controller.proof.hashchain import Entry
from controller.table.effects import Body


@dataclass(frozen=True)
class JournalledGame:
    """
    One game of a journal.

    Attributes:
        start: The body of the entry that began it.
        entries: The kind and the body of every entry after that, up to the next game.
    """

    start: Body
    entries: tuple[tuple[str, Body], ...]

    @property
    def rolls(self) -> list[Body]:
        return [body for kind, body in self.entries if kind == "roll"]

    @property
    def actions(self) -> list[str]:
        """Every action in order, whether it was said or followed from the dice that stayed."""
        return [str(event["do"]) for event in self._events() if "do" in event]

    @property
    def held(self) -> list[str]:
        """The actions that followed from the dice that stayed."""
        return [str(body["held"]) for body in self.rolls if body["held"]]

    @property
    def result(self) -> Body | None:
        """What the entry says that ended the game; none if it was left before."""
        results = [body["result"] for _, body in self.entries if "result" in body]
        result = results[-1] if results else None
        assert result is None or isinstance(result, dict)
        return result

    def record(self) -> str:
        """Return the game as a record."""
        header = {key: self.start[key] for key in ("game", "players", "options")}
        lines = [{"record": 1, **header}, *self._events()]
        return "".join(f"{json.dumps(line)}\n" for line in lines)

    def _events(self) -> list[dict[str, object]]:
        events: list[dict[str, object]] = []
        for kind, body in self.entries:
            by = body.get("by")
            if kind == "roll":
                events += [{"by": by, "do": body["held"]}] if body["held"] else []
                events.append({"by": by, "roll": body["roll"]})
            elif kind == "action":
                events.append({"by": by, "do": body["do"]})
            elif kind == "undo":
                # What was taken back is the last action, and no roll came after it.
                events.pop()
        return events


def games_of(entries: Iterable[Entry]) -> list[JournalledGame]:
    """Return the games of a journal, in order."""
    bodies = [(entry.kind, entry.body) for entry in entries]
    starts = [place for place, (kind, _) in enumerate(bodies) if kind == "game"]
    ends = [*starts[1:], len(bodies)]
    return [_game(bodies[start:end]) for start, end in zip(starts, ends, strict=True)]


def _game(bodies: Sequence[tuple[str, Body]]) -> JournalledGame:
    (_, start), *others = bodies
    return JournalledGame(start, tuple(others))
