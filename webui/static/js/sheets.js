// SPDX-License-Identifier: MIT
// Every player's card with the sheet of the current game: two cards are side by side; of more, the
// active one is large and the others are beside it.

import { $, el, fill, setText } from "./dom.js";
import { gettext } from "./messages.js";
import { send } from "./send.js";
import { showPaper, showTotals } from "./sheets/card.js";
import { KINDS, STATES } from "./sheets/kinds.js";

export function mountSheets(store) {
  $("sheets").addEventListener("click", (event) => showChoicesOf(event, store.view));
  store.watch(["players", "active", "dice", "phase", "choices", "joker", "board"], showSheets);
  new ResizeObserver(() => store.view && updateSheets(store.view)).observe($("sheets"));
}

/** At the shared screen a tap on a name brings this player's choices there, if they may choose. */
function showChoicesOf(event, view) {
  const head = event.target.closest(".card > header");
  const isOpen = ["choosing", "awaiting joker"].includes(view?.phase) && view.viewer === "";
  if (!head || !isOpen) return;
  const { player, state } = head.parentElement.dataset;
  if (["chooses", "waits"].includes(state)) send({ do: "show", player });
}

function showSheets(view) {
  const active = activeIndex(view);
  fill($("sheets"), view.players, makeCard, (card, player, index) => {
    showHead(card, player, index === active);
    card.dataset.seat = index;
    // Clockwise from the active player, so that the next player's card is next.
    const seat = (index - active + view.players.length) % view.players.length;
    card.style.order = view.players.length > 2 && player.sheet.kind !== "black-n-white" ? seat : index;
  });
  updateSheets(view);
}

/** The active player: whose dice lie there without a choice, else whom the headline is about, else who won. */
function activeIndex({ players, active }) {
  for (const isActive of [({ sheet }) => sheet.lies, ({ name }) => name === active, ({ winner }) => winner]) {
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
  showTotals(card, player);
  card.classList.toggle("active", isActive);
  card.classList.toggle("winner", player.winner);
  setText(card.querySelector(".state"), player.winner ? gettext("wins") : KINDS[player.sheet.kind].states?.[player.state] ?? STATES[player.state]);
}

function updateSheets(view) {
  view.players.forEach((player, index) => showPaper($("sheets").children[index], player, view));
}
