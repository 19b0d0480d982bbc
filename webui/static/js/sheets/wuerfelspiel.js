// SPDX-License-Identifier: MIT
// The three-column form as printed: thirteen rows and the bonus, the column sums, and the total with
// the factors. Empty cells show the choosing player what the dice would count there; a tap only
// selects a cell. If its rows would be too low to read, the form lies on its side; if it is small in
// both directions, a short form replaces it.

import { el, formatNumber, setText } from "../dom.js";
import { gettext, ngettext } from "../messages.js";
import { send } from "../send.js";
import { minRowHeight } from "./row_height.js";
import { shortForm } from "./wuerfelspiel_short.js";

const UPPER_ROWS = 6;
const BONUS_FROM = 63;
/** Rows beside the thirteen: factors, bonus, sums, total. */
const MORE_ROWS = 4;
/** What a form on its side needs, in heights of a row: each of its columns, and all its rows. */
const SIDEWAYS_COLUMN = 1.5, SIDEWAYS_ROWS = 11;

export const wuerfelspiel = { make, update, isPending };

function isPending(sheet) {
  return sheet.rows.some((row) => row.cells.some((cell) => cell.pending));
}

function make(sheet) {
  return el("div", { class: "form-paper" }, makeForm(sheet), shortForm.make(sheet));
}

function update(node, player, view) {
  const { sheet } = player;
  const [form, short] = node.children;
  const lines = sheet.rows.length + MORE_ROWS, least = minRowHeight();
  const isUpright = node.clientHeight >= lines * least;
  const isSideways = !isUpright && node.clientHeight >= SIDEWAYS_ROWS * least && node.clientWidth >= lines * SIDEWAYS_COLUMN * least;
  form.classList.toggle("sideways", isSideways);
  form.hidden = !isUpright && !isSideways;
  short.hidden = !form.hidden;
  if (form.hidden) shortForm.update(short, sheet);
  else updateForm(form, player, view);
}

function makeForm(sheet) {
  const rows = sheet.rows.map(() => makeRow(sheet));
  rows.splice(UPPER_ROWS, 0, makeLine("bonus", sheet));
  return el("div", { class: "form" },
    makeLine("factors", sheet), ...rows, makeLine("columns", sheet),
    el("div", { class: "line grand" }, el("span", { class: "label", text: gettext("Total") }), el("b")));
}

function makeLine(kind, sheet) {
  return el("div", { class: `line ${kind}` }, el("span", { class: "label" }), ...sheet.factors.map(() => el("b")));
}

function makeRow(sheet) {
  return el("div", { class: "line entries" }, el("span", { class: "label" }),
    ...sheet.factors.map(() => el("button", { type: "button" }, el("span"))));
}

function updateForm(form, player, view) {
  const { sheet } = player;
  const lines = [...form.children];
  const [factors, bonus] = [lines[0], lines[1 + UPPER_ROWS]];
  const [columns, total] = lines.slice(-2);
  const rows = lines.filter((line) => line.classList.contains("entries"));
  showLine(factors, "", sheet.factors, (cell, factor) => setText(cell, `×${factor}`));
  sheet.rows.forEach((row, index) => showRow(rows[index], row, player, view));
  showLine(bonus, gettext("Bonus"), sheet.bonus, (cell, points, index) => showBonus(cell, points, index, sheet));
  showLine(columns, gettext("Sum"), sheet.columns_after, (cell, points, index) => {
    setText(cell, formatNumber(points));
    cell.classList.toggle("pending", points !== sheet.columns[index]);
    cell.dataset.column = index + 1;
    cell.dataset.points = sheet.columns[index];
  });
  const parts = sheet.columns.map((points, index) => points * sheet.factors[index]);
  setText(total.lastElementChild, `${parts.join(" + ")} = ${sheet.total}`);
  total.lastElementChild.dataset.total = sheet.total;
}

function showLine(line, label, values, show) {
  const [name, ...cells] = line.children;
  setText(name, label);
  values.forEach((value, index) => show(cells[index], value, index));
}

/** Before the bonus is reached its row shows the sum of the upper rows. */
function showBonus(cell, points, index, sheet) {
  const after = sheet.bonus_after[index];
  cell.dataset.bonus = index + 1;
  cell.dataset.points = points;
  cell.dataset.upper = sheet.upper[index];
  cell.classList.toggle("far", after === 0);
  cell.classList.toggle("pending", after !== points);
  setText(cell, after > 0 ? `${after}` : `${sheet.upper[index]}/${BONUS_FROM}`);
}

function showRow(line, row, player, view) {
  const [label, ...cells] = line.children;
  setText(label, row.label);
  row.cells.forEach((cell, index) => showCell(cells[index], row, cell, index + 1, player, view));
}

function showCell(button, row, cell, column, player, view) {
  const action = `${row.key}*${column}`;
  const choice = player.state === "chooses" ? view.choices.findIndex((one) => one.action === action) : -1;
  const shown = cell.points ?? cell.offer;
  button.dataset.cell = action;
  button.dataset.points = cell.points ?? "";
  button.dataset.state = cell.pending ? "pending" : cell.points !== null ? "written" : cell.offer !== null ? "offer" : "empty";
  button.classList.toggle("zero", shown === 0);
  button.disabled = choice < 0;
  button.onclick = choice < 0 ? null : () => send({ do: "choose", index: choice });
  button.setAttribute("aria-label", describeCell(row.label, column, cell));
  setText(button.firstElementChild, shown === null ? "" : `${shown}`);
}

/** What a cell holds, or what the dice would count there. */
function describeCell(row, column, { points, offer }) {
  if (points !== null) {
    return ngettext("{row}, column {column}: {count} point entered", "{row}, column {column}: {count} points entered", points, { row, column });
  }
  if (offer === null) return gettext("{row}, column {column}: empty", { row, column });
  return ngettext("{row}, column {column}: would count {count} point", "{row}, column {column}: would count {count} points", offer, { row, column });
}
