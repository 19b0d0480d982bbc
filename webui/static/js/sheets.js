// SPDX-License-Identifier: MIT
// Every player's sheet on the table: two lie side by side, of more the active one is large
// and the others lie beside it; where a row would be too low to be read, as bars.

import { $, el, figure, fill, say, show } from "./dom.js";
import { drawSheet } from "./sheet.js";
import { drawSmallSheet } from "./smallsheet.js";

/** A row of a sheet that is lower than this cannot be read; the second in the page's own unit. */
const LOWEST_ROW_PX = 13;
const LOWEST_ROW_REM = 0.95;
const ROWS = 12;

const STATES = {
  rolls: "throws", chooses: "chooses", waits: "waits", done: "has\u00a0chosen", finished: "finished", idle: "",
};

/** What each paper shows now: a sheet that stays the same is not drawn again. */
const papers = new WeakMap();

export function mountSheets(store) {
  store.watch(["players", "dice", "phase"], showSheets);
  new ResizeObserver(() => store.view && redraw(store.view)).observe($("sheets"));
}

function showSheets(view) {
  const active = activeIndex(view.players);
  fill($("sheets"), view.players, makeCard, (card, player, index) => {
    showHead(card, player, index === active);
    // Clockwise from the active one, so that who is next lies next.
    const seat = (index - active + view.players.length) % view.players.length;
    card.style.order = view.players.length > 2 ? seat : index;
  });
  redraw(view);
}

/** Who is looked at: who chooses, else who throws, else who won. */
function activeIndex(players) {
  for (const isActive of [
    (player) => player.state === "chooses", (player) => player.state === "rolls", (player) => player.winner,
  ]) {
    const index = players.findIndex(isActive);
    if (index >= 0) return index;
  }
  return 0;
}

function makeCard() {
  const head = el("header", {},
    el("h2"), el("span", { class: "state" }), el("output", { class: "total" }), el("output", { class: "after" }));
  return el("article", { class: "card" }, head, el("div", { class: "paper" }));
}

function showHead(card, player, isActive) {
  const [name, state, total, after] = card.firstElementChild.children;
  const { sheet } = player;
  card.dataset.player = player.name;
  card.dataset.state = player.state;
  card.classList.toggle("active", isActive);
  card.classList.toggle("winner", player.winner);
  say(name, player.name);
  say(state, player.winner ? "wins" : STATES[player.state]);
  say(total, figure(player.total));
  say(after, `→ ${figure(sheet.total_after)}`);
  show(after, isPending(sheet));
}

/** The drawing fits itself to its paper, so it comes after the cards have found their places. */
function redraw(view) {
  view.players.forEach((player, index) => {
    const paper = $("sheets").children[index].lastElementChild;
    const { width, height } = paper.getBoundingClientRect();
    if (width === 0 || height === 0) return;
    const draw = height / ROWS < lowestRow() ? drawSmallSheet : drawSheet;
    const pairs = isPending(player.sheet) ? pairTotals(view.dice) : { a: 0, b: 0 };
    const drawn = JSON.stringify([player.sheet, pairs, width, height]);
    if (papers.get(paper) === drawn) return;
    papers.set(paper, drawn);
    paper.replaceChildren(draw(player.sheet, pairs, width / height, width));
  });
}

function lowestRow() {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.max(LOWEST_ROW_PX, LOWEST_ROW_REM * rem);
}

function isPending(sheet) {
  return [...sheet.rows, ...sheet.fifth].some((row) => row.pending > 0);
}

/** The totals of the pairs under the cursor; they colour the pending marks like the dice. */
function pairTotals(dice) {
  const total = (group) => dice.reduce((sum, die) => sum + (die.group === group ? die.face : 0), 0);
  return { a: total("a"), b: total("b") };
}
