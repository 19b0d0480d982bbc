// SPDX-License-Identifier: MIT
// The dice of the roll, large: tapped one after the other they make pairs, and brackets
// below show which belong together and what they total.

import { $, el, fill, show, svg } from "./dom.js";
import { showFace } from "./faces.js";
import { send } from "./send.js";

const NAMES = { a: "first pair", b: "second pair", fifth: "fifth die" };
const DEPTH = { a: 14, b: 30 };

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
  const hasGroups = dice.some((die) => die.group !== null);
  const start = (wide - dice.length * 100) / 2;
  const marks = ["a", "b"].flatMap((group) => bracket(dice, group, start));
  const fifth = dice.findIndex((die) => die.group === "fifth");
  if (fifth >= 0) marks.push(tag("fifth", start + fifth * 100 + 50, 22, "5th"));
  $("pairs").setAttribute("viewBox", `0 0 ${wide} 54`);
  $("pairs").replaceChildren(...marks);
  show($("pairs"), hasGroups);
}

function bracket(dice, group, start) {
  const members = dice.flatMap((die, index) => (die.group === group ? [index] : []));
  if (members.length === 0) return [];
  const [left, right] = [members[0], members.at(-1)].map((index) => start + index * 100 + 50);
  const total = members.reduce((sum, index) => sum + dice[index].face, 0);
  const y = DEPTH[group];
  const line = svg("path", { class: "bracket", "data-group": group, d: `M${left} 0 V${y} H${right} V0` });
  return members.length < 2 ? [line] : [line, tag(group, (left + right) / 2, y, total)];
}

function tag(group, x, y, text) {
  const mark = svg("g", { class: "tag", "data-group": group });
  mark.append(
    svg("rect", { x: x - 28, y: y - 17, width: 56, height: 36, rx: 10 }),
    svg("text", { x, y: y + 11, text }),
  );
  return mark;
}
