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

/** A place as the standings show it; a player with too few rolls has none. */
export function formatPlace(row) {
  return row.has_place ? `${row.place}.` : "–";
}

/** The result of each game; one that was not played whole is in brackets. */
export function listResults(row, games) {
  const missed = new Map(row.absences);
  return Array.from({ length: games }, (_, index) => {
    if (missed.has(index + 1)) return `(${formatNumber(missed.get(index + 1))})`;
    return row.games[index] === null ? "–" : formatNumber(row.games[index]);
  });
}

/** What a tie-break of matches counts, as the head of a column. */
export function nameTie(tie) {
  const names = {
    buchholz: gettext("Buchholz"), buchholz_cut: gettext("Buchholz without the lowest"),
    sonneborn_berger: gettext("Sonneborn-Berger"), wins: gettext("wins"), total: gettext("sum of the results"),
  };
  return names[tie] ?? tie;
}

/** What separated a player from others with the same score; empty without a tie. */
export function describeTie(decidedBy) {
  const ways = {
    direct: gettext("by direct comparison"),
    best_game: gettext("by the best game"),
    costs: gettext("by the choices that cost least"),
    play_off: gettext("by the play-off"),
    buchholz: gettext("by Buchholz"),
    buchholz_cut: gettext("by Buchholz without the lowest"),
    sonneborn_berger: gettext("by Sonneborn-Berger"),
    wins: gettext("by the number of wins"),
    total: gettext("by the sum of the results"),
  };
  return ways[decidedBy] ?? "";
}
