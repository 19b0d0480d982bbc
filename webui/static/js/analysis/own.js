// SPDX-License-Identifier: MIT
// Luck and play on a phone: the own account first.

import { $, show } from "../dom.js";
import { mountLatest } from "./latest.js";

export function mountOwnAnalysis(store) {
  const findOwn = ({ players, seats }) => players.findIndex(({ name }) => name === seats?.mine);
  return mountLatest(store, (isReady) => show($("analysis"), isReady), findOwn, () => {});
}
