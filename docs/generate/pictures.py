# SPDX-License-Identifier: MIT
"""
Draw the pictures of the documents: `python -m docs.generate.pictures docs/pictures`.

The pictures come from the product itself, so they show what it does now. For `docs/reading.md`
a rendered scene is read with a trace. For `docs/building.md` the wiring is drawn. For the
README a browser films a roll at the kiosk, and takes a picture of a tournament.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import cv2  # noqa: TID251
import numpy as np

from docs.generate.kiosk import encode_film, film_roll
from docs.generate.power import draw_power
from docs.generate.tournament import take_tournament_picture
from docs.generate.wiring.draw import draw_wiring
from vision.frame import Image
from vision.image_files import encode_jpeg, limit_to_one_thread, load_picture
from vision.pipeline import Reader
from vision.trace import Trace
from vision.training.scenes import SceneSpec, render_scene

SEED = 1_000_039
SIZE_WH = (1280, 720)
SPEC = SceneSpec(doubt="cocked", expect=6, clear=True)
"""One die of six leans: five are read, one is in doubt."""

SHOWN = ("1-finder", "2-tiles", "3-reading")
"""The stages that the page shows."""

WIDTH_PX = 800
MOST_BYTES = 80_000
QUALITIES = (88, 80, 70, 60, 50)


def main(arguments: Sequence[str]) -> int:
    """
    Draw the pictures into the folder that the only argument names.

    Raises:
        OSError: One cannot be written.
    """
    (folder,) = map(Path, arguments)
    limit_to_one_thread()
    scene = render_scene(SEED, SIZE_WH, spec=SPEC)
    folder.mkdir(parents=True, exist_ok=True)
    draw_wiring(folder)
    draw_power(folder / "fairness.svg")
    with TemporaryDirectory() as traced:
        trace = Trace(Path(traced), name="stage")
        Reader().read(scene.image_bgr, expect=scene.expect, trace=trace)
        for name in SHOWN:
            picture = load_picture(Path(traced) / f"stage-{name}.png")
            (folder / f"{name}.jpg").write_bytes(_small_jpeg(picture))
    film, screen = film_roll(), take_tournament_picture()
    if film is None or screen is None:
        sys.stdout.write("No Chromium on this machine: the pictures of pages stay as they are.\n")
    else:
        (folder / "roll.webp").write_bytes(encode_film(film))
        (folder / "tournament.jpg").write_bytes(_small_jpeg(screen))
    return 0


def _small_jpeg(image: Image) -> bytes:
    """Return a JPEG no wider than a page and at most `MOST_BYTES` long, if any quality allows."""
    scale = min(1.0, WIDTH_PX / image.shape[1])
    resized = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    small = np.asarray(resized, np.uint8)
    codes = [encode_jpeg(small, quality=quality) for quality in QUALITIES]
    return next((code for code in codes if len(code) <= MOST_BYTES), codes[-1])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
