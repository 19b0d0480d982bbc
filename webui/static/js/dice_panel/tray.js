// SPDX-License-Identifier: MIT
// The tray picture with the reading drawn on it.

import { $ } from "../dom.js";
import { mountPicture } from "../picture.js";
import { doubtMarks } from "./doubts.js";
import { boxesOf, drawDie, placeDice } from "./die_mark.js";

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
  const lying = isMoving ? [] : view.dice.filter((die) => die.edge_px > 0);
  const dice = placeDice(lying, { left: 0, top: 0, right: width, bottom: height });
  const doubts = doubtMarks(view.doubts, dice.flatMap(boxesOf), { width, height });
  $("tray-marks").replaceChildren(...dice.map(drawDie), ...doubts);
}
