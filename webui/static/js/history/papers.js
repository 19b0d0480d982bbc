// SPDX-License-Identifier: MIT
// The sheets of a replay, drawn by the same scripts as at the table. On a small screen one is shown at
// a time: that of the player who rolled, or the one that was tapped.

import { $, el, fill, formatNumber, setText } from "../dom.js";
import { makeCard, showPaper, showTotals } from "../sheets/card.js";

let chosen = "";

export function mountPapers(store) {
  store.watch([], showPapers);
  new ResizeObserver(() => store.view && showCards(store.view)).observe($("sheets"));
  $("tabs").addEventListener("click", ({ target }) => {
    chosen = target.closest("button")?.dataset.player ?? chosen;
    showPapers(store.view);
  });
}

function showPapers(view) {
  if (view.players.some((player) => player.name === view.step.by) && view.index !== Number($("sheets").dataset.index)) chosen = view.step.by;
  if (!view.players.some((player) => player.name === chosen)) chosen = view.players[0].name;
  $("sheets").dataset.index = view.index;
  fill($("tabs"), view.players, makeTab, showTab);
  fill($("sheets"), view.players, makeCard, (card, player) => {
    card.classList.toggle("front", player.name === chosen);
    card.classList.toggle("active", player.name === view.step.by);
    card.classList.toggle("winner", player.winner);
  });
  showCards(view);
}

function showCards(view) {
  view.players.forEach((player, index) => {
    showTotals($("sheets").children[index], player);
    showPaper($("sheets").children[index], player, view);
  });
}

function makeTab() {
  return el("button", { type: "button" }, el("span"), el("b"));
}

function showTab(button, player) {
  button.dataset.player = player.name;
  button.setAttribute("aria-pressed", player.name === chosen);
  button.classList.toggle("winner", player.winner);
  setText(button.children[0], player.name);
  setText(button.children[1], formatNumber(player.total));
}
