# SPDX-License-Identifier: MIT
"""
Film one roll for the README: a real browser at the kiosk of a real demo.

The film begins with the throw and ends when the roll is scored. Some rolls are played first,
so that the sheets are not empty.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import BytesIO
from itertools import pairwise
from typing import Any

import av
import cv2  # noqa: TID251
import numpy as np
from playwright.sync_api import Page

from docs.generate.demo_screen import open_demo
from vision.frame import Image

PAGE_WH = (1280, 800)
FILM_WH = (800, 500)
ROLLS_BEFORE = 4
TIMEOUT_MS = 60_000
PRESS_EVERY_MS = 500
READ_MS, SCORED_MS = 3000, 3000
"""How long the film stays on the dice as read, and on the sheets at its end."""

SHORTEST_MS = 80
QUALITY = 80
MILLISECOND = Fraction(1, 1000)

# A confirm counts only after a second of looking.
_CONFIRM_UNTIL_IT_COUNTS = """headline => {
    if (document.getElementById("headline").textContent !== headline) return true;
    document.getElementById("button-confirm").click();
    return false;
}"""


@dataclass(frozen=True, slots=True)
class FilmFrame:
    """What the page showed from a moment on, in milliseconds from the beginning of the film."""

    at_ms: int
    image_bgr: Image


def film_roll() -> Sequence[FilmFrame] | None:
    """Return the film of a roll; None if this machine has no Chromium."""
    address = r"http://127\.0\.0\.1:\d+/"
    return open_demo((), address, _film, size_wh=PAGE_WH, timeout_ms=TIMEOUT_MS)


def encode_film(film: Sequence[FilmFrame]) -> bytes:
    """Return a film as an animated WebP that starts again at its end."""
    buffer = BytesIO()
    with av.open(buffer, "w", format="webp", options={"loop": "0"}) as container:
        stream = container.add_stream("libwebp_anim", options={"quality": str(QUALITY)})
        stream.width, stream.height = FILM_WH
        stream.pix_fmt = "yuv420p"
        stream.codec_context.time_base = MILLISECOND
        for one in film:
            small = cv2.resize(one.image_bgr, FILM_WH, interpolation=cv2.INTER_AREA)
            frame = av.VideoFrame.from_ndarray(np.asarray(small, np.uint8), format="bgr24")
            frame.pts, frame.time_base = one.at_ms, MILLISECOND
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return buffer.getvalue()


def _film(page: Page) -> Sequence[FilmFrame]:
    """Play some rolls with the first choice each, and film the last one."""
    for _ in range(ROLLS_BEFORE):
        _throw(page)
        _choose(page)
    _wait_for(page, "awaiting roll")
    page.mouse.move(0, 0)
    shots: list[tuple[float, bytes]] = []
    chromium = page.context.new_cdp_session(page)

    def keep(event: Mapping[str, Any]) -> None:
        shots.append((event["metadata"]["timestamp"], base64.b64decode(event["data"])))
        chromium.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    chromium.on("Page.screencastFrame", keep)
    chromium.send("Page.startScreencast", {"format": "jpeg", "quality": 95})
    _throw(page)
    page.wait_for_timeout(READ_MS)
    _choose(page)
    page.wait_for_timeout(SCORED_MS)
    chromium.send("Page.stopScreencast")
    return cut_film(shots)


def cut_film(shots: Sequence[tuple[float, bytes]]) -> Sequence[FilmFrame]:
    """
    Return shots, each with when it was shown in seconds, as a film.

    Those that were shown too briefly to be seen are left out. A busy browser may send them in
    another order.
    """
    shots = sorted(shots, key=lambda shot: shot[0])
    begin_s, last_shot = shots[0][0], shots[-1]
    seen = [one for one, after in pairwise(shots) if 1000 * (after[0] - one[0]) >= SHORTEST_MS]
    # WebP shows a frame until the next one, so the last one stands there twice.
    held = (last_shot[0] + SCORED_MS / 1000, last_shot[1])
    return [
        FilmFrame(
            round(1000 * (at_s - begin_s)),
            np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8),
        )
        for at_s, jpeg in (*seen, last_shot, held)
    ]


def _throw(page: Page) -> None:
    """Throw until the dice are read; those that lean are thrown again."""
    _wait_for(page, "awaiting roll")
    while _phase(page) != "choosing":
        page.locator("[data-hand=throw]").click()
        _wait_for(page, "rolling", "settling")
        _wait_for(page, "choosing", "straighten")


def _choose(page: Page) -> None:
    """Confirm the first choice of everybody who chooses from this roll."""
    while _phase(page) == "choosing":
        headline = page.locator("#headline").inner_text()
        page.wait_for_function(_CONFIRM_UNTIL_IT_COUNTS, arg=headline, polling=PRESS_EVERY_MS)


def _phase(page: Page) -> str | None:
    return page.locator("body").get_attribute("data-phase")


def _wait_for(page: Page, *phases: str) -> None:
    page.wait_for_function(
        "phases => phases.includes(document.body.dataset.phase)", arg=list(phases)
    )
