# SPDX-License-Identifier: MIT
"""One cause is one message: what a screen shows of a reader's doubts."""

from __future__ import annotations

import numpy as np
import pytest

from controller.base.languages.message import Message
from controller.runtime.frame_events import to_seen_doubt
from controller.table.events import MotionStarted, MotionStopped, ReadingDoubtful, TrayDoubt
from controller.table.view.doubts import describe_doubt
from controller.table.view.snapshot import build_snapshot
from tests.support.table import dice_of, play, table
from tests.vision.faces import make_face
from vision.checks.messages import UNLIKE, doubt_about, doubt_at, doubt_under_dome
from vision.reading import Doubt, DoubtKind

LEANS = TrayDoubt("cocked", "A die leans. Lay it flat.", (100.0, 100.0), 30.0)
UNCLEAR = TrayDoubt("unsure", "unclear", (110.0, 104.0), 20.0)
FEW = TrayDoubt("count", "4 of 5 dice are read. Lay all of them apart and flat.")
COIN = TrayDoubt("foreign object", "This is not a die. Take it out.", (400.0, 90.0), 25.0)


def shown(*doubts: TrayDoubt, dice: str = "1344") -> tuple[str, list[str], str]:
    doubtful = ReadingDoubtful(doubts, dice_of(dice))
    state = play(table(), MotionStarted(), MotionStopped(), doubtful)
    assert state.reading.doubts == doubts, "the journal keeps every doubt"
    view = build_snapshot(state, version=1)
    assert view["notice"] is not None
    texts = [doubt["text"] for doubt in view["doubts"]]
    return view["headline"], texts, f"{view['notice']['text']} {view['notice']['mend']}".strip()


def test_a_leaning_die_is_named_once() -> None:
    text = "A die leans. Lay it flat."
    for order in ((LEANS, UNCLEAR, FEW), (UNCLEAR, LEANS, FEW), (FEW, UNCLEAR, LEANS)):
        assert shown(*order) == ("A die leans", [text], text)


def test_a_missing_die_is_named_with_its_number() -> None:
    text = "One die is missing: 4 of 5 are read. Lay all dice apart and flat."
    assert shown(FEW) == ("One die is missing", [text], text)
    few = TrayDoubt("count", "3 of 5 dice are read.")
    assert shown(few, dice="134")[0] == "2 dice are missing"
    assert shown(few, dice="134466")[0] == "One die too many"


@pytest.mark.parametrize("others", [(), (COIN,)], ids=["alone", "beside a coin"])
def test_a_number_in_doubt_has_words_of_every_language(others: tuple[TrayDoubt, ...]) -> None:
    many = TrayDoubt("count", "6 dice are seen instead of 5. Take out what is too many.")
    doubtful = ReadingDoubtful((*others, many), dice_of("13446"))
    state = play(table(), MotionStarted(), MotionStopped(), doubtful)
    text = build_snapshot(state, version=1)["doubts"][-1]["text"]
    assert isinstance(text, Message)
    assert text.startswith("The number of dice is not certain.")


def test_two_causes_are_two_messages() -> None:
    _, texts, _ = shown(LEANS, FEW, dice="134")
    assert texts[0] == "A die leans. Lay it flat."
    assert texts[1].startswith("2 dice are missing: 3 of 5 are read.")
    _, texts, _ = shown(COIN, FEW)
    assert len(texts) == 2, "a coin does not explain why a die is missing"


def test_a_leaning_die_beside_all_the_others_is_too_many() -> None:
    many = TrayDoubt("count", "6 dice are seen instead of 5. Take out what is too many.")
    _, texts, _ = shown(LEANS, many, dice="13445")
    assert texts == [
        "A die leans. Lay it flat.",
        "There is one die too many: 6 instead of 5. Remove one die.",
    ]


def test_two_leaning_dice_are_both_marked() -> None:
    other = TrayDoubt("cocked", LEANS.text, (300.0, 100.0), 30.0)
    state = play(
        table(), MotionStarted(), MotionStopped(), ReadingDoubtful((LEANS, other), dice_of("134"))
    )
    assert len(build_snapshot(state, version=1)["doubts"]) == 2


def test_every_doubt_of_the_reader_has_a_message() -> None:
    for kind in DoubtKind:
        if kind in (DoubtKind.COUNT, DoubtKind.PLACED, DoubtKind.TOUCHING, DoubtKind.NO_DOME):
            continue
        doubt = doubt_at(kind, np.array([10.0, 10.0]), 5.0)
        under_dome = doubt_under_dome(doubt)
        assert isinstance(under_dome.text, Message), kind
        assert under_dome.text != doubt.text
        assert to_seen_doubt(under_dome).text == under_dome.text
        text = to_seen_doubt(doubt).text
        assert isinstance(text, Message), kind
        assert text == doubt.text, "the command line and the table say the same"
    unlike = doubt_about(DoubtKind.UNSURE, make_face(10, 10), UNLIKE)
    assert isinstance(to_seen_doubt(unlike).text, Message)
    assert to_seen_doubt(unlike).text == unlike.text
    whole = to_seen_doubt(Doubt(DoubtKind.UNSURE, "the frames do not agree"))
    assert isinstance(whole.text, Message)
    count = Doubt(DoubtKind.COUNT, "4 of 5")
    assert isinstance(describe_doubt("count", count.text, None), Message)
    assert to_seen_doubt(count).text == "4 of 5", "the journal keeps what the reader counted"
