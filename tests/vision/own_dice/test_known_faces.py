# SPDX-License-Identifier: MIT
"""The owner's dice: their text form, refused input, and recognition."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from tests.support.drawn_dice import BLACK, ORANGE, WHITE, Colour, FaceDrawing, drawn_tray
from vision.frame import Image
from vision.own_dice.face_match import CROP_PX
from vision.own_dice.known_faces import MOST_OF_A_NUMBER, NUMBERS, KnownFace, OwnDice
from vision.tiles import TILE_PX, cut_tiles

EDGE_PX = 60.0


def tile_of(
    number: int,
    *,
    turn_deg: float = 0.0,
    cut_deg: float | None = None,
    size: float = 1.0,
    off_px: float = 0.0,
    light: float = 1.0,
    body: Colour = WHITE,
    pips: Colour = BLACK,
) -> Image:
    """Return the tile of a drawn die, cut at `cut_deg` and off its middle."""
    die = FaceDrawing(number, 100, 100, edge_px=EDGE_PX, angle_deg=turn_deg, body=body, pip=pips)
    image = np.asarray(np.clip(drawn_tray([die], size_wh=(200, 200)) * light, 0, 255), np.uint8)
    turn = np.deg2rad(turn_deg if cut_deg is None else cut_deg)
    along = np.array([np.cos(turn), np.sin(turn)]) * EDGE_PX * size / 2.0
    halves = np.stack([along, np.array([-along[1], along[0]])], axis=1)
    tiles = cut_tiles(image, np.full((1, 2), 100.0 + off_px), halves[None])
    return np.asarray(tiles[0], np.uint8)


def faces(numbers: Sequence[int] = tuple(NUMBERS), *, turn_deg: float = 0.0) -> list[KnownFace]:
    return [KnownFace.from_tile(tile_of(number, turn_deg=turn_deg), number) for number in numbers]


@pytest.fixture(scope="module")
def own_dice() -> OwnDice:
    return OwnDice.of([*faces(), *faces(turn_deg=33.0)])


def recognized_numbers(own_dice: OwnDice, *tiles: Image) -> list[int]:
    return [recognition.number for recognition in own_dice.recognize(np.stack(tiles))]


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("quarter_deg", [0.0, 90.0, 180.0, 270.0])
def test_a_known_face_is_recognized_in_every_turn(
    own_dice: OwnDice, number: int, quarter_deg: float
) -> None:
    tile = tile_of(
        number, turn_deg=12.0, cut_deg=16.0 + quarter_deg, size=1.05, off_px=1.5, light=0.9
    )
    assert recognized_numbers(own_dice, tile) == [number]


def test_a_recognition_has_its_likeness_and_ambiguity(own_dice: OwnDice) -> None:
    (recognition,) = own_dice.recognize(tile_of(5, turn_deg=5.0)[None])
    assert recognition.number == 5
    assert recognition.likeness > 0.9
    assert 0.0 <= recognition.ambiguity < 0.6


@pytest.mark.parametrize(
    "tile",
    [
        tile_of(4, body=ORANGE),
        tile_of(4, body=BLACK, pips=WHITE),
        tile_of(0),
        tile_of(3, light=0.5),
        tile_of(3, off_px=30.0),
        np.full((TILE_PX, TILE_PX, 3), 90, np.uint8),
    ],
    ids=["other body", "other pips", "no pips", "other light", "beside a die", "felt"],
)
def test_unconfirmed_dice_are_not_recognized(own_dice: OwnDice, tile: Image) -> None:
    assert recognized_numbers(own_dice, tile) == [0]


def test_an_unconfirmed_number_is_never_returned() -> None:
    own_dice = OwnDice.of(faces([1, 2, 3, 4, 6]))
    assert recognized_numbers(own_dice, tile_of(5, turn_deg=10.0)) == [0]


def test_faces_that_contradict_each_other_silence_the_witness() -> None:
    """One tile was confirmed as a three and as a two, so its number is ambiguous."""
    wrong = KnownFace.from_tile(tile_of(3), 2)
    own_dice = OwnDice.of([*faces(), wrong])
    assert recognized_numbers(own_dice, tile_of(3, turn_deg=8.0), tile_of(6)) == [0, 6]


def test_no_tiles_have_no_witness(own_dice: OwnDice) -> None:
    assert own_dice.recognize(np.empty((0, TILE_PX, TILE_PX, 3), np.uint8)) == []


def test_the_text_form_is_exact_and_small(own_dice: OwnDice) -> None:
    text = own_dice.to_json()
    again = OwnDice.from_json(text)
    assert again == own_dice
    assert again.to_json() == text
    full = OwnDice.of(
        faces(turn_deg=turn)[number - 1] for turn in range(0, 60, 6) for number in NUMBERS
    )
    assert len(full.to_json()) < 200_000


def test_too_many_faces_are_thinned_out_to_different_ones() -> None:
    """The odd one out among many alike stays; of those alike the older ones go."""
    alike = [KnownFace.from_tile(tile_of(1, light=1.0 + step / 400), 1) for step in range(12)]
    odd = KnownFace.from_tile(tile_of(1, turn_deg=20.0, cut_deg=28.0), 1)
    kept = OwnDice.of([odd, *alike]).faces
    assert len(kept) == MOST_OF_A_NUMBER
    assert odd in kept


def test_the_same_face_is_kept_once() -> None:
    assert len(OwnDice.of([*faces([2]), *faces([2])]).faces) == 1


GOOD = KnownFace(3, bytes(CROP_PX * CROP_PX), (1, 2, 3))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "version: expected 1, found 2"),
        ({"faces": []}, "faces: expected at least one face, found 0"),
        ({"faces": {}}, "faces: expected a list"),
        ({"more": 1}, "expected the keys faces, version, found faces, more, version"),
        ({"faces": [7]}, "a face: expected the keys color, crop, number, found int"),
        ({"number": 7}, "number: expected 1 to 6, found 7"),
        ({"number": True}, "number: expected 1 to 6, found True"),
        ({"crop": "###"}, "crop: expected base64"),
        ({"crop": "AAAA"}, f"crop: expected {CROP_PX * CROP_PX} grey levels, found 3"),
        ({"crop": 5}, "crop: expected base64, found 5"),
        ({"color": [1, 2]}, "color: expected 3 levels from 0 to 255"),
        ({"color": [1, 2, 256]}, "color: expected 3 levels from 0 to 255"),
        ({"color": [1, 2, 0.5]}, "color: expected 3 levels from 0 to 255"),
    ],
)
def test_a_broken_text_is_refused_in_words(change: dict[str, object], message: str) -> None:
    broken = json.loads(OwnDice((GOOD,)).to_json())
    face = {key: value for key, value in change.items() if key in ("number", "crop", "color")}
    broken["faces"][0] |= face
    broken |= {key: value for key, value in change.items() if key not in face}
    with pytest.raises(ValueError, match=f"own dice: {message}"):
        OwnDice.from_json(json.dumps(broken))


@pytest.mark.parametrize("text", ["", "{", "[]", "5"])
def test_another_text_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="own dice: expected"):
        OwnDice.from_json(text)


def test_too_many_faces_of_a_number_are_refused() -> None:
    many = [replace(GOOD, color=(1, 2, level)) for level in range(MOST_OF_A_NUMBER + 1)]
    with pytest.raises(ValueError, match="at most 10 faces of a number, found 11"):
        OwnDice(tuple(many))


@pytest.mark.parametrize(
    "tiles", [np.zeros((2, 8, 8, 3), np.uint8), np.zeros((1, TILE_PX, TILE_PX, 3), np.float32)]
)
def test_other_tiles_are_refused(own_dice: OwnDice, tiles: Image) -> None:
    with pytest.raises(ValueError, match="expected uint8 tiles"):
        own_dice.recognize(tiles)
