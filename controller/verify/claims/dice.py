# SPDX-License-Identifier: MIT
"""
Check what a reading says of its dice, without its picture.

No reader and no table writes a die with eight pips, an origin that does not exist, a die outside
the frame, or a face before that a die never showed. A die that stayed was seen before. The dice
of the last readings are known, but not those that came to rest while nothing was recorded: so a
die that stayed without being seen before is only a note.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from controller.base.errors import InputError
from controller.journal.entries import READ, ROLLS
from controller.journal.hashchain import Body, Entry
from controller.table.events import KEPT, PLACED, TURNED, UNSEEN, TrayDie
from controller.table.reading_codec import decode_dice, decode_picture_info
from controller.verify.findings import Finding, FindingKind
from vision.reading import DoubtKind, Origin, Polarity

_ORIGINS = frozenset({"", *(origin.value for origin in Origin)} - {Origin.PRESENT.value})
_POLARITIES = frozenset(polarity.value for polarity in Polarity)
_DOUBT_KINDS = frozenset({*(kind.value for kind in DoubtKind), TURNED, PLACED, UNSEEN})
_MOST_PPM = 1_000_000


class DiceClaimsCheck:
    """The check of the dice that entries hold."""

    def __init__(self) -> None:
        # Face and polarity of the dice seen since the last roll, that roll included; `None`
        # while it is unknown what lies in the tray.
        self._seen: Counter[tuple[int, str]] | None = None

    def check_entry(self, entry: Entry) -> Iterator[Finding]:
        """Check the next entry. Malformed dice are reported where they are replayed or reread."""
        if entry.kind in ("game", "request", "correction", "restart") or entry.body.get("by_hand"):
            self._seen = None
        if entry.kind not in READ:
            return
        try:
            dice, shot = decode_dice(entry.body), decode_picture_info(entry.body)
        except (InputError, LookupError, TypeError, ValueError, ArithmeticError):
            return
        claims = (*_find_impossible(dice, shot.frame_wh), *_find_odd_doubts(entry.body))
        for expected, found in claims:
            what = f"no table writes this of a {entry.kind}"
            yield Finding(FindingKind.IMPOSSIBLE, what, expected=expected, found=found)
        if not entry.body.get("by_hand"):
            yield from self._check_kept(entry.kind, dice)

    def _check_kept(self, kind: str, dice: Sequence[TrayDie]) -> Iterator[Finding]:
        now = Counter((die.face, die.polarity) for die in dice)
        if kind in ROLLS and self._seen is not None:
            kept = Counter((die.face, die.polarity) for die in dice if die.origin == KEPT)
            if strange := kept - self._seen:
                what = "a die is recorded as kept, and no reading since the last roll shows it"
                faces = " ".join(f"{polarity} {face}" for face, polarity in strange.elements())
                yield Finding(FindingKind.ORIGIN, what, found=faces)
        self._seen = now if kind in ROLLS else None if self._seen is None else self._seen | now


def _find_impossible(
    dice: Sequence[TrayDie], frame_wh: tuple[int, int]
) -> Iterator[tuple[str, str]]:
    """Yield what was expected and what was found for each field that cannot be."""
    for die in dice:
        if die.face not in range(1, 7):
            yield "a face from 1 to 6", str(die.face)
        if die.polarity not in _POLARITIES:
            yield f"the polarity {' or '.join(sorted(_POLARITIES))}", die.polarity
        if die.origin not in _ORIGINS:
            yield f"an origin among {', '.join(sorted(_ORIGINS - {''}))}", die.origin
        if (die.origin == TURNED) != bool(die.was) or die.was not in range(7):
            yield "`was` from 1 to 6 for a turned die, and 0 for others", f"{die.was}, {die.origin}"
        if not 0 <= die.confidence_ppm <= _MOST_PPM:
            yield f"`confidence_ppm` up to {_MOST_PPM}", str(die.confidence_ppm)
        is_within = all(-1 <= at <= size for at, size in zip(die.center_px, frame_wh, strict=True))
        if frame_wh[0] and not is_within:
            yield f"a die within a frame of {frame_wh[0]} x {frame_wh[1]}", str(die.center_px)
        if frame_wh[0] and not 0 < die.edge_px <= min(frame_wh):
            # A larger one would be near every die of its picture.
            yield f"an edge of at most {min(frame_wh)} pixels", str(die.edge_px)


def _find_odd_doubts(body: Body) -> Iterator[tuple[str, str]]:
    doubts, places = body.get("doubts"), body.get("doubts_at")
    if not isinstance(doubts, list):
        return
    if isinstance(places, list) and len(places) != len(doubts):
        yield f"{len(doubts)} places in `doubts_at`", str(len(places))
    for doubt in doubts:
        kind, separator, _ = str(doubt).partition(": ")
        if not separator or kind not in _DOUBT_KINDS:
            yield f"a doubt of a kind among {', '.join(sorted(_DOUBT_KINDS))}", str(doubt)
