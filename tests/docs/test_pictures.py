# SPDX-License-Identifier: MIT
"""The pictures of the documents are drawn by the program itself, and weigh little."""

from __future__ import annotations

import re
from pathlib import Path

from docs.generate import pictures
from vision.image_files import load_picture

DOCS = Path(__file__).parents[2] / "docs"


def test_every_picture_of_the_pages_is_drawn_and_small(tmp_path: Path) -> None:
    assert pictures.main([str(tmp_path / "new")]) == 0
    pages = [(DOCS / name).read_text() for name in ("reading.md", "building.md")]
    shown = [name for page in pages for name in re.findall(r"\(pictures/([^)]+)\)", page)]
    drawn = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert drawn == sorted(shown)
    for name in (name for name in drawn if name.endswith(".jpg")):
        path = tmp_path / "new" / name
        assert path.stat().st_size <= pictures.MOST_BYTES
        assert load_picture(path).shape[1] <= pictures.WIDTH_PX
