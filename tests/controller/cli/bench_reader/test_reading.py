# SPDX-License-Identifier: MIT
"""The bench measures the reader and the common recipe on the same frames."""

from __future__ import annotations

import json

import cv2
import numpy as np
import pytest

from controller.cli.bench_reader.baseline import BaselineReader
from controller.cli.main import main


def test_every_figure_is_printed_with_the_ratio_of_its_parts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["bench", "--frames", "1", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    for place in ("simulated tray", "calibrated tray", "studio"):
        reading_ms = figures[f"{place}: reading, ms"]
        ratio = reading_ms / figures[f"{place}: blobs and clusters, ms"]
        assert figures[f"{place}: reading / blobs and clusters"] == pytest.approx(ratio, abs=0.001)
        stages = [value for name, value in figures.items() if name.startswith(f"{place}: stage")]
        assert 0 < sum(stages) < reading_ms + 0.1
        assert figures[f"{place}: share read with certainty"] in (0, 1)
    assert 0 < figures["unchanged frame, ms"] < figures["simulated tray: reading, ms"]
    highest = figures["reading process, memory at its highest, MB"]
    assert 0 < figures["reading process, memory at its end, MB"] <= highest


def test_the_recipe_counts_dark_spots_that_are_near_each_other() -> None:
    picture = np.full((300, 300, 3), 220, np.uint8)
    for center in ((60, 60), (85, 85), (220, 220)):
        cv2.circle(picture, center, 10, (20, 20, 20), cv2.FILLED)
    assert BaselineReader().read(picture) == (1, 2)
    assert BaselineReader().read(np.full((300, 300, 3), 220, np.uint8)) == ()
