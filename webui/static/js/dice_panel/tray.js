// SPDX-License-Identifier: MIT
// The tray picture with the reading drawn on it.

import { $, svg } from "../dom.js";
import { mountPicture } from "../picture.js";
import { doubtMarks } from "./doubts.js";
import { boxAround } from "./labels.js";

const MOVING = ["rolling", "settling"];

export function mountTray(store) {
  store.watch(["dice", "doubts", "phase"], (view) => drawMarks(view));
  mountPicture(() => store.view && drawMarks(store.view));
}

function drawMarks(view) {
  const { width, height } = $("tray-picture");
  if (!width) return;
  const isMoving = MOVING.includes(view.phase);
  // A die that was entered by hand, or moved since it was read, has no position in the picture.
  const dice = isMoving ? [] : view.dice.filter((die) => die.edge_px > 0);
  const doubts = doubtMarks(view.doubts, dice.flatMap(dieBoxes), { width, height });
  $("tray-marks").replaceChildren(...dice.map(dieMark), ...doubts);
}

/** A die's outline and, beside it, the disc with its face, in pixels of the picture. */
function dieShape({ center_px: [x, y], edge_px: edgePx }) {
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

function dieBoxes(die) {
  const { x, y, edge, radius, discX, discY } = dieShape(die);
  const turned = (die.angle_deg * Math.PI) / 180;
  const side = edge * (Math.abs(Math.cos(turned)) + Math.abs(Math.sin(turned)));
  return [boxAround(x, y, side, side), boxAround(discX, discY, 2 * radius, 2 * radius)];
}
