// SPDX-License-Identifier: MIT
// The tray picture with the reading drawn on it.

import { $ } from "../dom.js";
import { mountPicture } from "../picture.js";
import { doubtMarks } from "./doubts.js";
import { boxAround } from "./labels.js";
import { dieMark, dieShape } from "./die_mark.js";

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

function dieBoxes(die) {
  const { x, y, edge, radius, discX, discY } = dieShape(die);
  const turned = (die.angle_deg * Math.PI) / 180;
  const side = edge * (Math.abs(Math.cos(turned)) + Math.abs(Math.sin(turned)));
  return [boxAround(x, y, side, side), boxAround(discX, discY, 2 * radius, 2 * radius)];
}
