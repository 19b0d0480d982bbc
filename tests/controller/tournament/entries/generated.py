# SPDX-License-Identifier: MIT
"""Random valid entries of every kind, with and without the keys that may be absent."""

from __future__ import annotations

from dataclasses import MISSING
from typing import Any

from hypothesis import strategies as st

from controller.tournament.entries import entry_base as limits
from controller.tournament.entries.codec import KINDS, EventEntry
from controller.tournament.entries.entry_base import list_fields
from controller.tournament.entries.fields import MOST_TIME_MS, Source

Values = st.SearchStrategy[Any]

_WORDS = st.lists(st.text("Adéß中3", min_size=1, max_size=8), min_size=1, max_size=4)
_LINE = _WORDS.map(" ".join)
_DIGEST = st.text("0123456789abcdef", min_size=64, max_size=64)
_WHOLE = st.integers(0, MOST_TIME_MS)
_PLAYER = st.integers(1, limits.MOST_PLAYERS)
_GAME = st.integers(1, limits.MOST_GAMES)
_POINTS = st.integers(-limits.MOST_POINTS, limits.MOST_POINTS)
_SOURCE = st.builds(Source, _DIGEST, _WHOLE, _DIGEST)
_DICE = st.text("123456", min_size=5, max_size=5).map(lambda faces: "".join(sorted(faces)))


def _players(least: int, most: int) -> Values:
    return st.lists(_PLAYER, min_size=least, max_size=most, unique=True).map(tuple)


def _rows(number: Values) -> Values:
    return st.lists(st.tuples(number, number, number), max_size=4).map(tuple)


VALUES: dict[str, Values] = {
    "format": st.just(limits.FORMAT),
    "style": st.sampled_from(limits.STYLES),
    "event.game": _LINE,
    "options": st.dictionaries(_LINE, st.booleans() | st.integers(0, 9), max_size=3),
    "games": _GAME,
    "clock_s": st.integers(5, 3600),
    "scoring": st.sampled_from(("sum", "match_points")),
    "tie_break": st.sampled_from(("play_off", "costs")),
    "absence": st.sampled_from(("nothing", "worst", "below_mean")),
    "corrected": st.sampled_from(("recompute", "annul")),
    "pairing": st.sampled_from(("random", "standings")),
    "seeding": st.sampled_from(("newest", "announced")),
    "round_end": st.sampled_from(("play_on", "stop")),
    "table_size": st.integers(3, 4),
    "lives": st.integers(1, 9),
    "team_best": st.integers(0, limits.MOST_COUNTED),
    "name": _LINE,
    "section": st.just("") | _LINE,
    "team": st.just("") | _LINE,
    "by": _LINE,
    "reason": _LINE,
    "box": _DIGEST,
    "key": _DIGEST,
    "person.key": st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9._/-]{0,30}[A-Za-z0-9])?", fullmatch=True),
    "token": _DIGEST,
    "weights": _DIGEST,
    "number": st.integers(1, limits.MOST_TABLES),
    "table": st.integers(1, limits.MOST_TABLES),
    "trouble": st.sampled_from(("fork", "flaw")),
    "line": _WHOLE,
    "since": _WHOLE,
    "until_ms": _WHOLE,
    "player": _PLAYER,
    "players": _players(2, 2),
    "game_opened.players": _players(0, 5),
    "losers": _players(0, 5),
    "byes": _players(0, 5),
    "left_out": _players(0, 5),
    "half_byes": _players(0, 5),
    "event.half_byes": st.integers(0, limits.MOST_GAMES),
    "tie_breaks": st.permutations(limits.MATCH_TIE_BREAKS).map(tuple),
    "bye": st.sampled_from(("nothing", "draw", "win")),
    "late": st.sampled_from(("nothing", "draw")),
    "points": _POINTS,
    "table_result.points": st.lists(_POINTS, min_size=2, max_size=5).map(tuple),
    "game": _GAME,
    "round": _GAME,
    "roll": st.integers(1, limits.MOST_ROLLS),
    "places": _rows(st.integers(-MOST_TIME_MS, MOST_TIME_MS)),
    "costs": _rows(_WHOLE),
    "tables": st.lists(_players(2, 5), max_size=4).map(tuple),
    "faces": _DICE,
    "draw.faces": st.text("123456", max_size=100),
    "source": _SOURCE,
    "cause": _SOURCE,
    "sources": st.lists(_SOURCE, max_size=3).map(tuple),
    "do": st.lists(_LINE, min_size=1, max_size=4).map(tuple),
    "decision": st.sampled_from(("keep", "recompute", "annul", "restore")),
    "table_ruling.decision": st.sampled_from(("keep", "changed")),
    "appeal_decided.decision": st.sampled_from(("uphold", "recompute", "annul", "changed")),
    "ruling": st.integers(1, MOST_TIME_MS),
    "call": st.integers(1, MOST_TIME_MS),
    "is_lifted": st.booleans(),
    "is_reserve": st.booleans(),
}
"""What each key may hold, by the kind and the key or by the key alone."""


def _entries_of(kind: type[EventEntry]) -> st.SearchStrategy[EventEntry]:
    values = {}
    for each in list_fields(kind):
        value = VALUES.get(f"{kind.kind}.{each.name}", VALUES[each.name])
        values[each.name] = value if each.default is MISSING else st.just(each.default) | value
    return st.builds(kind, **values)


ENTRIES = st.one_of([_entries_of(kind) for kind in KINDS.values()])
