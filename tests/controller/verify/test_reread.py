# SPDX-License-Identifier: MIT
"""What a picture shows now, against what the journal says: which difference is a break."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from controller.journal.hashchain import Body, Value
from controller.journal.picture_store import PictureStore
from controller.journal.signing_key import TableKey
from controller.verify.findings import FindingKind
from controller.verify.output import build_json
from controller.verify.reread import RereadOutcome
from controller.verify.verify import VerifyResult, verify_journal
from tests.controller.verify.journals import SignedJournal, breaks_of, kinds_of, notes_of, places_of
from tests.vision.mapped import upright_map
from vision.frame import Image
from vision.image_files import encode_jpeg
from vision.reading import DieReading, Doubt, DoubtKind, Lift, LiftKind, Polarity, TrayReading
from vision.table_model.model_text import StoredModel
from vision.tray_map import TrayMap

EDGE_PX = 40.0


def lying(faces: Sequence[int], origin: str = "thrown") -> list[Value]:
    return [
        {
            "face": face,
            "polarity": "light",
            "colour": "white",
            "x_mpx": 100_000 * place,
            "y_mpx": 50_000,
            "angle_mdeg": 0,
            "edge_mpx": round(1000 * EDGE_PX),
            "origin": origin,
            "was": 0,
        }
        for place, face in enumerate(faces)
    ]


def die(place: int, face: int, *, off_px: float = 3.0) -> DieReading:
    center = (100.0 * place + off_px, 50.0)
    corners = (center,) * 4
    return DieReading(face, Polarity.LIGHT, "white", center, corners, 0.0, EDGE_PX, (0.0, 0.0), 1.0)


def shown(*faces: int, doubts: tuple[Doubt, ...] = ()) -> TrayReading:
    return TrayReading(tuple(die(place, face) for place, face in enumerate(faces)), doubts)


def noise() -> Image:
    """Return a picture with something in every place."""
    return np.random.default_rng(1).integers(0, 256, (360, 640, 3), np.uint8)


UNSURE = Doubt(DoubtKind.GLARE, "A lamp shines on a die. Move it.")
SAME = shown(1, 3, 4, 4, 6)


@dataclass
class Reader:
    """Reads what a test says, and remembers what it was given."""

    reading: TrayReading
    seen: list[tuple[tuple[int, ...], int | None]] = field(default_factory=list)
    maps: list[TrayMap | None] = field(default_factory=list)
    models: list[StoredModel | None] = field(default_factory=list)
    alone: TrayReading | None = None

    def by(self, tray: TrayMap | None, model: StoredModel | None) -> Reader:
        self.maps.append(tray)
        self.models.append(model)
        return self

    def read(self, image_bgr: Image, *, expect: int | None = None) -> TrayReading:
        self.seen.append((image_bgr.shape, expect))
        is_alone = self.alone is not None and self.models[-1] is None
        return self.alone if is_alone and self.alone else self.reading


class Played:
    """A journal with one roll of the Würfelspiel, and its picture."""

    def __init__(self, folder: Path, *, start: Body | None = None) -> None:
        self.folder = folder
        self.journal = SignedJournal(TableKey.load_or_create(folder))
        picture = encode_jpeg(np.zeros((30, 40, 3), np.uint8))
        self.digest = PictureStore(folder).store(picture)
        for kind, body in (start or {}).items():
            assert isinstance(body, dict)
            self.journal.add(kind, body)
        game: Body = {"game": "wuerfelspiel", "players": ["Ada"], "options": {}}
        self.journal.add("game", game)

    def roll(self, **more: Value) -> int:
        """Add the roll 13446, in later rolls with the dice where they are; return its line."""
        is_first = all(entry.kind != "roll" for entry in self.journal.entries)
        body: Body = {
            "by": "Ada",
            "held": "",
            "roll": "13446",
            "by_hand": "",
            "lie": lying([1, 3, 4, 4, 6], "thrown" if is_first else "kept"),
            "doubts": [],
            "picture": self.digest,
        }
        self.journal.add("roll", {**body, **more})
        return len(self.journal.entries)

    def act(self, action: str) -> None:
        self.journal.add("action", {"by": "Ada", "do": action})

    def checked(self, reader: Reader) -> VerifyResult:
        self.journal.write(self.folder)
        return verify_journal(self.folder, create_reader=reader.by)


@pytest.fixture
def played(tmp_path: Path) -> Played:
    return Played(tmp_path)


def test_a_reread_of_the_same_dice_with_the_known_count_is_fine(played: Played) -> None:
    played.roll()
    reader = Reader(SAME)
    examined = played.checked(reader)
    assert places_of(examined) == []
    assert examined.reread == {RereadOutcome.SAME: 1}
    assert reader.seen == [((30, 40, 3), 5)]
    assert reader.maps == [None]


def test_another_face_is_a_break_with_its_place(played: Played) -> None:
    line = played.roll()
    (finding,) = breaks_of(played.checked(Reader(shown(1, 3, 5, 4, 6))))
    assert (finding.kind, finding.line) == (FindingKind.READ_OTHERWISE, line)
    assert (finding.expected, finding.found) == ("1 3 4 4 6", "1 3 5 4 6")
    assert finding.neighbours == ("At 200,50 the journal has light 4 and the picture light 5")


@pytest.mark.parametrize(
    ("reading", "doubts"),
    [
        (shown(1, 3, 4, 4), []),
        (shown(1, 3, 4, 4, 6, 6), []),
        (shown(), []),
        (shown(1, 3, 5, 4, 6, doubts=(UNSURE,)), ["placed: A hand set the 4."]),
    ],
)
def test_other_dice_are_a_break_even_beside_a_doubt(
    played: Played, reading: TrayReading, doubts: list[Value]
) -> None:
    line = played.roll(doubts=doubts)
    assert places_of(played.checked(Reader(reading))) == [(FindingKind.READ_OTHERWISE, line)]


def test_a_picture_that_is_not_certain_any_more_is_a_note(played: Played) -> None:
    played.digest = PictureStore(played.folder).store(encode_jpeg(noise()))
    line = played.roll()
    examined = played.checked(Reader(shown(1, 3, 4, 4, doubts=(UNSURE,))))
    assert places_of(examined) == []
    (note,) = [note for note in notes_of(examined) if note.kind is FindingKind.UNSURE_NOW]
    assert note.line == line
    assert note.found == f"1 3 4 4, unsure: glare: {UNSURE.text}"
    assert examined.reread == {RereadOutcome.UNSURE: 1}


def test_an_area_of_one_colour_is_no_die(played: Played) -> None:
    picture = noise()
    picture[0:110, 340:460] = 90
    played.digest = PictureStore(played.folder).store(encode_jpeg(picture))
    line = played.roll()
    examined = played.checked(Reader(shown(1, 3, 4, doubts=(UNSURE,))))
    (finding,) = breaks_of(examined)
    assert (finding.kind, finding.line) == (FindingKind.READ_OTHERWISE, line)
    assert finding.what == "the picture of this roll shows no die where the journal has one"
    assert examined.reread == {RereadOutcome.OTHER: 1}


def test_a_picture_without_any_of_the_dice_is_a_break(played: Played) -> None:
    """A doubt far from all of them does not explain where they are; one near to a die does."""
    far = Doubt(DoubtKind.FOREIGN_OBJECT, "Something lies here.", (600.0, 300.0), 30.0)
    near = replace(far, center_px=(110.0, 60.0))
    played.digest = PictureStore(played.folder).store(encode_jpeg(noise()))
    line = played.roll()
    for doubt, places in ((far, [(FindingKind.READ_OTHERWISE, line)]), (near, [])):
        assert places_of(played.checked(Reader(shown(doubts=(doubt,))))) == places


def test_dice_where_those_of_an_earlier_roll_lay_are_a_break(tmp_path: Path) -> None:
    """The second picture is the first one with other bytes, so its digest differs."""
    played = Played(tmp_path)
    first = played.roll()
    played.act("sixes*1")
    again = PictureStore(tmp_path).store(encode_jpeg(np.zeros((30, 40, 3), np.uint8), quality=85))
    second = played.roll(picture=again, lie=lying([1, 3, 4, 4, 6]))
    (finding,) = breaks_of(played.checked(Reader(SAME)))
    assert (finding.kind, finding.line) == (FindingKind.PICTURE_TWICE, second)
    assert finding.what.endswith(f"where those of line {first} were")


def test_a_doubt_that_the_picture_does_not_show_is_told(played: Played) -> None:
    line = played.roll(by_hand="Eva", doubts=["cocked: A die leans."])
    examined = played.checked(Reader(SAME))
    (note,) = [note for note in notes_of(examined) if note.kind is FindingKind.DOUBT_UNSEEN]
    assert (note.line, note.expected) == (line, "cocked: A die leans.")
    assert note.found == "1 3 4 4 6"


@pytest.mark.parametrize(
    "error", [cv2.error("out of range"), RecursionError("deep"), MemoryError()]
)
def test_whatever_a_reader_dies_of_is_a_finding(played: Played, error: Exception) -> None:
    class Dying(Reader):
        def read(self, image_bgr: Image, *, expect: int | None = None) -> TrayReading:
            raise error

    line = played.roll()
    (finding,) = breaks_of(played.checked(Dying(shown())))
    assert (finding.kind, finding.line) == (FindingKind.READ_OTHERWISE, line)
    assert finding.found


@pytest.mark.parametrize("text", ["[" * 100_000, '{"felt_mm": [[1e400]]}'])
def test_a_map_that_is_none_is_told(tmp_path: Path, text: str) -> None:
    played = Played(tmp_path, start={"restart": {"calibration": text}})
    line = played.roll()
    assert places_of(played.checked(Reader(SAME))) == [(FindingKind.READ_OTHERWISE, line)]


def test_a_roll_entered_by_hand_is_a_note_with_the_pictures_dice(played: Played) -> None:
    played.roll(by_hand="Eva", dice_on_felt=lying([1, 3, 4, 4]))
    examined = played.checked(Reader(shown(1, 3, 5, 4, 6)))
    assert places_of(examined) == []
    (note,) = [note for note in notes_of(examined) if note.kind is FindingKind.BY_HAND]
    assert note.what == "this roll was entered by hand by Eva: 13446"
    assert note.found == "1 3 5 4 6"


def test_a_corrected_roll_is_a_note_with_the_pictures_dice(played: Played) -> None:
    played.roll()
    body: Body = {
        "by": "Eva",
        "reason": "It is a 5.",
        "was": "13446",
        "roll": "13546",
        "picture": played.digest,
        "undone": [],
    }
    played.journal.add("correction", body)
    line = len(played.journal.entries)
    examined = played.checked(Reader(shown(1, 3, 5, 4, 6)))
    assert places_of(examined) == []
    (note,) = [note for note in notes_of(examined) if note.kind is FindingKind.BY_HAND]
    assert (note.line, note.found) == (line, "1 3 5 4 6")
    assert note.what == "the roll 13446 was corrected to 13546 by Eva"


def test_a_reading_that_nobody_took_is_read_again_too(played: Played) -> None:
    for doubts, kind in (
        ([], FindingKind.READ_OTHERWISE),
        (["glare: A lamp."], FindingKind.UNSURE_NOW),
    ):
        body: Body = {
            "by": "Ada",
            "held": "",
            "lie": lying([1, 3, 4, 4, 6]),
            "doubts": doubts,
            "picture": played.digest,
        }
        played.journal.add("reading", body)
        line = len(played.journal.entries)
        examined = played.checked(Reader(shown(1, 3, 5, 4, 6)))
        told = [*breaks_of(examined), *notes_of(examined)]
        assert [finding.line for finding in told if finding.kind is kind] == [line]


def test_a_picture_that_was_shown_and_then_taken_is_read_once(played: Played) -> None:
    said: Body = {"lie": lying([1, 3, 4, 4, 6]), "doubts": [], "picture": played.digest}
    played.journal.add("reading", {"by": "Ada", "held": "", **said})
    played.roll()
    reader = Reader(SAME)
    examined = played.checked(reader)
    assert places_of(examined) == []
    assert examined.reread == {RereadOutcome.SAME: 2}
    assert len(reader.seen) == 1


def test_the_kept_part_of_a_frame_is_read_in_its_place(played: Played) -> None:
    played.roll(crop_px=[100, 60, 40, 30], frame_px=[640, 360])
    reader = Reader(SAME)
    assert places_of(played.checked(reader)) == []
    assert reader.seen == [((360, 640, 3), 5)]


@pytest.mark.parametrize(
    "wrong",
    [
        {"crop_px": [0, 0, 41, 30], "frame_px": [640, 360]},
        {"crop_px": [620, 0, 40, 30], "frame_px": [640, 360]},
        {"crop_px": [0, 0, 40, 30], "frame_px": [10**9, 10**9]},
        {"crop_px": [0, 0, 40], "frame_px": [640, 360]},
        {"crop_px": ["0", 0, 40, 30], "frame_px": [640, 360]},
    ],
)
def test_a_place_that_cannot_be_is_told(played: Played, wrong: dict[str, Value]) -> None:
    line = played.roll(**wrong)
    found = places_of(played.checked(Reader(SAME)))
    assert (FindingKind.READ_OTHERWISE, line) in found


def test_a_file_that_is_no_picture_is_told(played: Played, tmp_path: Path) -> None:
    played.digest = PictureStore(tmp_path).store(b"no picture")
    line = played.roll()
    assert places_of(played.checked(Reader(SAME))) == [(FindingKind.READ_OTHERWISE, line)]


def test_pictures_are_read_by_the_map_of_their_time(tmp_path: Path) -> None:
    first, second = upright_map(), replace(upright_map(), die_edge_mm=16.0)
    start: Body = {"restart": {"torn": "", "calibration": first.to_json()}}
    played = Played(tmp_path, start=start)
    played.roll()
    played.act("sixes*1")
    played.journal.add("calibration", {"calibration": second.to_json()})
    other = PictureStore(tmp_path).store(encode_jpeg(np.ones((30, 40, 3), np.uint8)))
    played.roll(picture=other)
    reader = Reader(SAME)
    assert places_of(played.checked(reader)) == []
    assert reader.maps == [first, second]


def test_the_own_dice_of_older_versions_change_nothing(tmp_path: Path) -> None:
    """Their rolls are read by the nets alone now, mostly with the same result."""
    played = Played(tmp_path, start={"own_dice": {"own_dice": "{}"}})
    played.roll()
    examined = played.checked(Reader(SAME))
    assert places_of(examined) == []
    assert FindingKind.UNKNOWN_KIND not in kinds_of(notes_of(examined))


OLDER, OTHER = '{"version":1}', '{"size":2,"version":1}'
"""Models of a version whose rolls do not name them."""

NAMED = '{"background":null,"version":2}'
"""A model that rolls name, as far as the readings of these tests need it."""


@pytest.mark.parametrize(
    ("alone", "with_table"),
    [(SAME, 0), (replace(SAME, doubts=(UNSURE,)), 1)],
)
def test_a_roll_is_certain_alone_or_with_the_table(
    played: Played, alone: TrayReading, with_table: int
) -> None:
    played.journal.add("table_model", {"table_model": OLDER})
    played.roll()
    reader = Reader(replace(SAME, lifts=(LIFT,)), alone=alone)
    examined = played.checked(reader)
    assert places_of(examined) == []
    assert reader.models == [StoredModel(OLDER), None]
    assert examined.with_table == with_table
    assert build_json(examined)["with_table"] == with_table


LIFT = Lift(LiftKind.BACKGROUND, (10.0, 10.0), 5.0, 0.02)
CLAIM: Body = {
    "kind": "background",
    "x_mpx": 10_500,
    "y_mpx": 10_000,
    "radius_mpx": 5_000,
    "share_ppm": 30_000,
}


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ([CLAIM], ""),
        ([], "none"),
        ([{**CLAIM, "kind": "size"}], "size at 10, 10, share 0.03"),
        ([{**CLAIM, "x_mpx": 90_000}], "background at 90, 10, share 0.03"),
        ([CLAIM, {**CLAIM, "x_mpx": 90_000}], "background at 90, 10, share 0.03"),
    ],
)
def test_a_roll_names_what_the_table_removed(
    played: Played, claims: list[Value], expected: str
) -> None:
    played.journal.add("table_model", {"table_model": NAMED})
    played.roll(table_model=StoredModel(NAMED).digest, lifts=claims)
    reader = Reader(replace(SAME, lifts=(LIFT,)))
    examined = played.checked(reader)
    assert places_of(examined) == []
    found = [note for note in notes_of(examined) if note.kind is FindingKind.OTHER_LIFTS]
    assert bool(found) == (expected != "")
    for note in found:
        assert note.expected.endswith(expected)
        assert note.found == "background at 10, 10, share 0.02"


def test_pictures_are_read_with_what_the_table_knew_then(played: Played) -> None:
    for model in (OLDER, OTHER, None):
        played.journal.add("table_model", {"table_model": model})
        played.roll()
    reader = Reader(SAME)
    played.checked(reader)
    assert reader.models == [StoredModel(OLDER), StoredModel(OTHER), None]


def test_a_roll_is_read_with_the_model_that_it_names(played: Played) -> None:
    """The reading may be a moment older than the newest model."""
    other = NAMED.replace("null", "null ")
    for model in (NAMED, other):
        played.journal.add("table_model", {"table_model": model})
    for model in (NAMED, other):
        played.roll(table_model=StoredModel(model).digest, lifts=[])
    played.roll()
    reader = Reader(SAME)
    played.checked(reader)
    assert reader.models == [StoredModel(NAMED), StoredModel(other), None]


def test_a_roll_that_names_no_known_model_is_a_break(played: Played) -> None:
    played.journal.add("table_model", {"table_model": NAMED})
    line = played.roll(table_model="ab" * 32, lifts=[])
    examined = played.checked(Reader(SAME))
    assert places_of(examined) == [(FindingKind.READ_OTHERWISE, line)]
    assert "expected a table model of an entry before" in breaks_of(examined)[0].found


def test_a_malformed_model_is_a_finding(tmp_path: Path) -> None:
    calibration = {"calibration": upright_map().to_json()}
    body: Body = {"table_model": "{}"}
    played = Played(tmp_path, start={"calibration": calibration, "table_model": body})
    played.roll(table_model=StoredModel("{}").digest, lifts=[])
    played.journal.write(tmp_path)
    found = breaks_of(verify_journal(tmp_path))
    assert {each.kind for each in found} == {FindingKind.TABLE_MODEL, FindingKind.READ_OTHERWISE}


def test_the_picture_of_another_roll_and_none_at_all_are_told(tmp_path: Path) -> None:
    played = Played(tmp_path)
    first = played.roll()
    played.act("sixes*1")
    second = played.roll()
    played.act("fours*1")
    third = played.roll(picture="")
    examined = played.checked(Reader(SAME))
    (finding,) = breaks_of(examined)
    assert (finding.kind, finding.line) == (FindingKind.PICTURE_TWICE, second)
    assert finding.what == f"this roll and the roll of line {first} have the same picture"
    notes = examined.findings.in_order(is_break=False)
    assert [note.line for note in notes if note.kind is FindingKind.PICTURE_UNNAMED] == [third]
