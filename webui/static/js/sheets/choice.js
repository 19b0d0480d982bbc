// SPDX-License-Identifier: MIT
// A player's sheet of Choice on its paper: the jokers as coins above, the printed block below,
// or bars where a row of the block would be too low to be read.

import { el, fill, setText, show } from "../dom.js";
import { send } from "../send.js";
import { jokerIcon } from "../icons.js";
import { gettext } from "../messages.js";
import { drawBlock, redrawBlock } from "./choice_block.js";
import { drawSmall } from "./choice_small.js";
import { minRowHeight } from "./row_height.js";

const ROWS = 12;
const JOKER_ROWS = 2;
const JOKER_STATES = { unused: gettext("not used yet"), pending: gettext("to be used now"), used: gettext("used") };

/** The content of each drawing, so that an unchanged one is not drawn again. */
const drawings = new WeakMap();

export const choice = { make, update, isPending };

function make() {
  const jokers = el("div", { class: "jokers", role: "group", "aria-label": gettext("Jokers") });
  return el("div", { class: "choice-sheet" }, jokers, el("div", { class: "drawing" }));
}

function isPending(sheet) {
  return sheet.total_after !== sheet.total || [...sheet.rows, ...sheet.fifth].some((row) => row.pending > 0);
}

function update(node, player, view) {
  const [jokers, drawing] = node.children;
  const hasJokers = player.sheet.jokers.length > 0;
  const isLarge = node.clientHeight / (ROWS + (hasJokers ? JOKER_ROWS : 0)) >= minRowHeight();
  show(jokers, isLarge && hasJokers);
  fill(jokers, isLarge ? player.sheet.jokers : [], makeJoker, (button, joker) => showJoker(button, joker, player, view));
  const { width, height } = drawing.getBoundingClientRect();
  if (width === 0 || height === 0) return;
  const pairs = isPending(player.sheet) ? pairTotals(view.dice) : { a: 0, b: 0 };
  const drawn = JSON.stringify([player.sheet, pairs]), shape = JSON.stringify([isLarge, hasJokers, width, height]);
  const before = drawings.get(drawing);
  if (before?.drawn === drawn && before.shape === shape) return;
  drawings.set(drawing, { drawn, shape });
  if (!isLarge) drawing.replaceChildren(drawSmall(player.sheet, width / height));
  else if (before?.shape === shape) redrawBlock(drawing.firstElementChild, player.sheet, width / height, width, pairs);
  else drawing.replaceChildren(drawBlock(player.sheet, width / height, width, pairs));
}

function makeJoker() {
  const tap = ({ currentTarget }) => send({ do: "joker", joker: currentTarget.dataset.joker });
  return el("button", { type: "button", onclick: tap }, el("span"));
}

function showJoker(button, joker, player, view) {
  if (button.dataset.joker !== joker.name) {
    button.querySelector(".coin")?.remove();
    button.prepend(jokerIcon(joker.name));
  }
  button.dataset.joker = joker.name;
  button.dataset.state = joker.state;
  setText(button.lastElementChild, joker.title);
  button.setAttribute("aria-label", `${joker.title}, ${JOKER_STATES[joker.state]}`);
  button.setAttribute("aria-pressed", player.state === "chooses" && view.joker === joker.name);
  button.disabled = player.state !== "chooses" || view.choices.length === 0 || joker.state === "used";
}

/** The totals of the pairs under the cursor; they colour the pending marks like the dice. */
function pairTotals(dice) {
  const total = (group) => dice.reduce((sum, die) => sum + (die.group === group ? die.face : 0), 0);
  return { a: total("a"), b: total("b") };
}
