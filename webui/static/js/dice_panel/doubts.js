// SPDX-License-Identifier: MIT
// Doubts in the picture: each is ringed and has a number, so that two of a kind are two. A list says once what is the
// same for several, with their numbers.

import { el, svg } from "../dom.js";
import { placeLabels } from "./labels.js";

/** Doubts of the same text are one item of a list, with the `numbers` that they have in the picture. */
export function groupDoubts(doubts) {
  const groups = new Map();
  doubts.forEach((doubt, index) => {
    const key = `${doubt.kind} ${doubt.text}`;
    if (!groups.has(key)) groups.set(key, { ...doubt, numbers: [] });
    groups.get(key).numbers.push(index + 1);
  });
  return [...groups.values()];
}

/** Draw doubts; `dice` are the boxes of the read dice, which no label may cover. */
export function doubtMarks(doubts, dice, { width, height }) {
  const line = width * 0.009;
  const marked = doubts.map((doubt, index) => {
    const text = `${index + 1} ${doubt.label}`;
    return { doubt, text, ...doubtRing(doubt, width, line), ...labelSize(text, width) };
  });
  const places = placeLabels(marked, dice, { width, height }, line);
  return marked.map((mark, index) => svg("g", { class: "doubt", "data-kind": mark.doubt.kind },
    mark.doubt.center_px === null ? frame(width, height, line) : ring(mark, line),
    mark.doubt.center_px === null ? null : leader(mark, places[index], line),
    labelAt(mark, places[index])));
}

/** A doubt without a position, such as the number of dice, is marked on the whole picture. */
function doubtRing(doubt, width, line) {
  if (doubt.center_px === null) return { x: width / 2, y: 0, radius: line };
  const [x, y] = doubt.center_px;
  return { x, y, radius: Math.max(doubt.radius_px, width * 0.03) };
}

function labelSize(text, width) {
  const letter = width / 42;
  return { letter, width: (text.length * 0.6 + 1.2) * letter, height: 1.7 * letter };
}

function ring({ x, y, radius }, line) {
  return svg("circle", { cx: x, cy: y, r: radius, "stroke-width": line });
}

function frame(width, height, line) {
  return svg("rect", { x: line, y: line, width: width - 2 * line, height: height - 2 * line, "stroke-width": line });
}

/** A line from the ring to its label, which may be farther away. */
function leader({ x, y, radius }, { left, top, right, bottom }, line) {
  const [toX, toY] = [(left + right) / 2, (top + bottom) / 2];
  const part = radius / Math.max(Math.hypot(toX - x, toY - y), radius);
  return svg("line", { x1: x + part * (toX - x), y1: y + part * (toY - y), x2: toX, y2: toY, "stroke-width": line / 2 });
}

function labelAt({ text, letter, width, height }, { left, top }) {
  const label = svg("foreignObject", { x: left, y: top, width, height });
  const words = el("p", { class: "doubt-label" }, el("span", { text }));
  words.style.fontSize = `${letter}px`;
  label.append(words);
  return label;
}
