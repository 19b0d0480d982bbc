// SPDX-License-Identifier: MIT
// The dice of the roll, large: tapped one after the other they make pairs, and brackets
// below show which belong together and what they total.

import { $, el, fill, show, svg } from "./dom.js";
import { showFace } from "./faces.js";
import { send } from "./send.js";

const NAMES = { a: "first pair", b: "second pair", fifth: "fifth die" };
const DEPTH = { a: 18, b: 44 };

export function mountDice(store) {
  store.watch(["dice", "by_hand", "phase"], showDice);
}

function showDice(view) {
  const canTap = view.phase === "choosing";
  $("dice").style.setProperty("--dice", Math.max(view.dice.length, 5));
  fill($("dice"), view.dice, makeDie, (button, die) => {
    showFace(button, die);
    button.dataset.face = die.face;
    button.dataset.group = die.group ?? "none";
    button.classList.toggle("taken", die.taken);
    button.disabled = !canTap;
    button.setAttribute("aria-label", `${die.face}${die.group ? `, ${NAMES[die.group]}` : ""}`);
    button.setAttribute("aria-pressed", die.taken);
  });
  show($("roll"), view.dice.length > 0 && view.phase !== "straighten" && view.phase !== "game over");
  show($("by-hand-mark"), view.by_hand);
  drawPairs(view.dice);
}

function makeDie(index) {
  return el("button", { type: "button", "data-die": index, onclick: () => send({ do: "tap", die: index }) });
}

function drawPairs(dice) {
  const wide = Math.max(dice.length, 5) * 100;
  const start = (wide - dice.length * 100) / 2 + 50;
  const lines = [];
  const tags = [];
  for (const group of ["a", "b"]) {
    const places = dice.flatMap((die, index) => (die.group === group ? [index] : []));
    if (places.length === 0) continue;
    const [left, right] = [places[0], places.at(-1)].map((place) => start + place * 100);
    const d = `M${left} 0 V${DEPTH[group]} H${right} V0`;
    lines.push(svg("path", { class: "bracket", "data-group": group, d }));
    if (places.length === 2) tags.push(tag(group, tagPlace(left, right), DEPTH[group], pairTotal(dice, places)));
  }
  $("pairs").setAttribute("viewBox", `0 0 ${wide} 64`);
  $("pairs").replaceChildren(...lines, ...tags);
  show($("pairs"), lines.length > 0);
}

/** Between two neighbours, else below the right one: so no two tags ever meet. */
function tagPlace(left, right) {
  return right - left === 100 ? (left + right) / 2 : right;
}

function pairTotal(dice, places) {
  return places.reduce((sum, place) => sum + dice[place].face, 0);
}

function tag(group, x, y, text) {
  const mark = svg("g", { class: "tag", "data-group": group });
  mark.append(
    svg("rect", { x: x - 28, y: y - 17, width: 56, height: 36, rx: 10 }),
    svg("text", { x, y: y + 11, text }),
  );
  return mark;
}
