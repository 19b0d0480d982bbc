// SPDX-License-Identifier: MIT
// The mark of a read die on a picture.

import { svg } from "../dom.js";

/** A die's outline and, beside it, the disc with its face, in pixels of the picture. */
export function dieShape({ center_px: [x, y], edge_px: edgePx }) {
  const edge = edgePx * 1.16;
  return { x, y, edge, radius: edgePx * 0.36, discX: x + edge * 0.62, discY: y - edge * 0.62 };
}

export function dieMark(die) {
  const { x, y, edge, radius, discX, discY } = dieShape(die);
  const size = die.edge_px * 0.5;
  return svg("g", { class: "die-mark", "data-group": die.group ?? "none", "data-face": die.face },
    svg("rect", {
      x: x - edge / 2, y: y - edge / 2, width: edge, height: edge, rx: edge * 0.16,
      transform: `rotate(${die.angle_deg} ${x} ${y})`, "stroke-width": edge * 0.07,
    }),
    svg("circle", { cx: discX, cy: discY, r: radius }),
    svg("text", { x: discX, y: discY + size * 0.36, "font-size": size, text: die.face }));
}
