# SPDX-License-Identifier: MIT
"""
Measure the contrast of every text on a page against the pixels behind it.

Checkers that read style sheets give up on gradients and pictures. So the page is photographed
with all its texts made transparent, and each text's colour is compared with what is behind it.
The formula is the one of WCAG 2.2, "contrast ratio".
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from playwright.sync_api import Page

LEAST, LEAST_LARGE = 4.5, 3.0
LARGE_PX, LARGE_BOLD_PX = 24.0, 18.66

_FIND_TEXTS = """() => {
  const found = [];
  /** A text that is half scrolled out of view has something else behind its other half. */
  const isWhole = (element, box) => {
    for (let up = element; up; up = up.parentElement) {
      if (!/auto|scroll/.test(getComputedStyle(up).overflowY)) continue;
      const { top, bottom } = up.getBoundingClientRect();
      if (box.top < top - 1 || box.bottom > bottom + 1) return false;
    }
    return true;
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement, text = walk.currentNode.textContent.trim();
    const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!text || !isShown || element.closest("[aria-disabled=true], :disabled")) continue;
    const style = getComputedStyle(element), range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    let opacity = 1;
    for (let up = element; up; up = up.parentElement) opacity *= getComputedStyle(up).opacity;
    for (const box of range.getClientRects()) {
      const corners = [[box.x + 1, box.y + 1], [box.right - 1, box.bottom - 1]];
      const tops = corners.map(([x, y]) => document.elementFromPoint(x, y));
      if (!isWhole(element, box)) continue;
      if (!tops.every((top) => top && (element.contains(top) || top.contains(element)))) continue;
      found.push({
        text, opacity, box: [box.x, box.y, box.right, box.bottom],
        colour: element instanceof SVGElement ? style.fill : style.color,
        sizePx: parseFloat(style.fontSize), isBold: style.fontWeight >= 700,
        path: `${element.parentElement.id || element.parentElement.getAttribute("class")} > `
          + (element.id || element.getAttribute("class") || element.tagName),
      });
    }
  }
  return found;
}"""

_HIDE_TEXTS = """() => {
  const sheet = new CSSStyleSheet();
  // What is important in a layer beats what is important outside of it.
  sheet.replaceSync(`@layer hidden {
    *, *::before, *::after {
      color: transparent !important; text-shadow: none !important;
      animation: none !important; transition: none !important;
      filter: none !important; mask: none !important;
    }
    svg text { fill: transparent !important; stroke: none !important; }
  }`);
  document.adoptedStyleSheets = [sheet];
}"""


@dataclass(frozen=True, slots=True)
class FaintText:
    path: str
    text: str
    ratio: float


def find_faint_texts(page: Page) -> list[FaintText]:
    while True:
        texts = page.evaluate(_FIND_TEXTS)
        page.evaluate(_HIDE_TEXTS)
        png = np.frombuffer(page.screenshot(), np.uint8)
        page.evaluate("() => { document.adoptedStyleSheets = []; }")
        # A live page may move its texts meanwhile.
        if [each["box"] for each in page.evaluate(_FIND_TEXTS)] == [each["box"] for each in texts]:
            break
    picture = cv2.cvtColor(np.asarray(cv2.imdecode(png, cv2.IMREAD_COLOR)), cv2.COLOR_BGR2RGB)
    measured = [(text, _measure(text, picture)) for text in texts]
    return [
        FaintText(text["path"], text["text"], round(ratio, 2))
        for text, ratio in measured
        if ratio < _least(text)
    ]


def _measure(text: Any, picture: np.ndarray) -> float:
    """Return the contrast that three quarters of the pixels behind a text exceed."""
    x0, y0, x1, y1 = (max(0, round(edge)) for edge in text["box"])
    behind = picture[y0 : max(y1, y0 + 1), x0 : max(x1, x0 + 1)].reshape(-1, 3).astype(float)
    parts = [float(part) for part in re.findall(r"[\d.]+", text["colour"])]
    if not len(behind) or len(parts) < 3:
        return np.inf
    alpha = text["opacity"] * (parts[3] if len(parts) > 3 else 1.0)
    front = np.array(parts[:3]) * alpha + behind * (1 - alpha)
    return float(np.percentile(compare_colours(front, behind), 25))


def compare_colours(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Return the contrast ratio of two colours, red to blue, as WCAG 2.2 defines it."""
    front, back = _luminance(one), _luminance(other)
    return np.asarray((np.maximum(front, back) + 0.05) / (np.minimum(front, back) + 0.05))


def _luminance(rgb: np.ndarray) -> np.ndarray:
    share = rgb / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return np.asarray(linear @ np.array([0.2126, 0.7152, 0.0722]))


def _least(text: Any) -> float:
    large = LARGE_BOLD_PX if text["isBold"] else LARGE_PX
    return LEAST_LARGE if text["sizePx"] >= large else LEAST
