// SPDX-License-Identifier: MIT
// Draw a die: its body, and the pips of its number.

import { svg } from "./dom.js";
import { gettext } from "./messages.js";

const AT = { l: 26, m: 50, r: 74 };
const PIPS = {
  1: ["mm"],
  2: ["lr", "rl"],
  3: ["lr", "mm", "rl"],
  4: ["ll", "lr", "rl", "rr"],
  5: ["ll", "lr", "mm", "rl", "rr"],
  6: ["ll", "lm", "lr", "rl", "rm", "rr"],
};
const PAINTED = new Set(["red", "blue", "green", "yellow"]);

const COLOURS = {
  white: gettext("white"), black: gettext("black"), grey: gettext("grey"), red: gettext("red"), orange: gettext("orange"),
  yellow: gettext("yellow"), green: gettext("green"), blue: gettext("blue"), violet: gettext("violet"), pink: gettext("pink"),
};

/** A die in words: its colour, if it has one, and its face. */
export function nameDie({ colour, face }) {
  const shown = face || gettext("empty");
  return colour ? gettext("{colour} {face}", { colour: COLOURS[colour] ?? colour, face: shown }) : `${shown}`;
}

/** Dice with their indices, in the order in which sheets show them: that of the tens is first. */
export function orderDice(dice, board) {
  const placed = dice.map((die, index) => ({ die, index }));
  return board?.tens === "black" ? placed.reverse() : placed;
}

/** A die seen from above, 100 units wide; `face` 0 leaves it blank. */
export function dieFace(face, polarity = "light", colour = "") {
  const paint = PAINTED.has(colour) ? colour : polarity;
  const die = svg("svg", { viewBox: "0 0 100 100", class: `die-face ${polarity}`, "aria-hidden": true });
  die.append(
    svg("rect", { x: 3, y: 5, width: 94, height: 93, rx: 20, class: "shade" }),
    svg("rect", { x: 3, y: 2, width: 94, height: 93, rx: 20, fill: `url(#paint-${paint})`, class: "body" }),
    svg("circle", { cx: 50, cy: 48.5, r: 43, class: "dish" }),
  );
  for (const [column, row] of PIPS[face] ?? []) {
    die.append(svg("circle", { cx: AT[column], cy: AT[row] - 1.5, r: 9.5, class: "pip" }));
  }
  return die;
}

/** A die as part of a drawing, its upper left corner and its side in the drawing's units. */
export function dieAt(face, x, y, side) {
  return placeDrawing(dieFace(face), x, y, side);
}

/** Put a square drawing into another one. */
export function placeDrawing(drawing, x, y, side) {
  for (const [name, value] of Object.entries({ x, y, width: side, height: side })) drawing.setAttribute(name, value);
  return drawing;
}

/** Show a die in a node, unless it shows that die already. */
export function showFace(node, die) {
  const look = `${die.face} ${die.polarity} ${die.colour}`;
  if (node.dataset.look === look) return;
  node.dataset.look = look;
  node.querySelector(".die-face")?.remove();
  node.prepend(dieFace(die.face, die.polarity, die.colour));
}
