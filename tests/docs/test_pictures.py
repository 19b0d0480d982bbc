# SPDX-License-Identifier: MIT
"""The pictures of the documents are drawn by the program itself, and weigh little."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from docs.generate import pictures
from docs.generate.kiosk import take_kiosk_picture
from vision.image_files import load_picture

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.long
def test_every_picture_of_the_documents_is_drawn_and_small(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The pages in them have tests of their own.
    for name in ("take_kiosk_picture", "take_tournament_picture"):
        monkeypatch.setattr(pictures, name, lambda: np.zeros((800, 1280, 3), np.uint8))
    assert pictures.main([str(tmp_path / "new")]) == 0
    pages = [path.read_text() for path in (*DOCS.glob("*.md"), DOCS.parent / "README.md")]
    shown = {name for page in pages for name in re.findall(r"\((?:docs/)?pictures/([^)]+)\)", page)}
    drawn = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert drawn == sorted(shown)
    for name in (name for name in drawn if name.endswith(".jpg")):
        path = tmp_path / "new" / name
        assert path.stat().st_size <= pictures.MOST_BYTES
        assert load_picture(path).shape[1] <= pictures.WIDTH_PX


@pytest.mark.long
@pytest.mark.browser
def test_the_picture_of_the_kiosk_comes_from_a_running_demo() -> None:
    if shutil.which("chromium") is None:
        pytest.skip("no chromium on this machine: apt-get install chromium")
    picture = take_kiosk_picture()
    assert picture is not None
    assert picture.shape == (800, 1280, 3)
