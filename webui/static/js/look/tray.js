// SPDX-License-Identifier: MIT
// The tray picture with the reading drawn on it.

import { $, el, svg } from "../dom.js";
import { mountPicture } from "../picture.js";
import { numberOf, toldOnce } from "./doubts.js";

const MOVING = ["rolling", "settling"];

export function mountTray(store) {
  store.watch(["dice", "doubts", "phase"], (view) => drawMarks(view));
  mountPicture(() => store.view && drawMarks(store.view));
}

function drawMarks(view) {
  const { width, height } = $("tray-picture");
  if (!width) return;
  const isMoving = MOVING.includes(view.phase);
  // A die that was entered by hand, or moved since it was read, has no place in the picture.
  const dice = isMoving ? [] : view.dice.filter((die) => die.edge_px > 0).map(dieMark);
  const told = toldOnce(view.doubts);
  const labels = [];
  const doubts = view.doubts.map((doubt) => {
    const text = `${numberOf(doubt, told)} ${doubt.kind}`;
    return doubt.center_px === null ? trayMark(doubt, text, width, height, labels)
      : doubtMark(doubt, text, width, height, labels);
  });
  $("tray-marks").replaceChildren(...dice, ...doubts);
}

export function dieMark(die) {
  const [x, y] = die.center_px;
  const edge = die.edge_px * 1.16;
  const size = die.edge_px * 0.5;
  const mark = svg("g", { class: "seen", "data-group": die.group ?? "none", "data-face": die.face });
  mark.append(
    svg("rect", {
      x: x - edge / 2, y: y - edge / 2, width: edge, height: edge, rx: edge * 0.16,
      transform: `rotate(${die.angle_deg} ${x} ${y})`, "stroke-width": edge * 0.07,
    }),
    svg("circle", { cx: x + edge * 0.62, cy: y - edge * 0.62, r: size * 0.72 }),
    svg("text", { x: x + edge * 0.62, y: y - edge * 0.62 + size * 0.36, "font-size": size, text: die.face }),
  );
  return mark;
}

function doubtMark(doubt, text, width, height, labels) {
  const [x, y] = doubt.center_px;
  const radius = Math.max(doubt.radius_px, width * 0.03);
  const mark = svg("g", { class: "doubt", "data-kind": doubt.kind });
  mark.append(
    svg("circle", { cx: x, cy: y, r: radius, "stroke-width": width * 0.009 }),
    doubtLabel(text, { x, y, radius }, width, height, labels),
  );
  return mark;
}

/** What concerns no single place, as their number does, is marked on the whole picture. */
function trayMark(doubt, text, width, height, labels) {
  const line = width * 0.009;
  const mark = svg("g", { class: "doubt", "data-kind": doubt.kind });
  mark.append(
    svg("rect", { x: line, y: line, width: width - 2 * line, height: height - 2 * line, "stroke-width": line }),
    doubtLabel(text, { x: width / 2, y: 0, radius: line }, width, height, labels),
  );
  return mark;
}

/** The label stands below its ring, or above where the picture ends, and on no other label. */
function doubtLabel(text, { x, y, radius }, width, height, labels) {
  const letter = width / 42;
  const [boxWidth, boxHeight, gap] = [(text.length * 0.6 + 1.2) * letter, width * 0.05, width * 0.008];
  const left = Math.min(Math.max(x - boxWidth / 2, 0), width - boxWidth);
  const isBelow = y + radius + gap + boxHeight <= height;
  const step = (isBelow ? 1 : -1) * (boxHeight + gap);
  let top = isBelow ? y + radius + gap : y - radius - gap - boxHeight;
  const isTaken = (other) => Math.abs(other.top - top) < boxHeight
    && left < other.left + other.boxWidth && other.left < left + boxWidth;
  while (labels.some(isTaken)) top += step;
  labels.push({ left, top, boxWidth });
  const label = svg("foreignObject", { x: left, y: top, width: boxWidth, height: boxHeight });
  const words = el("p", { class: "doubt-label" }, el("span", { text }));
  words.style.fontSize = `${letter}px`;
  label.append(words);
  return label;
}
