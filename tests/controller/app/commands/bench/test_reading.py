# SPDX-License-Identifier: MIT
"""The bench measures the reader and the common recipe on the same frames."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from controller.app.commands.bench.reading import blob_recipe
from controller.app.main import main


def test_every_figure_is_there_and_the_ratio_is_that_of_its_parts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bench", "--frames", "1", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    ratio = figures["reading, ms"] / figures["blobs and clusters, ms"]
    assert figures["reading / blobs and clusters"] == pytest.approx(ratio, abs=0.001)
    stages = sum(value for name, value in figures.items() if name.startswith("stage "))
    assert 0 < stages
    assert 0 < figures["unchanged frame, ms"] < figures["reading, ms"]


def test_the_recipe_counts_dark_spots_that_are_near_each_other() -> None:
    picture = np.full((300, 300, 3), 220, np.uint8)
    for center in ((60, 60), (100, 100), (220, 220)):
        cv2.circle(picture, center, 10, (20, 20, 20), cv2.FILLED)
    assert blob_recipe(picture) == (1, 2)
    assert blob_recipe(np.full((300, 300, 3), 220, np.uint8)) == ()
