# SPDX-License-Identifier: MIT
"""Kinds, keys, cameras and dice that no table writes are reported, each once."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.journal.hashchain import Body, Value
from controller.journal.signing_key import TableKey
from controller.verify.claims.requests import OUTCOMES
from controller.verify.findings import Finding, FindingKind
from controller.verify.output import build_json, format_text
from controller.verify.verify import VerifyResult, verify_journal
from tests.controller.verify.journals import SignedJournal, breaks_of, notes_of, places_of
from tests.support.random_journal import lying


class Claims:
    """A journal to which a test adds entries as it likes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = SignedJournal(TableKey.load_or_create(folder))

    def add(self, kind: str, body: Body | None = None) -> int:
        self.journal.add(kind, body or {})
        return len(self.journal.entries)

    def read(self, **more: Value) -> int:
        """Add a reading of five dice; return its line."""
        body: Body = {"by": "", "held": "", "lie": lying(list("13446")), "doubts": []}
        where: Body = {"crop_px": [0, 0, 640, 360], "frame_px": [640, 360], "picture": ""}
        return self.add("reading", {**body, **where, **more})

    def checked(self) -> VerifyResult:
        self.journal.write(self.folder)
        return verify_journal(self.folder, rereads=False)

    def notes(self, kind: FindingKind) -> list[Finding]:
        return [note for note in notes_of(self.checked()) if note.kind is kind]


@pytest.fixture
def claims(tmp_path: Path) -> Claims:
    return Claims(tmp_path)


def changed_die(**more: Value) -> list[Value]:
    first, *others = lying(list("13446"))
    assert isinstance(first, dict)
    return [{**first, **more}, *others]


def test_an_unknown_kind_is_told_once(claims: Claims) -> None:
    line = claims.add("weather", {"wind": 3})
    claims.add("weather", {"wind": 4})
    (note,) = claims.notes(FindingKind.UNKNOWN_KIND)
    assert (note.line, note.found) == (line, "weather")
    assert places_of(claims.checked()) == []


@pytest.mark.parametrize(
    ("kind", "body", "found"),
    [
        ("pause", {"wind": 3}, "wind"),
        ("reading", {"lie": [{**changed_die()[0], "weight": 4}]}, "lie.weight"),  # type: ignore[dict-item]
        ("reading", {"doubts_at": [{"z_mpx": 4}]}, "doubts_at.z_mpx"),
        ("correction", {"undone": [{"by": "Ada", "why": ""}]}, "undone.why"),
    ],
)
def test_an_undocumented_key_is_told_once(
    claims: Claims, kind: str, body: Body, found: str
) -> None:
    line = claims.add(kind, body)
    claims.add(kind, body)
    (note,) = claims.notes(FindingKind.UNKNOWN_KEY)
    assert (note.line, note.found) == (line, found)


def test_a_simulated_camera_is_told_once(claims: Claims) -> None:
    claims.add("restart", {"camera": "usb 0"})
    line = claims.add("restart", {"camera": "simulated"})
    claims.add("restart", {"camera": "simulated"})
    (note,) = claims.notes(FindingKind.SIMULATED)
    assert note.line == line
    examined = claims.checked()
    assert build_json(examined)["cameras"] == ("usb 0", "simulated")
    assert "cameras: usb 0, simulated\n" in format_text(examined)


def test_frames_of_another_size_are_told_unless_one_came_back(claims: Claims) -> None:
    claims.read(picture="ab" * 32)
    line = claims.read(picture="cd" * 32, frame_px=[1280, 720])
    claims.add("back", {"device": "camera"})
    claims.read(picture="ef" * 32)
    (note,) = claims.notes(FindingKind.CAMERA)
    assert (note.line, note.expected, note.found) == (line, "640 x 360", "1280 x 720")


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"lie": changed_die(face=8)}, "8"),
        ({"lie": changed_die(polarity="grey")}, "grey"),
        ({"lie": changed_die(origin="dreamt")}, "dreamt"),
        ({"lie": changed_die(was=3)}, "3, thrown"),
        ({"lie": changed_die(origin="turned")}, "0, turned"),
        ({"lie": changed_die(confidence_ppm=1_000_001)}, "1000001"),
        ({"lie": changed_die(x_mpx=700_000)}, "(700.0, 90.0)"),
        ({"lie": changed_die(edge_mpx=10**12)}, "1000000000.0"),
        ({"lie": changed_die(edge_mpx=0)}, "0.0"),
        ({"doubts": ["cocked: It leans."], "doubts_at": []}, "0"),
        ({"doubts": ["haunted: It moves."]}, "haunted: It moves."),
    ],
)
def test_what_no_table_writes_is_a_break(claims: Claims, more: Body, found: str) -> None:
    line = claims.read(**more)
    (finding,) = breaks_of(claims.checked())
    assert (finding.kind, finding.line, finding.found) == (FindingKind.IMPOSSIBLE, line, found)


def test_a_kept_die_that_nothing_showed_before_is_told(claims: Claims) -> None:
    game: Body = {"game": "wuerfelspiel", "players": ["Ada"], "options": {}}
    claims.add("game", game)

    def roll(lie: list[Value]) -> int:
        faces = "".join(str(die["face"]) for die in lie if isinstance(die, dict))
        body: Body = {"by": "Ada", "held": "", "roll": faces, "by_hand": "", "doubts": []}
        return claims.add("roll", {**body, "lie": lie, "picture": ""})

    roll(lying(list("13446")))
    claims.add("action", {"by": "Ada", "do": "sixes*1"})
    roll([{**die, "origin": "kept"} if index else die for index, die in enumerate(lying("23446"))])  # type: ignore[dict-item]
    claims.add("action", {"by": "Ada", "do": "fours*1"})
    claims.read(lie=lying(list("11112")))
    line = roll([{**die, "origin": "kept"} for die in lying("23455")])  # type: ignore[dict-item]
    # Nobody knows what lay there before a game.
    claims.add("game", game)
    roll([{**die, "origin": "kept"} for die in lying("66666")])  # type: ignore[dict-item]
    (note,) = claims.notes(FindingKind.ORIGIN)
    assert (note.line, note.found) == (line, "light 5 light 5")


ASKED: Body = {"dice": 3, "for": "Zoe", "why": "The dragon wakes.", "by": "Dungeon"}
GAME: Body = {"game": "dice", "players": ["Ada"], "options": {"dice": 3}}
RESULT: Body = {"totals": {"Ada": 13}, "winners": [], "losers": []}


def answer(faces: str = "346", roll: str = "", **more: Value) -> Body:
    where: Body = {"crop_px": [0, 0, 640, 360], "frame_px": [640, 360], "picture": ""}
    body: Body = {"by": "Zoe", "held": "", "lie": lying(list(faces)), "doubts": [], "by_hand": ""}
    return {**body, **where, "roll": roll or faces, **more}


def told(claims: Claims, *entries: tuple[str, Body]) -> list[tuple[int, str]]:
    """Add entries, and return number and text of each break."""
    before = len(claims.journal.entries)
    for kind, body in entries:
        claims.add(kind, body)
    return [(found.line - before, found.what) for found in breaks_of(claims.checked())]


def test_requests_as_tables_write_them_are_sound(claims: Claims) -> None:
    ended = [("request_ended", {"outcome": outcome}) for outcome in OUTCOMES]
    unsure: Body = {**answer("34"), "doubts": ["cocked: A die leans."]}
    del unsure["roll"], unsure["by_hand"]
    entries: list[tuple[str, Body]] = [("request", ASKED), ("answer", answer())]
    for end in ended:
        entries += [("request", ASKED), ("reading", unsure), ("pause", {}), ("resume", {}), end]
    entries += [("request", ASKED), ("restart", {"software": "x"})]
    entries += [("answer", answer("34", "346", by_hand="Eva"))]
    entries += [("game", GAME), ("parked", {}), ("request", ASKED), ended[0], ("continued", {})]
    entries += [("closed", {}), ("request", ASKED), ("answer", answer("163", "136"))]
    entries += [("game", GAME), ("roll", {**answer(), "by": "Ada"})]
    entries += [("action", {"by": "Ada", "do": "end", "result": RESULT}), ("request", ASKED)]
    assert told(claims, *entries) == []


@pytest.mark.parametrize(
    ("entries", "line", "what"),
    [
        ([("answer", answer())], 1, "no request is open before this answer"),
        (
            [("request", ASKED), ("request_ended", {"outcome": "expired"}), ("answer", answer())],
            3,
            "no request is open before this answer",
        ),
        (
            [("request", ASKED), ("answer", answer()), ("request_ended", {"outcome": "expired"})],
            3,
            "no request is open before this request_ended",
        ),
        (
            [("request", ASKED), ("answer", answer("346", "666"))],
            2,
            "the roll of this answer is not that of its dice",
        ),
        (
            [("request", ASKED), ("answer", answer("3466"))],
            2,
            "the answer has another number of dice than its request",
        ),
        (
            [("request", ASKED), ("answer", answer(by="Ada"))],
            2,
            "the answer is of another person than its request asks",
        ),
        ([("request", ASKED), ("answer", answer("346", "3x6"))], 2, "this answer is no roll"),
        (
            [("request", ASKED), ("answer", answer(lie=changed_die(x_mpx=10**400)))],
            2,
            "this answer is no roll",
        ),
        ([("request", ASKED), ("request", ASKED)], 2, "is still open at this request"),
        ([("request", ASKED), ("game", GAME)], 2, "is still open at this game"),
        ([("game", GAME), ("request", ASKED)], 2, "a game is played at this request"),
        (
            [("request", ASKED), ("request_ended", {"outcome": "answered"})],
            2,
            "no request ends like this",
        ),
        ([("request", {**ASKED, "dice": 21})], 1, "that no table takes"),
        ([("request", {**ASKED, "dice": True})], 1, "that no table takes"),
    ],
)
def test_forged_requests_and_answers_are_told(
    claims: Claims, entries: list[tuple[str, Body]], line: int, what: str
) -> None:
    """An owner may sign any journal, but not one in which requests end as they never do."""
    ((found, text),) = told(claims, *entries)
    assert (found, what) == (line, what if what in text else text)


def test_a_missing_line_is_one_break(claims: Claims) -> None:
    """What was before it is not known, so an answer after it may be right."""
    for kind, body in (("request", ASKED), ("answer", answer()), ("pause", {})):
        claims.add(kind, body)
    del claims.journal.entries[-3]
    (found,) = breaks_of(claims.checked())
    assert found.kind is FindingKind.MISSING
