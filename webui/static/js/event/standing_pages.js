// SPDX-License-Identifier: MIT
// The first of the standings on a big screen: everybody, then each section, then the teams.

import { $, el, fill, setText, show } from "../dom.js";
import { gettext } from "../messages.js";
import { formatPlace, formatScore } from "./scores.js";

const PAGE_MS = 12_000;

let shared = null;
let page = 0;

export function showStanding(view) {
  shared = view;
  drawPage();
}

setInterval(() => {
  if (!shared?.groups) return;
  page += 1;
  drawPage();
}, PAGE_MS);

function drawPage() {
  const groups = document.body.dataset.kind === "tv" ? shared?.groups ?? [] : [];
  const pages = shared ? [{ rows: shared.first }, ...groups] : [];
  const { section, rows } = pages[page % pages.length] ?? { rows: [] };
  show($("standing-title"), pages.length > 1);
  setText($("standing-title"), section === undefined ? gettext("Everybody") : section ?? gettext("Teams"));
  show($("standing"), rows.length > 0);
  // Winners are larger, unless too many share a place.
  $("standing").dataset.podium = rows.filter((row) => row.has_place && row.place <= 3).length <= 4;
  fill($("standing"), rows, makePlayer, (item, row) => {
    item.dataset.place = row.has_place ? row.place : "";
    [formatPlace(row), row.name, formatScore(row.score, shared.unit, 1)].forEach((text, index) => setText(item.children[index], text));
  });
}

function makePlayer() {
  return el("li", {}, el("span", { class: "place" }), el("b", { class: "name" }), el("output", { class: "total" }));
}
