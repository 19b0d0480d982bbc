// SPDX-License-Identifier: MIT
// Luck and play of the game that has just ended at this table.

import { $ } from "../dom.js";
import { mountLoaded } from "../loaded.js";
import { loadAnalysis } from "./ask.js";
import { mountPanel } from "./panel.js";

/**
 * Return what follows the end of a game; null on a page without a history. `show(analysis)` shows what the page has
 * beside the panel, `clear()` hides all of it.
 */
export function mountLatest(store, { findFirst, show, clear }) {
  if (!$("analysis")) return null;
  const showPanel = mountPanel();
  const latest = mountLoaded({
    load: (_, isWanted) => loadAnalysis(`/history/latest/analysis.json?${nameLastRoll(store.view)}`, isWanted, ({ totals }) => (
      store.view.players.every(({ total }, seat) => total === totals[seat]))),
    show(analysis) {
      showPanel(analysis, store.view.players.map(({ name }) => name), findFirst(store.view));
      show(analysis);
    },
    clear,
  });
  return { follow: (isOver) => latest.want(isOver ? nameEnd(store.view, findFirst) : null) };
}

/** The newest game of the history may be the one before; the picture of the last roll decides which one it is. */
export function nameLastRoll({ last_roll: roll }) {
  return new URLSearchParams({ picture: roll?.picture ?? "" });
}

/** An undo or a correction may end the same game differently. */
function nameEnd(view, findFirst) {
  const { outcome, players, last_roll: roll } = view;
  return JSON.stringify([roll?.name, roll?.picture, outcome, players.map(({ name, total }) => [name, total]), findFirst(view)]);
}
