// SPDX-License-Identifier: MIT
// Marks over the live picture: cards, felt, bad light, dice.

import { $, svg } from "../dom.js";
import { drawDie, measureFace, placeDice, points } from "../dice_panel/die_mark.js";

const MARKS = svg("g");
/** Half the length of a label, in widths of the picture. */
const LABEL = 0.028;

export function mountMarks(store) {
  $("tray-marks").append(MARKS);
  store.watch(["look", "reading", "own"], (view) => draw(view));
}

function draw({ look, reading: newest, own }) {
  if (!look) return;
  const thrown = own?.faces ?? [];
  const reading = thrown.length ? null : newest;
  const [width, height] = look.picture_wh;
  const frame = { left: 0, top: 0, right: width, bottom: height };
  const felt = look.tray && !look.corners_are_said
    ? [svg("polygon", { class: "felt", points: points(look.tray.corners_px), "stroke-width": width * 0.004 })]
    : [];
  const dome = look.dome?.by === "sight"
    ? [svg("polygon", { class: "felt dome", points: points(look.dome.outline_px), "stroke-width": width * 0.004 })]
    : [];
  const light = look.light.filter((fault) => fault.center_px).map((fault) => ring("place", fault, width));
  const dice = placeDice((reading?.dice ?? []).map(measureFace), frame).map(drawDie);
  const doubts = reading ? reading.doubts.filter((doubt) => doubt.center_px).map((doubt) => doubtMark(doubt, width)) : [];
  const faces = placeDice(thrown.map((face) => ({ ...face, angle_deg: 0 })), frame, () => width * LABEL).map((placed, index) => faceMark(placed, index, width));
  MARKS.replaceChildren(...felt, ...dome, ...look.markers.map((card) => cardMark(card, width)), ...light, ...dice, ...doubts, ...faces);
}

function cardMark({ number, corners_px: corners }, width) {
  const [x, y] = middle(corners);
  return svg("g", { class: "found-card", "data-card": number },
    svg("polygon", { class: "card", points: points(corners), "stroke-width": width * 0.003 }),
    svg("text", { class: "card-number", x, y: y + width * 0.012, "font-size": width * 0.034, "stroke-width": width * 0.005, text: number }));
}

/** A face of an unconfirmed throw: its position in the list, and its number. */
function faceMark({ die: { number, read, center_px: [x, y], edge_px: edge }, disc }, index, width) {
  const state = number ? (read === number ? "read" : "named") : "left-out";
  return svg("g", { class: "own-face", "data-state": state, "data-face": index },
    svg("circle", { cx: x, cy: y, r: Math.max(edge * 0.85, width * 0.015), "stroke-width": width * 0.004 }),
    svg("text", { x: disc.x, y: disc.y + width * 0.011, "font-size": width * 0.03, "stroke-width": width * 0.005, text: `${index + 1}: ${number || "–"}` }));
}

function doubtMark(doubt, width) {
  const mark = svg("g", { class: "doubt", "data-kind": doubt.kind });
  mark.append(ring("", doubt, width));
  return mark;
}

function ring(name, { center_px: [x, y], radius_px: radius }, width) {
  return svg("circle", { class: name, cx: x, cy: y, r: Math.max(radius, width * 0.02), "stroke-width": width * 0.006 });
}

function middle(corners) {
  const sum = corners.reduce(([ax, ay], [x, y]) => [ax + x, ay + y], [0, 0]);
  return sum.map((value) => value / corners.length);
}
