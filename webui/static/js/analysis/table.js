// SPDX-License-Identifier: MIT
// Luck and play on the table's own screen: a line for each place, and the rest behind a button.

import { $, el, setText, show } from "../dom.js";
import { mountLatest } from "./latest.js";
import { describeSums } from "./panel.js";

export function mountTableAnalysis(store) {
  const reveal = (isReady) => ["analysis", "analysis-open"].forEach((id) => $(id) && show($(id), isReady));
  return mountLatest(store, reveal, () => 0, showLines);
}

function showLines({ players, unit }) {
  for (const item of $("ranking").children) {
    if (!item.querySelector(".sums")) item.append(el("small", { class: "sums" }));
    setText(item.querySelector(".sums"), describeSums(players[Number(item.dataset.seat)], unit));
  }
}
