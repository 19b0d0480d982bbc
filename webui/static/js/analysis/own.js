// SPDX-License-Identifier: MIT
// Luck and play on a phone: the own account first.

import { $, show } from "../dom.js";
import { mountLatest } from "./latest.js";

export function mountOwnAnalysis(store) {
  return mountLatest(store, {
    findFirst: ({ players, seats }) => players.findIndex(({ name }) => name === seats?.mine),
    show: () => show($("analysis"), true),
    clear: () => show($("analysis"), false),
  });
}
