// SPDX-License-Identifier: MIT
// A small sheet of Choice: bars instead of boxes.

import { svg } from "../dom.js";
import { dieAt, placeDrawing } from "../faces.js";
import { jokerIcon } from "../icons.js";
import { describe, resultOf } from "./choice_block.js";
import { text } from "./sheet_svg.js";

const COLUMN = 18;
const WIDTH = 11 * COLUMN;
const NUMBER = 17;
const FIFTH = 24;
const DIE = 20;
const JOKER = 15;
const PAR = 5;
const MOST = 10;

/** Draw a small sheet for a space of this shape. It has no pending marks. */
export function drawSmall(sheet, aspect) {
  const height = Math.max(WIDTH / aspect, NUMBER + FIFTH + 40);
  const bars = height - NUMBER - FIFTH - 6;
  const drawing = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${height}`, class: "sheet small", role: "img", "aria-label": describe(sheet), ...resultOf(sheet),
  });
  drawing.append(...sheet.rows.map((line, index) => bar(line, index * COLUMN, bars)));
  const par = bars * (1 - PAR / MOST);
  drawing.append(svg("line", { x1: 0, x2: WIDTH, y1: par, y2: par, class: "par" }));
  const tokens = sheet.jokers.length * (JOKER + 2);
  const step = (WIDTH - tokens) / 3;
  drawing.append(...sheet.fifth.map((line, index) => fifth(line, index * step, height - FIFTH / 2)));
  drawing.append(...sheet.jokers.map((joker, index) => token(joker, WIDTH - tokens + index * (JOKER + 2) + 2, height - FIFTH / 2)));
  return drawing;
}

function token(joker, left, middle) {
  const sign = placeDrawing(jokerIcon(joker.name), left, middle - JOKER / 2, JOKER);
  return svg("g", { class: "token", "data-joker": joker.name, "data-state": joker.state }, sign);
}

function bar(line, left, height) {
  const group = svg("g", {
    class: "line", "data-sum": line.sum, "data-marks": line.marks, "data-points": line.points,
    "data-tone": line.tone, "data-pending": line.pending,
  });
  const full = (height * Math.min(line.marks, MOST)) / MOST;
  group.append(
    svg("rect", { x: left + 2, y: 0, width: COLUMN - 4, height, class: "cell" }),
    svg("rect", { x: left + 2, y: height - full, width: COLUMN - 4, height: full, class: "fill" }),
    svg("rect", { x: left + 1, y: height + 1, width: COLUMN - 2, height: NUMBER, rx: 2, class: "badge" }),
    text(line.sum, left + COLUMN / 2, height + 1 + NUMBER / 2, line.sum < 10 ? 13 : 10.5, "sum"),
  );
  return group;
}

function fifth(line, left, middle) {
  const group = svg("g", { class: "line", "data-fifth": line.face, "data-marks": line.marks, "data-pending": line.pending });
  if (line.face === 0) {
    group.append(svg("rect", { x: left + 1, y: middle - DIE / 2, width: DIE, height: DIE, rx: 3, class: "blank" }));
    return group;
  }
  group.append(dieAt(line.face, left, middle - DIE / 2, DIE), text(`${line.marks}/8`, left + DIE + 5, middle, 14, "count", "start"));
  return group;
}
