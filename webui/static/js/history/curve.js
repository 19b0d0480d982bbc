// SPDX-License-Identifier: MIT
// Everybody's score after each roll, as a table from which the plot is drawn.

import { $, el, formatNumber } from "../dom.js";
import { gettext } from "../messages.js";
import { mountPlot } from "./plots.js";

export function mountCurve(frames, players) {
  const rolls = frames.filter(({ step }) => step.roll > 0);
  const head = el("thead", {}, el("tr", {}, ...[gettext("Roll"), ...players].map((text) => el("th", { scope: "col", text }))));
  const rows = rolls.map(({ step, players: then }) => el("tr", {}, el("th", { scope: "row", text: step.roll }),
    ...then.map(({ total }) => el("td", { "data-value": total, text: formatNumber(total) }))));
  $("curve").querySelector("table").append(head, el("tbody", {}, ...rows));
  if (rolls.length > 1) mountPlot($("curve"));
}
