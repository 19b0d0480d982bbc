// SPDX-License-Identifier: MIT
// The marks of read dice on a picture: an outline around each, and beside it a badge with the face that was read. People
// compare the two, so no badge covers the pips of any die.

import { svg } from "../dom.js";
import { bestPlace, boxAround } from "./labels.js";

/** In edges of a die: its outline, its pips from the middle outwards, and the radius of a badge. */
const OUTLINE = 1.16, PIPS = 0.46, BADGE = 0.36;
/** How far from a die's middle a badge may be, and the directions that are tried: above on the right first. */
const DISTANCES = [1.02, 1.4, 1.9, 2.5, 3.2];
const DIRECTIONS = [0, 2, -2, 4, -1, 1, 3, -3].map((step) => (step - 1) * (Math.PI / 4)).map((turn) => [Math.cos(turn), Math.sin(turn)]);

/**
 * Return the shape of every die with a position: its outline and the disc of its badge, in pixels of the picture.
 *
 * `frame` is the part of the picture that is shown, as a box; `radius(die)` is that of a badge.
 */
export function placeDice(dice, frame, radius = (die) => die.edge_px * BADGE) {
  const discs = [];
  for (const die of dice) {
    const places = DISTANCES.flatMap((far) => DIRECTIONS.map(([right, down]) => ({
      x: die.center_px[0] + right * far * die.edge_px, y: die.center_px[1] + down * far * die.edge_px, radius: radius(die),
    })));
    discs.push(bestPlace(places, (disc) => measureCover(disc, dice, discs, frame)));
  }
  return dice.map((die, index) => ({ die, disc: discs[index] }));
}

/** How deep a disc reaches into pips, into other discs and out of the frame. */
function measureCover({ x, y, radius }, dice, discs, { left, top, right, bottom }) {
  const inside = Math.min(x - left, right - x, y - top, bottom - y);
  const gaps = [
    inside,
    ...dice.map((die) => measureGap(die, x, y)),
    ...discs.map((other) => Math.hypot(other.x - x, other.y - y) - other.radius),
  ];
  return gaps.reduce((sum, gap) => sum + Math.max(0, radius - gap), 0);
}

/** The distance of a point from the pips of a die, which lie in a turned square. */
function measureGap({ center_px: [middleX, middleY], angle_deg: angle, edge_px: edge }, x, y) {
  const turn = (angle * Math.PI) / 180, [right, down] = [x - middleX, y - middleY];
  const across = Math.abs(right * Math.cos(turn) + down * Math.sin(turn)) - PIPS * edge;
  const along = Math.abs(down * Math.cos(turn) - right * Math.sin(turn)) - PIPS * edge;
  return Math.hypot(Math.max(across, 0), Math.max(along, 0));
}

/** Draw a die; one with known corners exactly. A badge that is farther away gets a line to its die. */
export function drawDie({ die, disc }) {
  const { center_px: [x, y], edge_px: edge, angle_deg: angle, corners_px: corners } = die;
  const side = edge * OUTLINE, size = disc.radius * 1.4, stroke = edge * 0.08;
  const isFar = Math.hypot(disc.x - x, disc.y - y) > 1.1 * edge;
  return svg("g", { class: "die-mark", "data-group": die.group ?? "none", "data-face": die.face },
    corners ? svg("polygon", { class: "face", points: points(corners), "stroke-width": stroke }) : svg("rect", {
      x: x - side / 2, y: y - side / 2, width: side, height: side, rx: side * 0.16, transform: `rotate(${angle} ${x} ${y})`, "stroke-width": stroke,
    }),
    isFar ? drawLeader(die, disc) : null,
    svg("circle", { cx: disc.x, cy: disc.y, r: disc.radius }),
    svg("text", { x: disc.x, y: disc.y + size * 0.36, "font-size": size, text: die.face }));
}

/** It ends at the outline. */
function drawLeader({ center_px: [x, y], edge_px: edge }, disc) {
  const part = (edge * OUTLINE) / (2 * Math.max(Math.abs(disc.x - x), Math.abs(disc.y - y)));
  return svg("line", { x1: x + part * (disc.x - x), y1: y + part * (disc.y - y), x2: disc.x, y2: disc.y, "stroke-width": edge * 0.05 });
}

/** The boxes of a die and its badge, which no label may cover. */
export function boxesOf({ die: { center_px: [x, y], edge_px: edge, angle_deg: angle }, disc }) {
  const turn = (angle * Math.PI) / 180;
  const side = edge * OUTLINE * (Math.abs(Math.cos(turn)) + Math.abs(Math.sin(turn)));
  return [boxAround(x, y, side, side), boxAround(disc.x, disc.y, 2 * disc.radius, 2 * disc.radius)];
}

/** A die as service and calibration know it, by the corners of its face, with its edge and its angle. */
export function measureFace(die) {
  const [[x, y], [nextX, nextY]] = die.corners_px;
  const turn = Math.atan2(nextY - y, nextX - x);
  return { ...die, edge_px: Math.hypot(nextX - x, nextY - y), angle_deg: (turn * 180) / Math.PI };
}

export function points(places) {
  return places.map((place) => place.join(",")).join(" ");
}
