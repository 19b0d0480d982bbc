// SPDX-License-Identifier: MIT
// The standings for everybody. The stream says when they may have changed; the rows themselves are a
// file that the server makes once for all pages.

import { $, el, fill, formatNumber, setText, show } from "./dom.js";
import { describeTie, formatPlace, formatScore, listResults, nameTie, nameUnit } from "./event/scores.js";
import { followEvent } from "./event/stream.js";
import { describePlayers, describeProgress } from "./event/wording.js";
import { mountLanguages } from "./language.js";
import { mountLoaded, readJson } from "./loaded.js";
import { gettext } from "./messages.js";

/** Not all pages of a hall ask at the same moment. */
const SPREAD_MS = 800;

/** What the addresses of an event begin with that is over; empty for the running one. */
const { address } = document.body.dataset;
let standings = { rows: [], games: 0, unit: "points" };
let own = null;
let timer = 0;
const newest = mountLoaded({
  load: () => readJson(`${address}/result.json`),
  show(read) {
    standings = read;
    draw();
  },
});

mountLanguages();
$("search").addEventListener("input", draw);
if (address) newest.again();
else followEvent((name, view) => {
  if (name === "own") {
    own = view.player;
    draw();
  }
  if (name !== "shared") return;
  if ((view.event?.name ?? "") !== document.body.dataset.event) location.reload();
  setText($("progress"), view.event ? `${describeProgress(view)} · ${describePlayers(view)}` : "");
  clearTimeout(timer);
  timer = setTimeout(newest.again, standings.rows.length ? Math.random() * SPREAD_MS : 0);
}, (isLost) => show($("lost"), isLost));

function draw() {
  const { rows, games, unit, is_final: isFinal } = standings;
  const wanted = $("search").value.trim().toLocaleLowerCase();
  const shown = rows.filter((row) => row.name.toLocaleLowerCase().includes(wanted));
  setText($("title"), isFinal ? gettext("Final standings") : gettext("Standings"));
  show($("none"), rows.length === 0);
  show($("rows").closest("table"), rows.length > 0);
  const rounds = Array.from({ length: games }, (_, index) => `${index + 1}`);
  const heads = [gettext("Place"), gettext("Player"), ...rounds, nameUnit(unit), ...Object.keys(rows[0]?.ties ?? {}).map(nameTie)];
  fill($("head"), heads, () => el("th"), (head, text, index) => {
    setText(head, text);
    head.className = nameColumn(index, games);
  });
  fill($("rows"), shown, () => el("tr"), (line, row) => showRow(line, row, games, unit));
}

function showRow(line, row, games, unit) {
  line.dataset.place = row.has_place ? row.place : "";
  line.classList.toggle("own", row.player === own);
  line.classList.toggle("away", row.state !== "here");
  const ties = Object.values(row.ties ?? {}).map(formatNumber);
  fill(line, [formatPlace(row), row.name, ...listResults(row, games), formatScore(row.score, unit), ...ties], () => el("td"), (cell, text, index) => {
    cell.className = nameColumn(index, games);
    if (index !== 1) setText(cell, text);
    else showName(cell, row);
  });
}

function showName(cell, row) {
  const states = { away: gettext("away"), withdrawn: gettext("withdrawn") };
  const penalty = row.penalty ? gettext("Penalty {points}", { points: formatNumber(-row.penalty) }) : "";
  const notes = [describeTie(row.decided_by), penalty, states[row.state]].filter(Boolean).join(" · ");
  if (cell.dataset.shown === `${row.name}\n${notes}`) return;
  cell.dataset.shown = `${row.name}\n${notes}`;
  cell.replaceChildren(row.name, ...(notes ? [el("small", { text: notes })] : []));
}

function nameColumn(index, games) {
  if (index < 2) return ["place", "name"][index];
  return index === 2 + games ? "score" : "game";
}
