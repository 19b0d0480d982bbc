# SPDX-License-Identifier: MIT
"""Stage pictures, for people who want to see why a reading came out as it did."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import cv2

from vision.frame import Image


@dataclass(slots=True)
class Trace:
    """
    Writes pictures of the stages into a folder.

    Attributes:
        folder: Where to; made when the first picture comes.
        name: Stem of the file names, usually that of the picture that is read.
    """

    folder: Path
    name: str = "picture"
    count: int = field(default=0, init=False)

    def picture(self, stage: str, image: Image) -> None:
        """
        Write one stage's picture.

        Raises:
            OSError: The folder can't be made or written to.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        self.count += 1
        done, code = cv2.imencode(".png", image)
        assert done, "every uint8 picture can be coded as PNG"
        (self.folder / f"{self.name}-{self.count}-{stage}.png").write_bytes(code.tobytes())
