// SPDX-License-Identifier: MIT
// The dice of the roll, large: taps make pairs, or mark the dice that are thrown again. The line below shows which of
// them belong together and their total, or the use of each die.

import { $, el, fill, setText, show, svg } from "../dom.js";
import { nameDie, orderDice, showFace } from "../faces.js";
import { gettext } from "../messages.js";
import { send } from "../send.js";

const NAMES = {
  a: gettext("first sum"), b: gettext("second sum"), fifth: gettext("fifth die"), kept: gettext("stays"),
  thrown: gettext("is thrown again"), turn: gettext("is to be turned"),
};
/** What stands at the foot of a die. */
export const TAGS = { fifth: gettext("5th"), kept: gettext("keep"), thrown: gettext("again"), turn: gettext("turn") };
const LIMITS = { may: gettext("may be the fifth die"), must: gettext("must be the fifth die") };
const DEPTH = { a: 18, b: 44 };
const FEWEST_PLACES = 4;
/** More dice than this are shown in rows, and small. */
const MANY = 6;
const WIDEST_ROW = 7;
const HELD_PHASES = ["in hand", "awaiting roll", "rolling", "settling"];
const NO_ROLL = ["straighten", "game over"];

export function mountDice(store) {
  store.watch(["dice", "by_hand", "corrected", "phase", "choices", "dice_wanted", "board"], showDice);
}

function showDice(view) {
  const places = orderDice(placesOf(view), view.board);
  const wide = Math.max(places.length, view.dice_wanted, FEWEST_PLACES);
  $("dice").style.setProperty("--dice", places.length);
  $("dice").style.setProperty("--places", wide);
  $("dice").style.setProperty("--columns", columnsFor(wide));
  $("dice").dataset.many = wide > MANY;
  $("dice").dataset.held = view.dice.some((die) => die.group === "kept");
  fill($("dice"), places, makeDie, (button, { die, index }) => showDie(button, die, index, view));
  show($("roll"), view.dice.length > 0 && !NO_ROLL.includes(view.phase));
  show($("by-hand-mark"), view.by_hand);
  setText($("by-hand-mark"), view.corrected ? gettext("corrected by hand") : gettext("entered by hand"));
  drawPairs(view, wide);
}

/** Many dice are shown in rows of nearly equal length. */
function columnsFor(count) {
  return count > MANY ? Math.ceil(count / Math.ceil(count / WIDEST_ROW)) : count;
}

/** While dice are in the hand, the kept ones are shown and the others leave gaps. */
function placesOf(view) {
  const isHeld = HELD_PHASES.includes(view.phase) && view.dice.some((die) => die.group === "kept");
  if (!isHeld) return view.dice;
  const places = view.dice.map((die) => (die.group === "thrown" ? null : die));
  return [...places, ...Array.from({ length: Math.max(view.dice_wanted - places.length, 0) }, () => null)];
}

function makeDie() {
  const tap = ({ currentTarget }) => send({ do: "tap", die: Number(currentTarget.dataset.die) });
  return el("button", { type: "button", onclick: tap });
}

function showDie(button, die, index, view) {
  const group = die?.group ?? null;
  button.dataset.die = index;
  showFace(button, die ?? { face: 0, polarity: "light", colour: "" });
  button.classList.toggle("empty", die === null);
  button.classList.toggle("taken", die?.taken ?? false);
  button.dataset.face = die?.face ?? "";
  button.dataset.polarity = die?.polarity ?? "";
  button.dataset.group = group ?? "none";
  button.dataset.tag = view.game === "dice" ? gettext("stayed") : TAGS[group] ?? "";
  button.dataset.limit = die?.limit ?? "";
  button.dataset.placed = die?.placed ?? false;
  button.dataset.set = gettext("set");
  button.disabled = die === null || view.choices.length === 0;
  button.setAttribute("aria-label", die === null ? gettext("in the hand") : label(die));
  button.setAttribute("aria-pressed", die?.taken ?? false);
}

function label({ colour, face, group, placed, limit }) {
  const part = group === "fifth" ? NAMES.fifth : LIMITS[limit] ?? NAMES[group];
  return [nameDie({ colour, face }), ...(part ? [part] : []), ...(placed ? [gettext("set by hand")] : [])].join(", ");
}

/** In Choice the brackets keep their space while somebody chooses, so that the dice do not move. */
function drawPairs({ dice, choices, players }, count) {
  const wide = count * 100;
  const start = (wide - dice.length * 100) / 2 + 50;
  const lines = [];
  const tags = [];
  for (const group of ["a", "b"]) {
    const places = dice.flatMap((die, index) => (die.group === group ? [index] : []));
    if (places.length === 0) continue;
    const at = places.map((place) => start + place * 100);
    lines.push(svg("path", { class: "bracket", "data-group": group, d: bracket(at, DEPTH[group]) }));
    if (isWhole(places, group, dice)) tags.push(tag(group, tagPlace(at), DEPTH[group], totalOf(dice, places)));
  }
  $("pairs").setAttribute("viewBox", `0 0 ${wide} 64`);
  $("pairs").replaceChildren(...lines, ...tags);
  show($("pairs"), lines.length > 0 || (choices.length > 0 && players[0]?.sheet.kind === "choice"));
}

function bracket(at, depth) {
  const [left, right] = [at[0], at.at(-1)];
  return `M${left} 0 V${depth} H${right} V0${at.slice(1, -1).map((x) => ` M${x} 0 V${depth}`).join("")}`;
}

/** A single die has a sum of its own only beside a triple. */
function isWhole(places, group, dice) {
  const count = (name) => dice.filter((die) => die.group === name).length;
  return places.length > 1 || (group === "b" && count("a") === 3);
}

/** Between two neighbours, else below the right one, so that tags never overlap. */
function tagPlace(at) {
  const [left, right] = [at[0], at.at(-1)];
  return right - left === 100 ? (left + right) / 2 : right;
}

function totalOf(dice, places) {
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
