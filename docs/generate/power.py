# SPDX-License-Identifier: MIT
"""
Draw how many throws it takes until a bad die is spoken against, for `docs/fairness.md`.

Both axes are logarithmic: across, by how much the six comes more often than one in six; upwards,
the throws. The line is the median of simulated dice, the band holds eight of ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log10
from pathlib import Path

import numpy as np

from controller.history.fairness.face_test import FACES
from tests.bench.fairness import simulate_looks

SHARES = (0.19, 0.20, 0.21, 0.22, 0.25, 0.30)
RUNS = 100
THROWS = 20_000
SEED = 2
SHARES_OF_RUNS = (10, 50, 90)

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 85, 600, 20, 300
LEAST, MOST = 50, 50_000
TICKS = (100, 1000, 10_000)


def draw_power(path: Path) -> None:
    """
    Write the plot as SVG.

    Raises:
        OSError: It cannot be written.
    """
    found = [_find_throws(share) for share in SHARES]
    low, middle, high = zip(*found, strict=True)
    band = _points(low) + _points(high)[::-1]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"'
        ' font-family="sans-serif" font-size="14" fill="#1f2a24">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffbee"/>',
    ]
    for throws in TICKS:
        y = _y(throws)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{RIGHT}" stroke="#2c5f4344"/>')
        parts.append(f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{throws:,}</text>')
    for share in SHARES:
        x = _x(share)
        parts.append(f'<text x="{x:.1f}" y="{BOTTOM + 20}" text-anchor="middle">{share:.2f}</text>')
    parts.append(f'<polygon points="{_join(band)}" fill="#2c5f4333"/>')
    parts.append(
        f'<polyline points="{_join(_points(middle))}" fill="none" stroke="#19652f"'
        ' stroke-width="3"/>'
    )
    for (x, y), throws in zip(_points(middle), middle, strict=True):
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" fill="#19652f"/>')
        parts.append(
            f'<text x="{x + 6:.1f}" y="{y - 9:.1f}" font-weight="bold">{throws:,.0f}</text>'
        )
    parts.append(
        f'<text x="{(LEFT + RIGHT) / 2}" y="{BOTTOM + 46}" text-anchor="middle">'
        "probability of the six (fair: 0.167)</text>"
    )
    parts.append(
        f'<text transform="translate(16 {(TOP + BOTTOM) / 2}) rotate(-90)" text-anchor="middle">'
        "throws until an alarm</text></svg>\n"
    )
    path.write_text("\n".join(parts))


def _find_throws(share: float) -> tuple[float, float, float]:
    shares = (*[(1 - share) / (FACES - 1)] * (FACES - 1), share)
    run = simulate_looks(shares, runs=RUNS, throws=THROWS, seed=SEED)
    low, middle, high = np.percentile(np.minimum(run.first, THROWS), SHARES_OF_RUNS)
    return float(low), float(middle), float(high)


def _points(throws: Sequence[float]) -> list[tuple[float, float]]:
    return [(_x(share), _y(one)) for share, one in zip(SHARES, throws, strict=True)]


def _x(share: float) -> float:
    first, last = (log10(one - 1 / FACES) for one in (SHARES[0], SHARES[-1]))
    part = (log10(share - 1 / FACES) - first) / (last - first)
    return LEFT + 30 + part * (RIGHT - LEFT - 60)


def _y(throws: float) -> float:
    part = (log10(throws) - log10(LEAST)) / (log10(MOST) - log10(LEAST))
    return BOTTOM - part * (BOTTOM - TOP)


def _join(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
