# SPDX-License-Identifier: MIT
"""
A twin of the rules: every game a second time, slow and plain, to compare with.

It is written from the rules of the games alone and shares nothing with the product: it
takes the lines of a record as the objects that they hold, and answers what a replay
prints. Where the product is clever the twin counts on its fingers: it tries all orders
of the dice, keeps its books in dicts and lists, and changes them in place.
"""

from __future__ import annotations

from tests.support.twin.black_n_white import BlackNWhiteTwin
from tests.support.twin.choice import ChoiceTwin
from tests.support.twin.dice import DiceTwin
from tests.support.twin.table import Record, Refused, Twin, Written
from tests.support.twin.wuerfelspiel import WuerfelspielTwin

__all__ = ["TWINS", "Record", "Refused", "Twin", "Written", "twin_of"]

TWINS: dict[str, type[Twin]] = {
    "choice": ChoiceTwin,
    "black-n-white": BlackNWhiteTwin,
    "wuerfelspiel": WuerfelspielTwin,
    "dice": DiceTwin,
}


def twin_of(header: Record) -> Twin:
    return TWINS[str(header["game"])](header)
