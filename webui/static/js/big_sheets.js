// SPDX-License-Identifier: MIT
// The sheets of two players on a big screen, below their names and totals; more would be too small.

import { $, fill, show } from "./dom.js";
import { makeCard, showPaper, showTotals } from "./sheets/card.js";

const MOST_SHEETS = 2;
/** What a sheet of these kinds says, the totals say too. */
const WITHOUT = ["dice", "none"];

/** `listPlayers(view)` gives the players in the order of their totals above. */
export function mountBigSheets(store, listPlayers) {
  const showAll = (view) => showSheets(listPlayers(view), view);
  store.watch(["players", "dice", "phase", "choices", "joker", "board"], showAll);
  new ResizeObserver(() => store.view && showAll(store.view)).observe($("papers"));
}

function showSheets(all, view) {
  const isShown = all.length <= MOST_SHEETS && all.every(({ sheet }) => !WITHOUT.includes(sheet.kind));
  const players = isShown ? all : [];
  show($("papers"), players.length > 0);
  fill($("papers"), players, makeCard, showTotals);
  // A sheet fits itself to its paper, so all cards are laid out first.
  players.forEach((player, index) => showPaper($("papers").children[index], player, view));
}
