# SPDX-License-Identifier: MIT
"""
What screens show of doubts: each cause once, in words and with its position.

The reader may doubt one die for several reasons, and then counts too few dice besides. The
journal keeps all of that. Players need the cause only, since one repair settles the rest.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from controller.base.languages.message import Message, Number, chain_messages, message
from controller.table.dice.roll_check import describe_missing, describe_surplus
from controller.table.events import PLACED, TURNED, UNSEEN, TrayDoubt, TrayLift
from controller.table.state import TableState
from controller.table.view.types import DoubtView

_COUNT, _UNSURE, _FOREIGN = "count", "unsure", "foreign object"

_TEXTS = {
    "cocked": message("A die leans. Lay it flat."),
    "stacked": message("Dice lie on or behind each other. Lay them apart."),
    "glare": message("Glare may hide pips. Turn the die or dim the light."),
    "off the felt": message("A die is not fully on the felt. Move it farther in."),
    _FOREIGN: message("This is not a die. Take it out."),
    _UNSURE: message("This can't be read for certain. Move it a little."),
}
"""What is wrong and what to do, by the kind of a doubt with a position."""

_UNLIKE = message("This die looks unlike the dice of this table. Take it out, or calibrate again.")

_UNCERTAIN_NUMBER = message(
    "The number of dice is not certain. Lay them apart, and take out what is too many."
)

_ALL_UNSURE = message("The dice can't be read for certain. Move them a little.")

_LABELS = {
    "cocked": message("leaning"),
    "stacked": message("stacked"),
    "touching": message("touching"),
    "glare": message("glare"),
    "off the felt": message("off the felt"),
    _FOREIGN: message("not a die"),
    _COUNT: message("number"),
    _UNSURE: message("unclear"),
    PLACED: message("set by hand"),
    UNSEEN: message("not seen"),
    TURNED: message("turned"),
    "no dome": message("dome"),
}

_HIDDEN = message("hidden here?")

_MOST_TELLING = ("no dome", "cocked", "stacked", "off the felt", "touching", "glare", _FOREIGN)
"""Kinds of doubts in the order in which they explain the other ones at the same position."""


_LIFTS = {
    "background": message("background"),
    "size": message("size"),
    "inside a die": message("inside a die"),
    "foot": message("foot"),
    "die": message("a die of this table"),
    "count": message("no die is missing"),
}
"""Why a doubt was removed, by the kind of its removal."""


def describe_lift(lift: TrayLift) -> Message:
    """Return a doubt that was removed, in words and numbers."""
    x, y = lift.center_px
    return message(
        "{why} at {x}, {y}, share {share}",
        why=_LIFTS.get(lift.kind, lift.kind),
        x=round(x),
        y=round(y),
        share=Number(lift.share_ppm / 1_000_000, ".2f"),
    )


def describe_doubt(kind: str, text: str, center_px: tuple[float, float] | None) -> str:
    """Return the text of a reader's doubt for a screen."""
    if isinstance(text, Message):
        return text
    if kind == _COUNT:
        return _UNCERTAIN_NUMBER
    if kind == _UNSURE and center_px is None:
        return _ALL_UNSURE
    if text == _UNLIKE:
        return _UNLIKE
    return _TEXTS.get(kind, text)


def list_causes(state: TableState) -> tuple[TrayDoubt, ...]:
    """Return the doubts without those that another one explains, in their order."""
    read = state.reading
    placed = _drop_explained([doubt for doubt in read.doubts if doubt.center_px is not None])
    dice = len(read.dice) + sum(doubt.kind != _FOREIGN for doubt in placed)
    wanted = len(state.play.polarities)
    whole = [doubt for doubt in read.doubts if doubt.center_px is None]
    if placed:
        whole = [doubt for doubt in whole if doubt.kind != _UNSURE]
        if len(read.dice) < wanted <= dice:
            whole = [doubt for doubt in whole if doubt.kind != _COUNT]
    shown = [_with_count(state, doubt, dice, wanted) for doubt in whole]
    return (*placed, *shown)


def show_doubts(state: TableState) -> list[DoubtView]:
    """Return the causes; a missing die is marked at the die that may hide it."""
    hider = state.reading.hider
    return [
        {
            "kind": doubt.kind,
            "label": _HIDDEN if place is hider else _LABELS.get(doubt.kind, doubt.kind),
            "text": doubt.text,
            "center_px": place.center_px,
            "radius_px": place.radius_px,
        }
        for doubt in list_causes(state)
        for place in ((hider if hider and doubt.kind == _COUNT else doubt),)
    ]


def _drop_explained(doubts: Sequence[TrayDoubt]) -> list[TrayDoubt]:
    """Return one doubt for each position: the one that says most about it."""
    ranked = sorted(doubts, key=_rank)
    shown: list[TrayDoubt] = []
    for doubt in ranked:
        if not any(_is_at(doubt, other) for other in shown):
            shown.append(doubt)
    return [doubt for doubt in doubts if doubt in shown]


def _rank(doubt: TrayDoubt) -> int:
    is_known = doubt.kind in _MOST_TELLING
    return _MOST_TELLING.index(doubt.kind) if is_known else len(_MOST_TELLING)


def _is_at(one: TrayDoubt, other: TrayDoubt) -> bool:
    """Return whether two doubts with positions are about the same spot."""
    if one.center_px is None or other.center_px is None:
        return False
    return math.dist(one.center_px, other.center_px) < max(one.radius_px, other.radius_px)


def _with_count(state: TableState, doubt: TrayDoubt, dice: int, wanted: int) -> TrayDoubt:
    """Return the reader's doubt about the number of dice in words: what is missing or too many."""
    if doubt.kind != _COUNT or isinstance(doubt.text, Message):
        return doubt
    if dice == wanted:
        # The reader saw one more that is no die, or another number was wanted then.
        return replace(doubt, text=_UNCERTAIN_NUMBER)
    if dice > wanted:
        return replace(doubt, text=describe_surplus(dice, wanted))
    remedy = message("Lay all dice apart and flat.")
    missing = describe_missing(len(state.reading.dice), wanted)
    return replace(doubt, text=chain_messages([missing, remedy]))
