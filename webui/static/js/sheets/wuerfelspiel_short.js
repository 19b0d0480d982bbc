// SPDX-License-Identifier: MIT
// The short three-column form: per column the filled cells, the distance to the bonus,
// and the sum.

import { el, setText } from "../dom.js";

const BONUS_FROM = 63;

export const shortForm = { make, update };

function make(sheet) {
  return el("div", { class: "short-form" }, ...sheet.factors.map((factor) =>
    el("div", { class: "column" },
      el("i", { text: `×${factor}` }),
      el("div", { class: "cells" }, ...sheet.rows.map(() => el("s"))),
      el("small"), el("b"))));
}

function update(node, sheet) {
  node.dataset.total = sheet.total;
  sheet.factors.forEach((_, index) => showColumn(node.children[index], sheet, index));
}

function showColumn(node, sheet, index) {
  const [, cells, upper, sum] = node.children;
  sheet.rows.forEach((row, place) => {
    const { points } = row.cells[index];
    const cell = cells.children[place];
    cell.dataset.cell = `${row.key}*${index + 1}`;
    cell.dataset.points = points ?? "";
    cell.className = points === null ? "" : points === 0 ? "zero" : "written";
  });
  upper.dataset.bonus = index + 1;
  upper.dataset.points = sheet.bonus[index];
  setText(upper, sheet.bonus[index] > 0 ? `+${sheet.bonus[index]}` : `${sheet.upper[index]}/${BONUS_FROM}`);
  sum.dataset.column = index + 1;
  sum.dataset.points = sheet.columns[index];
  setText(sum, `${sheet.columns[index]}`);
}
