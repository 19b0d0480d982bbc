// SPDX-License-Identifier: MIT
// Everybody's score after each roll, as a table from which the plot is drawn.

import { el, formatNumber } from "../dom.js";
import { gettext } from "../messages.js";

/** Fill the table of a plot; each row has the `roll` and the `totals` in the order of the players. */
export function showCurve(figure, players, rows) {
  const head = el("tr", {}, ...[gettext("Roll"), ...players].map((text) => el("th", { scope: "col", text })));
  const lines = rows.map(({ roll, totals }) => el("tr", {}, el("th", { scope: "row", text: roll }),
    ...totals.map((total) => el("td", { "data-value": total, text: formatNumber(total) }))));
  figure.querySelector("table").replaceChildren(el("thead", {}, head), el("tbody", {}, ...lines));
}
