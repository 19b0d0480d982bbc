// SPDX-License-Identifier: MIT
// The design at one glance: every value of the tokens, and the parts of the pages in the pages' own markup. Each page is
// fetched and its parts are shown with its own sheet, so nothing here has to follow a change. What a script fills
// otherwise shows its name.

import { mountAppearance } from "./appearance.js";
import { $, el } from "./dom.js";
import { dieFace } from "./faces.js";
import { chipIcon, jokerIcon } from "./icons.js";
import { makeCard, showPaper, showTotals } from "./sheets/card.js";

const PAGES = {
  "/": ["#header", "#notice", "#lost", "#toast", "#dice", "#straighten", "#panel", "#sheets", "#names", "#ends", "#join-card", "#start", "#rail", "#checkpoint", "#by-hand", "#help", "#checkpoint-board"],
  "/join": ["#header", "#stage-code", "#dice", "#acts", "#toast", "#menu"],
  "/tv": ["#turn"],
  "/login": ["main"],
  "/service": ["#tabs"],
  "/setup": ["#setup"],
  "/calibrate": ["#steps", "#rail"],
  "/history": ["main"],
};
const KINDS = {
  text: ({ style }, name) => { style.fontSize = `var(${name})`; },
  space: ({ style }, name) => { style.width = `var(${name})`; },
  radius: ({ style }, name) => { style.borderRadius = `var(${name})`; },
  shadow: ({ style }, name) => { style.boxShadow = `var(${name})`; },
  face: ({ style }, name) => { style.fontFamily = `var(${name})`; },
  colour: ({ style }, name) => { style.background = `var(${name})`; },
};
/** The use of a die, as its mark says. */
const GROUPS = { a: "", b: "", fifth: "5th", kept: "keep", thrown: "again", turn: "turn" };

function listTokens() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  return [...rules.find(({ selectorText }) => selectorText === ":root").style];
}

function showToken(name) {
  const kind = Object.keys(KINDS).find((one) => name.split("-").includes(one)) ?? "colour";
  const sample = el("i", { text: ["text", "face"].includes(kind) ? "7+6" : "" });
  KINDS[kind](sample, name);
  return el("li", { "data-kind": kind }, sample, el("code", { text: name }));
}

function showDrawings() {
  const dice = ["light", "dark", "red", "blue", "green", "yellow"].map((paint, index) => dieFace(index + 1, paint === "dark" ? "dark" : "light", paint));
  const hollow = dieFace(0);
  hollow.classList.add("hollow");
  for (const drawing of [...dice, hollow, ...["terminator", "corrector", "3:1"].map(jokerIcon), chipIcon(), chipIcon(false)]) $("drawings").append(el("li", {}, drawing));
}

/** Show parts of a page below each other. Its sheet reaches no other one, and its ids are its own. */
async function showPage(address, parts) {
  const answer = await fetch(address);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const host = el("div");
  $("pages").append(el("section", {}, el("h2", { text: address }), host));
  const { className, dataset } = page.body;
  const body = Object.assign(el("div"), { className });
  for (const [name, value] of Object.entries({ ...dataset, layout: "", stage: "seat", phase: "choosing" })) body.dataset[name] = value;
  const own = [...page.querySelectorAll("link[rel=stylesheet], .paints")];
  host.attachShadow({ mode: "open" }).append(...own, el("link", { rel: "stylesheet", href: $("pages").dataset.sheet }), body);
  for (const part of parts.map((one) => page.querySelector(one)).filter(Boolean)) body.append(prepare(part));
  await Promise.all([...host.shadowRoot.querySelectorAll("link")].map((link) => link.sheet ?? new Promise((done) => { link.onload = done; })));
  showSheets(body.querySelector("#sheets"));
}

function prepare(part) {
  for (const node of [part, ...part.querySelectorAll("[hidden], [popover], dialog")]) {
    node.hidden = false;
    node.removeAttribute("popover");
    if (node.matches("dialog")) node.open = true;
  }
  for (const dice of part.matches("#dice") ? [part] : []) dice.append(...Object.entries(GROUPS).map(showUse));
  for (const node of [part, ...part.querySelectorAll("h1, h2, p, b, span, output, button")]) {
    if (!node.textContent.trim() && node.children.length === 0) node.textContent = node.id || node.className || "…";
  }
  return el("div", { class: "specimen" }, part);
}

/** The sheets of the game that is played. */
function showSheets(sheets) {
  if (!sheets || !view) return;
  sheets.replaceChildren();
  for (const [seat, player] of view.players.entries()) {
    const card = makeCard();
    card.dataset.seat = seat;
    sheets.append(card);
    showTotals(card, player);
    showPaper(card, player, view);
  }
}

function showUse([group, tag], index) {
  return el("button", { type: "button", "data-group": group, "data-tag": tag }, dieFace(index + 1));
}

const view = JSON.parse($("first-view")?.content ?? "null");
mountAppearance();
$("tokens").append(...listTokens().map(showToken));
showDrawings();
for (const [address, parts] of Object.entries(PAGES)) await showPage(address, parts);
document.body.dataset.version = "0";
