# SPDX-License-Identifier: MIT
"""The pictures of the documents are drawn by the program itself, and weigh little."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest

from docs.generate import pictures
from docs.generate.kiosk import FilmFrame, cut_film, encode_film, film_roll
from vision.image_files import load_picture

DOCS = Path(__file__).parents[2] / "docs"
MOST_BYTES_OF_FILM = 1_500_000


@pytest.mark.long
def test_every_picture_of_the_documents_is_drawn_and_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The pages in them have tests of their own.
    page = np.zeros((800, 1280, 3), np.uint8)
    monkeypatch.setattr(pictures, "take_tournament_picture", lambda: page)
    monkeypatch.setattr(pictures, "film_roll", lambda: [FilmFrame(0, page), FilmFrame(9, page)])
    assert pictures.main([str(tmp_path / "new")]) == 0
    pages = [path.read_text() for path in (*DOCS.glob("*.md"), DOCS.parent / "README.md")]
    shown = {name for page in pages for name in re.findall(r"\((?:docs/)?pictures/([^)]+)\)", page)}
    drawn = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert drawn == sorted(shown)
    for name in (name for name in drawn if name.endswith(".jpg")):
        path = tmp_path / "new" / name
        assert path.stat().st_size <= pictures.MOST_BYTES
        assert load_picture(path).shape[1] <= pictures.WIDTH_PX


def test_a_film_has_every_frame_for_as_long_as_it_was_shown() -> None:
    grays = {0: 0, 80: 80, 1080: 160, 1180: 240}
    film = [
        FilmFrame(at_ms, np.full((800, 1280, 3), gray, np.uint8)) for at_ms, gray in grays.items()
    ]
    code = encode_film(film)
    assert code[8:12] == b"WEBP"
    headers = [code[found.end() :] for found in re.finditer(b"ANMF", code)]
    # RFC 9649: size of the chunk, place and size of the picture, then its duration.
    shown = [int.from_bytes(header[16:19], "little") for header in headers]
    assert shown[:3] == [80, 1000, 100]


def test_shots_that_come_in_another_order_make_the_same_film() -> None:
    picture = cv2.imencode(".jpg", np.zeros((800, 1280, 3), np.uint8))[1].tobytes()
    film = cut_film([(at_s, picture) for at_s in (5.0, 5.3, 5.1, 5.6)])
    assert [one.at_ms for one in film] == [0, 100, 300, 600, 3600]


@pytest.mark.long
@pytest.mark.browser
def test_the_film_of_a_roll_comes_from_a_running_demo() -> None:
    if shutil.which("chromium") is None:
        pytest.skip("no chromium on this machine: apt-get install chromium")
    film = film_roll()
    assert film is not None
    assert {one.image_bgr.shape for one in film} == {(800, 1280, 3)}
    assert len(film) > 3
    assert len(encode_film(film)) < MOST_BYTES_OF_FILM
