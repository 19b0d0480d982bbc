// SPDX-License-Identifier: MIT
// The end of a game: everybody's score after each roll, the roll that decided it, and its report as
// a QR code. The sheets and the proof stand behind buttons.

import { $, setText, show } from "./dom.js";
import { createEvidence } from "./evidence.js";
import { showCurve } from "./history/curve.js";
import { mountPlot } from "./history/plots.js";
import { gettext } from "./messages.js";

/** The history learns of the end a moment later; after these tries there is no code. */
const AGAIN_MS = 1000, TRIES = 20;

export function mountFinale(store) {
  const showEvidence = createEvidence($("decisive")), drawScores = mountPlot($("scores"));
  let again = 0;
  store.watch(["outcome", "players", "phase"], ({ outcome, players, phase }) => {
    const isOver = phase === "game over" && outcome !== null;
    clearTimeout(again);
    show($("finale"), isOver);
    showSheets(false);
    if (!isOver) return;
    showCurve($("scores"), players.map(({ name }) => name), outcome.scores.map((totals, index) => ({ roll: index + 1, totals })));
    show($("scores"), outcome.scores.length > 1);
    drawScores();
    show($("decisive"), outcome.decisive !== null);
    if (outcome.decisive) showDecisive(outcome.decisive, showEvidence);
    showCode(TRIES);
  });
  store.watch(["checkpoint"], ({ checkpoint }) => show($("proof-open"), checkpoint !== null));
  $("proof-open").addEventListener("click", () => $("checkpoint-board").showModal());
  $("sheets-open").addEventListener("click", () => showSheets($("sheets-open").ariaPressed === "false"));

  function showCode(tries) {
    if (!$("take")) return;
    const image = $("take").querySelector("img");
    image.onload = () => show($("take"), true);
    image.onerror = () => {
      show($("take"), false);
      if (tries > 1) again = setTimeout(showCode, AGAIN_MS, tries - 1);
    };
    image.src = `/history/latest/code.svg?${Date.now()}`;
  }
}

function showSheets(isShown) {
  $("sheets-open").ariaPressed = isShown;
  document.body.toggleAttribute("data-sheets", isShown);
}

function showDecisive(roll, showEvidence) {
  const faces = roll.dice.map((die) => die.face).join(" ");
  const text = gettext("Roll {number} decided it: {player} threw {faces}.", { number: roll.number, player: roll.by, faces });
  setText($("decisive").querySelector("figcaption"), text);
  showEvidence({ ...roll, was: "" });
}
