// SPDX-License-Identifier: MIT
// A score of the standings in the unit of the event.

import { formatNumber } from "../dom.js";
import { formatDecimal } from "../messages.js";

/** Match points are millionths of the field that was beaten. */
export function formatScore(score, unit) {
  return unit === "millionths" ? `${formatDecimal(score / 10_000, 1)} %` : formatNumber(score);
}
