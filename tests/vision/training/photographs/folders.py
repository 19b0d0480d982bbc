# SPDX-License-Identifier: MIT
"""Folders of photographs that are rendered scenes, so that the truth about them is known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from vision.frame import Image
from vision.training.labels import SceneLabels, label_scene
from vision.training.photographs.manifest import MANIFEST
from vision.training.scenes import SceneSpec, render_scene

_MARGIN = 0.5
"""How far a loose box reaches beyond the upper face, in edges."""

LINE: dict[str, object] = {
    "file": "one.png",
    "source": "a table",
    "source_repo": "somebody/dice",
    "licence": "MIT",
    "view": "top",
    "is_negative": False,
    "boxes": [],
}
"""A line of the list without dice."""


def render_dice(seed: int) -> tuple[Image, SceneLabels]:
    """Return a clear scene and the labels of its dice."""
    scene = render_scene(seed, (640, 360), spec=SceneSpec(clear=True, clutter=False))
    return scene.image_bgr, label_scene(scene)


def loose_boxes(
    truth: SceneLabels, numbers: Sequence[int] | None = None
) -> list[dict[str, object]]:
    """Return a box around each die, with its number or another one."""
    faces = truth.faces.tolist() if numbers is None else numbers
    boxes: list[dict[str, object]] = []
    for center, edge, number in zip(truth.centers, truth.edges_px, faces, strict=True):
        x, y = (center - edge * (0.5 + _MARGIN)).tolist()
        size = float(edge * (1.0 + 2.0 * _MARGIN))
        box = {"x": x, "y": y, "w": size, "h": size, "value": int(number), "kind": "whole die"}
        boxes.append({**box, "body_color_guess": "red"})
    return boxes


def write_folder(folder: Path, lines: Sequence[dict[str, object]]) -> Path:
    """Write a list, and a plain picture for every file that is not there yet."""
    folder.mkdir(exist_ok=True)
    for line in lines:
        path = folder / str(line["file"])
        if not path.exists():
            cv2.imwrite(str(path), np.full((240, 320, 3), 200, np.uint8))
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    return folder
