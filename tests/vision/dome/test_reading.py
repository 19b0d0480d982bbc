# SPDX-License-Identifier: MIT
"""Dice under a dome are read; what is beside it is not, nor is a dome without dice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from hardware.clock import SteppedClock
from hardware.simulated.camera import SimulatedCamera
from tests.support.drawn_dice import FaceDrawing, drawn_tray
from tests.vision.dome.test_find import draw_dome
from tests.vision.mapped import simulated_map
from vision.checks.messages import NO_DOME
from vision.dome.region import DomeRegion
from vision.face import Face
from vision.frame import Image
from vision.pipeline import Reader
from vision.reading import DoubtKind, Status

DOME_MM = 100.0
BY_HAND = ("Lay ", "Turn ", "Move it", "Move them", "farther in")


@pytest.fixture
def camera() -> Iterator[SimulatedCamera]:
    with SimulatedCamera(SteppedClock(), seed=5, fps=10, has_dome=True) as camera:
        yield camera


@pytest.fixture(scope="module")
def unmapped() -> Reader:
    return Reader(under_dome=True)


def picture_at_rest(camera: SimulatedCamera) -> Image:
    while camera.is_moving:
        camera.frame(1.0)
    return camera.frame(1.0).image_bgr


def mapped(camera: SimulatedCamera) -> Reader:
    return Reader(tray=replace(simulated_map(camera), dome_mm=DOME_MM))


def test_every_shake_is_read_or_doubted(camera: SimulatedCamera, unmapped: Reader) -> None:
    readers = [unmapped, mapped(camera)]
    certain = 0
    for _ in range(6):
        camera.throw()
        image = picture_at_rest(camera)
        truth = tuple(sorted(die.face for die in camera.truth()))
        for reading in (reader.read(image, expect=5) for reader in readers):
            assert reading.dome is not None
            assert reading.faces == truth or reading.status is Status.UNSURE
            certain += reading.status is Status.READ
    assert certain >= 8


def test_dice_beside_the_dome_are_not_read(unmapped: Reader) -> None:
    under = draw_dome((440.0, 240.0))
    beside = drawn_tray([FaceDrawing(3, 110.0, 90.0)])
    under[:200, :220] = beside[:200, :220]
    assert 3 in Reader().read(beside).faces
    reading = unmapped.read(under)
    assert reading.faces == (1, 2, 3, 4, 5)
    assert all(die.center_px[0] > 300.0 for die in reading.dice)
    proposals = unmapped.propose(under)
    assert len(proposals) >= 5
    assert all(one.center[0] > 250.0 for one in proposals)


def test_an_empty_dome_is_empty(camera: SimulatedCamera, unmapped: Reader) -> None:
    camera.change_dice([])
    image = picture_at_rest(camera)
    for reader in (unmapped, mapped(camera)):
        reading = reader.read(image)
        assert (reading.status, reading.dome is None) == (Status.EMPTY, False)


def test_a_dome_out_of_view_is_a_doubt_in_its_own_words(camera: SimulatedCamera) -> None:
    camera.take_out()
    reading = mapped(camera).read(picture_at_rest(camera), expect=5)
    assert (reading.dice, reading.doubts, reading.dome) == ((), (NO_DOME,), None)
    assert reading.doubts[0].text == (
        "The dome isn't where the camera can see all of it. Move it in."
    )


def test_a_die_that_leans_on_the_wall_is_shaken_again(camera: SimulatedCamera) -> None:
    reader, told = mapped(camera), 0
    for index in range(4):
        camera.tilt(index)
        reading = reader.read(picture_at_rest(camera), expect=5)
        assert reading.status is Status.UNSURE
        texts = [doubt.text for doubt in reading.doubts if doubt.kind is DoubtKind.COCKED]
        told += "A die leans on the wall. Shake again." in texts
    assert told >= 2


def test_no_advice_is_to_move_a_die_by_hand(camera: SimulatedCamera, unmapped: Reader) -> None:
    for index in range(2):
        camera.tilt(index)
        image = picture_at_rest(camera)
        for expect in (None, 4, 6):
            texts = [doubt.text for doubt in unmapped.read(image, expect=expect).doubts]
            assert not [text for text in texts if any(words in text for words in BY_HAND)]


def test_what_the_wall_does_to_feet_counts_for_leans(
    camera: SimulatedCamera, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing is known of the feet, no die can be said to lean."""

    def loosen(_region: DomeRegion, faces: Sequence[Face]) -> list[Face]:
        return [replace(face, foot_error=9.0) for face in faces]

    camera.tilt(0)
    image = picture_at_rest(camera)
    reader = mapped(camera)
    kinds = {doubt.kind for doubt in reader.read(image, expect=5).doubts}
    assert DoubtKind.COCKED in kinds
    monkeypatch.setattr(DomeRegion, "loosen_feet", loosen)
    assert DoubtKind.COCKED not in {one.kind for one in reader.read(image, expect=5).doubts}
