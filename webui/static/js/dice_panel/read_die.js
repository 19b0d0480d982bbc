// SPDX-License-Identifier: MIT
// A die in the newest picture, as service and calibration show it: its face outlined, its number
// in the middle.

import { svg } from "../dom.js";

/** Positions are in pixels of the picture, which is `width` wide. */
export function readDieMark({ face, center_px: [x, y], corners_px: corners }, width) {
  return svg("g", { class: "die-mark", "data-face": face },
    svg("polygon", { class: "face", points: points(corners), "stroke-width": width * 0.004 }),
    svg("circle", { cx: x, cy: y, r: width * 0.017 }),
    svg("text", { x, y: y + width * 0.0085, "font-size": width * 0.025, text: face }));
}

export function points(places) {
  return places.map((place) => place.join(",")).join(" ");
}
