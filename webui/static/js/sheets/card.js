// SPDX-License-Identifier: MIT
// What every card of a player shows: the name, the total and what it would become, and the sheet.

import { el, formatNumber, movesLess, setName, setText, show } from "../dom.js";
import { KINDS } from "./kinds.js";

const FALL_MS = 350;

/** A card without a word for what its player does now. */
export function makeCard() {
  const head = el("header", {}, el("h2"), el("output", { class: "total" }), el("output", { class: "after" }));
  return el("article", { class: "card" }, head, el("div", { class: "paper" }));
}

export function showTotals(card, player) {
  const { sheet } = player;
  card.dataset.player = player.name;
  card.dataset.state = player.state;
  const after = card.querySelector(".after");
  setName(card.querySelector("h2"), player);
  showTotal(card.querySelector(".total"), formatNumber(player.total));
  const isPending = KINDS[sheet.kind].isPending(sheet);
  setText(after, isPending ? `→ ${formatNumber(sheet.total_after)}` : "");
  show(after, isPending);
}

/** A total that changes falls into its place. */
function showTotal(node, text) {
  const isChanged = node.textContent !== "" && node.textContent !== text;
  setText(node, text);
  if (isChanged && !movesLess()) node.animate([{ transform: "translateY(-0.6em)", opacity: 0.2 }, {}], FALL_MS);
}

/** A sheet fits itself to its paper, so the card is laid out first. */
export function showPaper(card, player, view) {
  const paper = card.lastElementChild;
  const kind = KINDS[player.sheet.kind];
  if (paper.dataset.kind !== player.sheet.kind) {
    paper.dataset.kind = player.sheet.kind;
    paper.replaceChildren(kind.make(player.sheet));
  }
  if (paper.clientHeight > 0) kind.update(paper.firstElementChild, player, view);
}
