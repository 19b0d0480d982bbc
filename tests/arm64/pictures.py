# SPDX-License-Identifier: MIT
"""
Draw the pictures that two machines read: `python -m tests.arm64.pictures FOLDER`.

They are scenes of the accuracy bench, one of each kind with every planted doubt. PNG keeps every
pixel, so both machines read the same ones.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2

from controller.cli.bench_reader.scene_accuracy import SIZE_WH, plan_scene
from vision.training.scenes import render_scene

SEEDS = (1_000_000, 1_000_001, 1_000_003, 1_000_006, 1_000_007, 1_000_008, 1_000_011, 1_000_014)


def draw_pictures(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for seed in SEEDS:
        kind, spec = plan_scene(seed)
        path = folder / f"{seed}-{kind.replace(' ', '-')}.png"
        if not path.exists():
            cv2.imwrite(str(path), render_scene(seed, SIZE_WH, spec=spec).image_bgr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    draw_pictures(parser.parse_args().folder)
