# SPDX-License-Identifier: MIT
"""Whole pictures are read, or doubted where they must be."""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import cv2
import numpy as np
import pytest

from tests.support.drawn_dice import BLACK, GREEN_FELT, RED, WHITE, FaceDrawing, drawn_tray
from tests.vision.mapped import upright_map
from vision.frame import Image
from vision.pipeline import Reader
from vision.reading import DoubtKind, Polarity, Status

_SIX = [
    FaceDrawing(n, 110 + 200 * ((n - 1) % 3), 130 + 200 * ((n - 1) // 3), angle_deg=13 * n)
    for n in (1, 2, 3, 4, 5, 6)
]


@pytest.fixture(scope="module")
def reader() -> Iterator[Reader]:
    """Drawn faces have no body below them, so nothing shows how they lie."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("vision.pipeline.LEAST_ODDS", math.inf)
        yield Reader()


def test_all_six_numbers_are_read(reader: Reader) -> None:
    reading = reader.read(drawn_tray(_SIX))
    assert (reading.status, reading.faces) == (Status.READ, (1, 2, 3, 4, 5, 6))


@pytest.mark.parametrize("edge_px", [48, 90, 170])
@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6])
def test_a_die_is_read_at_any_size(reader: Reader, number: int, edge_px: int) -> None:
    face = FaceDrawing(number, 300, 220, edge_px=edge_px, angle_deg=33, pip_share=0.21)
    assert reader.read(drawn_tray([face])).faces == (number,)


@pytest.mark.parametrize("edge_px", [26, 40])
@pytest.mark.parametrize("number", [1, 2, 3, 4, 5, 6])
def test_a_small_die_is_read_or_doubted(reader: Reader, number: int, edge_px: int) -> None:
    face = FaceDrawing(number, 300, 220, edge_px=edge_px, angle_deg=33, pip_share=0.21)
    reading = reader.read(drawn_tray([face]))
    assert reading.faces == (number,) or reading.status is Status.UNSURE


@pytest.mark.parametrize("quarter", [0, 1, 2, 3])
def test_a_turned_picture_reads_the_same(reader: Reader, quarter: int) -> None:
    turned = np.ascontiguousarray(np.rot90(drawn_tray(_SIX), quarter))
    assert reader.read(turned).faces == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize("share", [0.5, 0.75])
def test_a_dimmed_picture_reads_the_same(reader: Reader, share: float) -> None:
    dimmed = (drawn_tray(_SIX) * share).astype(np.uint8)
    assert reader.read(dimmed).faces == (1, 2, 3, 4, 5, 6)


def test_grey_pictures_are_read(reader: Reader) -> None:
    grey = np.asarray(cv2.cvtColor(drawn_tray(_SIX), cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    assert reader.read(grey).faces == (1, 2, 3, 4, 5, 6)


@pytest.mark.parametrize(
    ("body", "pip", "polarity", "colour"),
    [
        (WHITE, BLACK, Polarity.LIGHT, "white"),
        (BLACK, WHITE, Polarity.DARK, "black"),
        (RED, WHITE, Polarity.DARK, "red"),
        ((30, 200, 230), BLACK, Polarity.LIGHT, "yellow"),
    ],
)
def test_polarity_and_colour_are_reported(
    reader: Reader,
    body: tuple[int, int, int],
    pip: tuple[int, int, int],
    polarity: Polarity,
    colour: str,
) -> None:
    (die,) = reader.read(drawn_tray([FaceDrawing(5, 300, 220, body=body, pip=pip)])).dice
    assert (die.face, die.polarity, die.colour) == (5, polarity, colour)


def test_position_turn_and_size_are_those_of_the_given_picture(reader: Reader) -> None:
    faces = [FaceDrawing(4, 500, 400, 150, angle_deg=20), FaceDrawing(3, 1500, 900, 150)]
    first, second = reader.read(drawn_tray(faces, size_wh=(2000, 1400))).dice
    assert first.center_px == pytest.approx((499.5, 399.5), abs=3.0)
    assert first.angle_deg == pytest.approx(20.0, abs=2.0)
    assert first.edge_px == pytest.approx(150.0, rel=0.2)
    assert np.hypot(*np.subtract(second.center_mm, first.center_mm)) == pytest.approx(
        np.hypot(1000, 500) / 150 * 16.0, rel=0.25
    )


def test_corners_go_clockwise_around_the_centre(reader: Reader) -> None:
    for die in reader.read(drawn_tray(_SIX)).dice:
        corners = np.array(die.corners_px)
        assert corners.mean(axis=0) == pytest.approx(die.center_px, abs=die.edge_px * 0.1)
        assert cv2.contourArea(corners.astype(np.float32), oriented=True) > 0


def test_touching_dice_are_read_apart(reader: Reader) -> None:
    faces = [FaceDrawing(5, 250, 200), FaceDrawing(4, 311.5, 205), FaceDrawing(2, 262, 261.5)]
    assert reader.read(drawn_tray(faces)).faces == (2, 4, 5)


def test_four_dice_in_a_square_are_no_four(reader: Reader) -> None:
    faces = [FaceDrawing(5, x, y) for x in (150, 330) for y in (120, 300)]
    assert reader.read(drawn_tray(faces)).faces == (5, 5, 5, 5)


def test_an_empty_tray_is_empty(reader: Reader) -> None:
    assert reader.read(drawn_tray([])).status is Status.EMPTY


def test_another_count_than_expected_is_a_doubt_that_names_it(reader: Reader) -> None:
    reading = reader.read(drawn_tray(_SIX), expect=5)
    assert reading.status is Status.UNSURE
    assert [d.kind for d in reading.doubts] == [DoubtKind.COUNT]
    assert "6 dice are seen instead of 5" in (reading.reason or "")
    assert reader.read(drawn_tray(_SIX), expect=6).status is Status.READ


def test_missing_dice_are_a_doubt_about_the_whole_tray(reader: Reader) -> None:
    reading = reader.read(drawn_tray(_SIX[:2]), expect=3)
    count = [doubt for doubt in reading.doubts if doubt.kind is DoubtKind.COUNT]
    assert [doubt.center_px for doubt in count] == [None]
    assert "2 of 3 dice are read" in count[0].text


def test_a_die_without_readable_pips_beside_good_dice_is_a_doubt(reader: Reader) -> None:
    reading = reader.read(drawn_tray([*_SIX[:5], FaceDrawing(0, 500, 330)]))
    assert reading.faces == (1, 2, 3, 4, 5)
    assert reading.status is Status.UNSURE
    assert [d.center_px for d in reading.doubts] == [pytest.approx((500, 330), abs=20)]


@pytest.mark.parametrize(
    ("number", "left_out"), [(6, (0,)), (6, (1, 3)), (5, (1,)), (4, (2,)), (3, (0,))]
)
def test_pips_that_are_no_number_are_a_doubt(
    reader: Reader, number: int, left_out: tuple[int, ...]
) -> None:
    broken = FaceDrawing(number, 510, 330, left_out=left_out)
    assert reader.read(drawn_tray([*_SIX[:5], broken])).status is Status.UNSURE


@pytest.mark.parametrize("light", [0.7, 0.85])
@pytest.mark.parametrize("number", [2, 4])
def test_lamp_between_pips_is_glare_and_no_pip(reader: Reader, number: int, light: float) -> None:
    """A white spot in the middle of a two has the position of the third pip."""
    die = FaceDrawing(number, 200, 220, edge_px=80, angle_deg=33)
    picture = np.rint(drawn_tray([die]) * light).astype(np.uint8)
    cv2.circle(picture, (200, 220), 8, (255, 255, 255), cv2.FILLED, cv2.LINE_AA)
    reading = reader.read(picture, expect=1)
    is_glare = DoubtKind.GLARE in {doubt.kind for doubt in reading.doubts}
    assert reading.faces == (number,) or (reading.faces == () and is_glare)


def test_a_side_face_is_not_counted(reader: Reader) -> None:
    top = FaceDrawing(3, 300, 200, edge_px=80, squash=0.9)
    side = FaceDrawing(5, 300, 200 + 40 * 0.9 + 18, edge_px=80, squash=0.42, body=(150, 155, 155))
    assert reader.read(drawn_tray([side, top])).faces == (3,)


def test_two_spots_on_paper_are_no_die(reader: Reader) -> None:
    image = drawn_tray([], ground=WHITE)
    for x in (200, 230):
        cv2.circle(image, (x, x), 6, BLACK, -1)
    assert reader.read(image).dice == ()


def test_a_coin_with_a_hole_is_no_die(reader: Reader) -> None:
    image = drawn_tray(_SIX[:5])
    cv2.circle(image, (510, 330), 34, (120, 150, 160), -1)
    assert reader.read(image).faces == (1, 2, 3, 4, 5)


def test_spots_on_the_felt_are_not_read(reader: Reader) -> None:
    image = drawn_tray([FaceDrawing(2, 320, 240, edge_px=80, body=GREEN_FELT)])
    assert reader.read(image).status is not Status.READ


def test_every_stage_reports_its_time(reader: Reader) -> None:
    reading = reader.read(drawn_tray(_SIX))
    stages = [stage.stage for stage in reading.stages]
    assert stages[:2] == ["finder", "opinions"]
    assert stages[-1] == "checks"
    assert all(stage.elapsed_ms >= 0.0 for stage in reading.stages)
    assert reading.elapsed_ms > 0.0
    assert reading.picture_wh == (640, 480)


def test_a_second_look_follows_only_if_something_is_open(reader: Reader) -> None:
    def looks(*, expect: int) -> int:
        reading = reader.read(drawn_tray(_SIX[:5]), expect=expect)
        return [stage.stage for stage in reading.stages].count("opinions")

    assert looks(expect=5) == 1
    assert looks(expect=6) <= 2


class TestCalibrated:
    def test_dice_on_the_felt_are_read(self) -> None:
        reader = Reader(tray=upright_map(px_per_mm=3.0))
        reading = reader.read(drawn_tray(_SIX))
        assert (reading.status, reading.faces) == (Status.READ, (1, 2, 3, 4, 5, 6))

    def test_a_die_beyond_the_felt_is_a_doubt_in_its_position(self) -> None:
        """The felt reaches from 95 to 545 pixels across and from 90 to 390 down."""
        tray = upright_map(felt_wh_mm=(150.0, 100.0))
        faces = [FaceDrawing(3, 300, 240), FaceDrawing(5, 540, 240)]
        reading = Reader(tray=tray).read(drawn_tray(faces))
        assert reading.faces == (3,)
        (doubt,) = reading.doubts
        assert doubt.kind is DoubtKind.OFF_THE_FELT
        assert doubt.center_px == pytest.approx((540, 240), abs=5)

    def test_a_doubted_die_beside_all_expected_ones_is_too_many(self) -> None:
        tray = upright_map(felt_wh_mm=(150.0, 100.0))
        faces = [FaceDrawing(3, 300, 240), FaceDrawing(5, 540, 240)]
        reading = Reader(tray=tray).read(drawn_tray(faces), expect=1)
        assert reading.faces == (3,)
        assert [one.kind for one in reading.doubts] == [DoubtKind.OFF_THE_FELT, DoubtKind.COUNT]
        reading = Reader(tray=tray).read(drawn_tray(faces), expect=2)
        assert "1 of 2 dice are read" in reading.doubts[-1].text

    def test_a_thing_far_larger_than_the_dice_is_no_die(self) -> None:
        """Without a calibration nobody knows that, and a die may fill a third of the picture."""
        image = drawn_tray([FaceDrawing(3, 320, 240, edge_px=180.0)])
        assert Reader().read(image).faces == (3,)
        for die_edge_mm, faces in ((60.0, (3,)), (20.0, ())):
            reading = Reader(tray=upright_map(die_edge_mm=die_edge_mm)).read(image, expect=1)
            assert reading.faces == faces
            assert all(doubt.kind is DoubtKind.COUNT for doubt in reading.doubts)

    def test_a_picture_of_another_shape_is_refused(self) -> None:
        reader = Reader(tray=upright_map())
        with pytest.raises(ValueError, match="tray map: expected the aspect of 640 x 480"):
            reader.read(drawn_tray([], size_wh=(640, 360)))


def test_threads_share_one_reader(reader: Reader) -> None:
    trays = [drawn_tray([face]) for face in _SIX]
    with ThreadPoolExecutor(3) as pool:
        faces = [reading.faces for reading in pool.map(reader.read, trays)]
    assert faces == [(1,), (2,), (3,), (4,), (5,), (6,)]


@pytest.mark.parametrize(
    "image",
    [
        np.zeros((0, 10, 3), np.uint8),
        np.zeros((10, 10, 4), np.uint8),
        np.zeros((10, 10, 3), np.float32),
        np.zeros(10, np.uint8),
    ],
)
def test_what_is_no_picture_is_refused(reader: Reader, image: Image) -> None:
    with pytest.raises(ValueError, match="expected"):
        reader.read(image)


@pytest.mark.parametrize("size_wh", [(8, 8), (1, 300), (64, 48)])
def test_tiny_pictures_are_empty(reader: Reader, size_wh: tuple[int, int]) -> None:
    assert reader.read(drawn_tray([], size_wh=size_wh)).status is Status.EMPTY
