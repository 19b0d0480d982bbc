// SPDX-License-Identifier: MIT
// Luck and play on the table's own screen: a line for each place, and the rest behind a button.

import { $, el, show } from "../dom.js";
import { mountLatest } from "./latest.js";
import { describeSums } from "./panel.js";

export function mountTableAnalysis(store) {
  const reveal = (isReady) => ["analysis", "analysis-open"].forEach((id) => show($(id), isReady));
  return mountLatest(store, {
    findFirst: () => 0,
    show({ players, unit }) {
      for (const item of $("ranking").children) {
        item.append(el("small", { class: "sums", text: describeSums(players[Number(item.dataset.seat)], unit) }));
      }
      reveal(true);
    },
    clear() {
      for (const sums of $("ranking").querySelectorAll(".sums")) sums.remove();
      reveal(false);
    },
  });
}
