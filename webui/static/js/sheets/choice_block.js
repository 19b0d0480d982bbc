// SPDX-License-Identifier: MIT
// A Choice sheet, drawn as on the printed block: each total's boxes as 4 | 1 | 5, the columns
// for plus and minus, and the table of the fifth die. It is one drawing, so it scales to any
// space without being cut; its form depends on the shape of that space.

import { formatNumber, formatDifference, svg } from "../dom.js";
import { dieAt } from "../faces.js";
import { gettext, ngettext } from "../messages.js";
import { cross, text } from "./sheet_svg.js";

const BOX = 16;
const GAP = 5;
const HEAD = 15;
const LABEL = 10;
const FIFTH_BOXES = 8;
const SLIM_PX = 290;
const SLIM_WIDE_PX = 440;

/** The positions, in units of the drawing; a slim sheet has no column of values. */
const FULL = { width: 316, value: 39, boxes: 54, plus: 280, minus: 315, isSlim: false };
const POINTS_WIDE = 32;
const NONE = gettext("none");
const SLIM = { width: 258, value: null, boxes: 27, plus: 257, minus: 257, isSlim: true };

/** What each part of a drawing shows, so that a part that stays as it is is not drawn again. */
const contents = new WeakMap();
const PARTS = ".sums > .line, .fifth > .line, .result";

/**
 * Draw a sheet for a space of this shape.
 * `aspect` is the space's width by height, `pairs` are the totals of the pairs under the cursor.
 */
export function drawBlock(sheet, aspect, widthPx, pairs) {
  const plan = planBlock(sheet, aspect, widthPx);
  const { columns, width, height, fifth } = plan;
  const parts = listParts(sheet, pairs, plan).map(drawPart);
  const sums = svg("g", { class: "sums" }, ...heads(columns), ...parts.slice(0, sheet.rows.length));
  const table = svg("g", { class: "fifth" },
    text(gettext("fifth die"), fifth.left + fifth.side + 8, fifth.top + HEAD * 0.5, LABEL, "label", "start"), ...parts.slice(sheet.rows.length, -1));
  return svg("svg", {
    viewBox: `0 0 ${width} ${height}`, class: "sheet", role: "img", "aria-label": describe(sheet),
  }, sums, table, parts.at(-1));
}

/** Draw what has changed in a block of the same shape. Pending marks are drawn again, so that all of them blink at once. */
export function redrawBlock(drawing, sheet, aspect, widthPx, pairs) {
  const nodes = drawing.querySelectorAll(PARTS);
  listParts(sheet, pairs, planBlock(sheet, aspect, widthPx)).forEach((part, index) => {
    if (part.isPending || contents.get(nodes[index]) !== part.content) nodes[index].replaceWith(drawPart(part));
  });
  drawing.setAttribute("aria-label", describe(sheet));
}

/** The places of the parts, in units of the drawing. */
function planBlock(sheet, aspect, widthPx) {
  const isWide = aspect > 1.25;
  const columns = widthPx < (isWide ? SLIM_WIDE_PX : SLIM_PX) ? SLIM : FULL;
  const side = columns.isSlim ? 146 : 172;
  const width = isWide ? columns.width + 14 + side : columns.width;
  const height = Math.max(width / aspect, isWide ? 150 : 200);
  const lines = sheet.rows.length;
  if (isWide) {
    const row = (height - HEAD) / lines, left = columns.width + 14;
    const below = HEAD + 3 * Math.min(row * 1.5, 36);
    return {
      columns, width, height, row, fifth: planFifth(sheet, left, 0, side, below),
      result: [left, below + row * 0.7, side, Math.min(row * 1.3, 24), true],
    };
  }
  const row = (height - 2 * HEAD) / 16.7;
  const table = HEAD + lines * row;
  return {
    columns, width, height, row, fifth: planFifth(sheet, 0, table + row * 0.3, width, HEAD + 3 * row),
    result: [0, table + HEAD + row * 3.5, width, row * 1.1, false],
  };
}

function planFifth(sheet, left, top, width, height) {
  const row = (height - HEAD) / sheet.fifth.length;
  const side = Math.min(row - 3, 24);
  return { left, top, row, side, step: (width - side - 8) / FIFTH_BOXES };
}

/** The parts of a sheet in their order: the lines of the sums, those of the fifth die, the result. */
function listParts(sheet, pairs, { columns, row, fifth, result }) {
  const isPending = (line) => line.pending > 0;
  return [
    ...sheet.rows.map((line, index) => ({
      content: JSON.stringify(line), isPending: isPending(line), draw: () => sumRow(line, pairs, columns, HEAD + index * row, row),
    })),
    ...sheet.fifth.map((line, index) => ({
      content: JSON.stringify(line), isPending: isPending(line), draw: () => fifthLine(line, fifth, fifth.top + HEAD + (index + 0.5) * fifth.row),
    })),
    { content: JSON.stringify([sheet.plus, sheet.minus, sheet.jokers_points, sheet.total]), isPending: false, draw: () => sums(sheet, ...result) },
  ];
}

function drawPart({ content, draw }) {
  const node = draw();
  contents.set(node, content);
  return node;
}

export function describe(sheet) {
  const totals = sheet.rows.filter((row) => row.marks > 0).map(describeRow);
  const fifth = sheet.fifth.filter((row) => row.face > 0).map((row) => `${row.face}: ${row.marks}`);
  const jokers = sheet.jokers.filter((joker) => joker.state !== "used").map((joker) => joker.title);
  return [
    gettext("Sums: {sums}.", { sums: totals.join("; ") || NONE }),
    gettext("Fifth die: {faces}.", { faces: fifth.join("; ") || NONE }),
    ...(sheet.jokers.length > 0 ? [gettext("Unused jokers: {jokers}.", { jokers: jokers.join(", ") || NONE })] : []),
    gettext("Result: {points}.", { points: formatNumber(sheet.total) }),
  ].join(" ");
}

function describeRow({ sum, marks, points }) {
  return ngettext("{sum}: {count} cross, {points} points", "{sum}: {count} crosses, {points} points", marks, {
    sum, points: formatNumber(points),
  });
}

function heads(columns) {
  const head = HEAD * 0.5;
  const middle = (first, last) => (boxLeft(columns, first) + boxLeft(columns, last) + BOX) / 2;
  return [
    columns.value && text(gettext("value"), columns.value, head, LABEL, "label"),
    ...[[0, 3, "4"], [4, 4, "1"], [5, 9, "5"]].map(([first, last, count]) => text(count, middle(first, last), head, LABEL, "label")),
    ...(columns.isSlim
      ? [text(gettext("points"), columns.plus, head, LABEL, "label", "end")]
      : [["+", columns.plus], ["−", columns.minus]].map(([sign, right]) => text(sign, right - POINTS_WIDE / 2, head, 14, "label"))),
  ];
}

function boxLeft(columns, index) {
  return columns.boxes + index * BOX + (index > 3 ? GAP : 0) + (index > 4 ? GAP : 0);
}

function sumRow(line, pairs, columns, top, height) {
  const middle = top + height / 2;
  const side = Math.min(height - 2.5, 20);
  const group = svg("g", {
    class: "line", "data-sum": line.sum, "data-marks": line.marks, "data-points": line.points,
    "data-tone": line.tone, "data-pending": line.pending,
  });
  group.append(
    svg("rect", { x: 0, y: top + 0.6, width: columns.width, height: height - 1.2, rx: 2, class: "tint" }),
    svg("rect", { x: 0, y: top + 0.6, width: 24, height: height - 1.2, rx: 3, class: "badge" }),
    text(line.sum, 12, middle, Math.min(height * 0.8, 16), "sum"),
  );
  if (columns.value) group.append(text(line.value, columns.value, middle, Math.min(height * 0.6, 12), "value"));
  if (!columns.isSlim) group.append(...[columns.plus, columns.minus].map((right) =>
    svg("rect", { x: right - POINTS_WIDE, y: top + 0.6, width: POINTS_WIDE, height: height - 1.2, class: "cell" })));
  for (let index = 0; index < 10; index += 1) {
    group.append(box(boxLeft(columns, index), middle - side / 2, BOX - 1.5, side, index, line, pairs));
  }
  group.append(...points(line, columns, middle, height), ...beyond(line, columns, middle, height));
  return group;
}

/** A box with its mark, its pending mark, or nothing. */
function box(x, y, width, height, index, line, pairs) {
  const group = svg("g", { class: "box" });
  group.append(svg("rect", { x, y, width, height, rx: 1.5 }));
  if (index < line.marks) group.append(cross(x, y, width, height, "mark", line.sum + index));
  else if (index < line.marks + line.pending) {
    group.append(pendingMark(x, y, width, height, pairOf(line, index - line.marks, pairs)));
  }
  return group;
}

/** The pair that a pending mark comes from; two equal pairs make one mark each. */
function pairOf(line, order, pairs) {
  if (pairs.a === line.sum && (order === 0 || pairs.b !== line.sum)) return "a";
  return pairs.b === line.sum ? "b" : "a";
}

function pendingMark(x, y, width, height, group) {
  const mark = svg("g", { class: "pending", "data-group": group });
  mark.append(
    svg("rect", { x, y, width, height, rx: 1.5 }),
    cross(x, y, width, height, "mark", 3),
  );
  return mark;
}

/** Marks after the tenth are allowed and worth nothing more; they are counted beside the boxes. */
function beyond(line, columns, middle, height) {
  const more = line.marks + line.pending - 10;
  if (more <= 0) return [];
  const kind = line.pending > 0 ? "more pending-text" : "more";
  return [text(`+${more}`, boxLeft(columns, 9) + BOX + 8, middle, Math.min(height * 0.6, 10), kind)];
}

function points(line, columns, middle, height) {
  const isPending = line.pending > 0;
  const value = isPending ? line.points_after : line.points;
  const tone = isPending ? line.tone_after : line.tone;
  if (tone === "none") return [];
  const shown = columns.isSlim ? formatDifference(value) : `${Math.abs(value)}`;
  const right = (value < 0 ? columns.minus : columns.plus) - (columns.isSlim ? 1 : 2);
  const kind = `points ${tone}${isPending ? " pending-text" : ""}`;
  return [text(shown, right, middle, Math.min(height * 0.75, 15), kind, "end")];
}

function fifthLine(line, { left, side, step }, middle) {
  const group = svg("g", { class: "line", "data-fifth": line.face, "data-marks": line.marks, "data-pending": line.pending });
  group.append(fifthFace(line, left, middle, side));
  for (let number = 0; number < FIFTH_BOXES; number += 1) {
    group.append(fifthBox(left + side + 8 + number * step, middle - side / 2, step - 2, side, number, line));
  }
  return group;
}

function fifthFace(line, left, middle, side) {
  if (line.face === 0) {
    return svg("rect", { x: left + 0.5, y: middle - side / 2, width: side, height: side, rx: 3, class: "blank" });
  }
  const die = dieAt(line.face, left, middle - side / 2, side);
  if (line.marks === 0) die.classList.add("pending-face");
  return die;
}

function fifthBox(x, y, width, height, number, line) {
  const group = svg("g", { class: number === FIFTH_BOXES - 1 ? "box last" : "box" });
  group.append(svg("rect", { x, y, width, height, rx: 1.5 }));
  if (number < line.marks) group.append(cross(x, y, width, height, "mark", line.face + number));
  else if (number < line.marks + line.pending) group.append(pendingMark(x, y, width, height, "fifth"));
  return group;
}

/** Plus less minus, and the unused jokers, as they count now: two in a line, or one below the other. */
function sums(sheet, left, top, width, height, isStacked) {
  const group = svg("g", { class: "result", ...resultOf(sheet) });
  const size = Math.min(height * 0.7, 18);
  const label = Math.min(size * 0.6, LABEL);
  const parts = [
    [gettext("plus"), sheet.plus, "green"], [gettext("minus"), sheet.minus, "red"],
    ...(sheet.jokers.length > 0 ? [[gettext("jokers"), sheet.jokers_points, "green"]] : []),
    [gettext("result"), formatNumber(sheet.total), "equals"],
  ];
  const columns = isStacked ? 1 : 2;
  const shift = (width + GAP) / columns;
  parts.forEach(([name, value, tone], index) => {
    const isAlone = index % columns === 0 && index === parts.length - 1;
    const wide = isAlone ? width : shift - GAP;
    const [x, y] = [left + (index % columns) * shift, top + Math.floor(index / columns) * height];
    group.append(
      svg("rect", { x, y: y + 1, width: wide, height: height - 2, rx: 2, class: "cell" }),
      text(name, x + 4, y + height / 2, label, "label", "start"),
      text(value, x + wide - 4, y + height / 2, size, `points ${tone}`, "end"),
    );
  });
  return group;
}

/** What a sheet counts, as data attributes. */
export function resultOf(sheet) {
  return { "data-plus": sheet.plus, "data-minus": sheet.minus, "data-total": sheet.total };
}
