// SPDX-License-Identifier: MIT
// The end of a game: everybody's score after each roll, the roll that decided it, and its report as
// a QR code. The sheets and the proof stand behind buttons.

import { $, el, formatNumber, setText, show } from "./dom.js";
import { createEvidence } from "./evidence.js";
import { mountPlot } from "./history/plots.js";
import { gettext } from "./messages.js";

/** The history learns of the end a moment later. */
const AGAIN_MS = 1000;

export function mountFinale(store) {
  const showEvidence = createEvidence($("decisive"));
  let again = 0;
  store.watch(["outcome", "players", "phase"], ({ outcome, players, phase }) => {
    const isOver = phase === "game over" && outcome !== null;
    clearTimeout(again);
    show($("finale"), isOver);
    showSheets(false);
    if (!isOver) return;
    showScores(outcome.scores, players);
    show($("decisive"), outcome.decisive !== null);
    if (outcome.decisive) showDecisive(outcome.decisive, showEvidence);
    showCode();
  });
  store.watch(["checkpoint"], ({ checkpoint }) => show($("proof-open"), checkpoint !== null));
  $("proof-open").addEventListener("click", () => $("checkpoint-board").showModal());
  $("sheets-open").addEventListener("click", () => showSheets($("sheets-open").ariaPressed === "false"));

  function showCode() {
    if (!$("take")) return;
    const image = $("take").querySelector("img");
    image.onload = () => show($("take"), true);
    image.onerror = () => {
      show($("take"), false);
      again = setTimeout(showCode, AGAIN_MS);
    };
    image.src = `/history/latest/code.svg?${Date.now()}`;
  }
}

function showSheets(isShown) {
  $("sheets-open").ariaPressed = isShown;
  document.body.toggleAttribute("data-sheets", isShown);
}

function showScores(scores, players) {
  const names = players.map((player) => player.name);
  const head = el("tr", {}, ...[gettext("Roll"), ...names].map((text) => el("th", { scope: "col", text })));
  const rows = scores.map((totals, index) => el("tr", {}, el("th", { scope: "row", text: index + 1 }),
    ...totals.map((total) => el("td", { "data-value": total, text: formatNumber(total) }))));
  const table = el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows));
  const caption = $("scores").querySelector("figcaption");
  $("scores").replaceChildren(caption, table);
  show($("scores"), scores.length > 1);
  mountPlot($("scores"));
}

function showDecisive(roll, showEvidence) {
  const faces = roll.dice.map((die) => die.face).join(" ");
  const text = gettext("Roll {number} decided it: {player} threw {faces}.", { number: roll.number, player: roll.by, faces });
  setText($("decisive").querySelector("figcaption"), text);
  showEvidence({ ...roll, was: "" });
}
