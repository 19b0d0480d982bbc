// SPDX-License-Identifier: MIT
// Scores of standings as people write them.

import { formatNumber } from "../dom.js";
import { formatDecimal, gettext } from "../messages.js";

/** What a score counts, as the head of a column. */
export function nameUnit(unit) {
  const units = {
    points: gettext("Points"), millionths: gettext("Field beaten"), table_points: gettext("Points"),
    lives: gettext("Lives"), rounds: gettext("Rounds won"),
  };
  return units[unit] ?? unit;
}

export function formatScore(score, unit, decimals = 2) {
  return unit === "millionths" ? `${formatDecimal(score / 10_000, decimals)}\u202f%` : formatNumber(score);
}

/** What separated a player from others with the same score; empty without a tie. */
export function describeTie(decidedBy) {
  const ways = {
    direct: gettext("by direct comparison"),
    best_game: gettext("by the best game"),
    costs: gettext("by the choices that cost least"),
    play_off: gettext("by the play-off"),
  };
  return ways[decidedBy] ?? "";
}
