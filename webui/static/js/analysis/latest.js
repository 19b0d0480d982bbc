// SPDX-License-Identifier: MIT
// Luck and play of the game that has just ended at this table.

import { $ } from "../dom.js";
import { askForAnalysis } from "./ask.js";
import { mountPanel } from "./panel.js";

const ADDRESS = "/history/latest/analysis.json";

/** Return what follows the end of a game; null on a page without a history. */
export function mountLatest(store, reveal, findFirst, showMore) {
  if (!$("analysis")) return null;
  const showPanel = mountPanel();
  const asking = askForAnalysis(ADDRESS, (analysis) => {
    const { players } = store.view;
    if (!isSameGame(analysis, players)) return false;
    showPanel(analysis, players.map(({ name }) => name), findFirst(store.view));
    showMore(analysis);
    reveal(true);
    return true;
  });
  return {
    follow(isOver) {
      reveal(false);
      if (isOver) asking.start();
      else asking.stop();
    },
  };
}

/** The history may not have this end yet; two games of the same people with the same results are rare. */
function isSameGame({ totals }, players) {
  return totals.length === players.length && totals.every((total, seat) => total === players[seat].total);
}
