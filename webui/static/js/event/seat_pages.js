// SPDX-License-Identifier: MIT
// Who sits where in a round: cards of tables, a screen full at a time.

import { $, el, fill, formatNumber, setText, show } from "../dom.js";
import { gettext, isolate } from "../messages.js";
import { nameTable } from "./wording.js";

const PAGE_MS = 12_000;
/** So many lines of names fit: four to a table, and a table of two needs less room. */
const MOST_TABLES = 12;
const MOST_PAIRS = 20;

/** Columns of cards, the largest type in them, and the number of tables up to which they serve. */
const SIZES = [[2, "2.3rem", 4], [3, "1.8rem", 9], [4, "1.35rem", Infinity]];

let round = null;
let page = 0;

export function showRound(view) {
  if (round?.number !== view?.number) page = 0;
  round = view;
  drawPage();
}

setInterval(() => {
  if (!round) return;
  page += 1;
  drawPage();
}, PAGE_MS);

function drawPage() {
  show($("draw"), round !== null);
  if (round === null) return;
  const seats = Math.max(...round.tables.map(({ players }) => players.length), 2);
  const most = seats > 2 ? MOST_TABLES : MOST_PAIRS;
  const pages = Math.max(1, Math.ceil(round.tables.length / most));
  const shown = round.tables.slice((page % pages) * most, (page % pages + 1) * most);
  const about = { number: round.number };
  const title = round.is_complete ? gettext("Round {number}: results", about) : gettext("Round {number}: who sits where", about);
  setText($("draw-title"), pages > 1 ? `${title} (${(page % pages) + 1}/${pages})` : title);
  const [columns, largest] = SIZES.find(([, , tables]) => shown.length <= tables);
  $("tables").style.setProperty("--columns", columns);
  $("tables").style.setProperty("--largest", largest);
  $("draw").classList.toggle("few", columns === SIZES[0][0]);
  fill($("tables"), shown, makeTable, showTable);
  show($("byes"), round.byes.length > 0);
  setText($("byes"), gettext("Free this round: {names}", { names: round.byes.map(({ name }) => isolate(name)).join(", ") }));
}

function makeTable() {
  return el("li", {}, el("h3"), el("ol"));
}

function showTable(item, table) {
  const { players, points } = table;
  const [head, list] = item.children;
  const title = nameTable(table);
  setText(head, title);
  head.style.setProperty("--letters", title.length);
  item.classList.toggle("done", points !== null);
  fill(list, players, () => el("li", {}, el("b"), el("output")), (line, { name }, index) => {
    const result = points ? formatNumber(points[index]) : "";
    setText(line.children[0], name);
    line.style.setProperty("--letters", name.length + result.length);
    setText(line.children[1], result);
  });
}
