// SPDX-License-Identifier: MIT
// The end of a game: how it went, and its report as a QR code. The sheets, luck and play and the proof
// stand behind buttons.

import { mountTableAnalysis } from "./analysis/table.js";
import { mountCourse } from "./course.js";
import { $, show } from "./dom.js";

/** The history learns of the end a moment later; after these tries there is no code. */
const AGAIN_MS = 1000, TRIES = 20;
const PARTS = ["sheets-open", "analysis-open"];

export function mountFinale(store) {
  const showCourse = mountCourse(), analysis = mountTableAnalysis(store);
  let again = 0;
  store.watch(["outcome", "players", "phase"], ({ outcome, players, phase }) => {
    const isOver = phase === "game over" && outcome !== null;
    clearTimeout(again);
    show($("finale"), isOver);
    press("");
    analysis?.follow(isOver);
    if (!isOver) return;
    showCourse(outcome, players);
    showCode(TRIES);
  });
  store.watch(["checkpoint"], ({ checkpoint }) => show($("proof-open"), checkpoint !== null));
  $("proof-open").addEventListener("click", () => $("checkpoint-board").showModal());
  for (const id of PARTS.filter($)) $(id).addEventListener("click", () => press($(id).ariaPressed === "false" ? id : ""));

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

/** Show the sheets, or luck and play, instead of how the game went. */
function press(pressed) {
  for (const id of PARTS.filter($)) $(id).ariaPressed = id === pressed;
  document.body.toggleAttribute("data-sheets", pressed === "sheets-open");
  document.body.toggleAttribute("data-analysis", pressed === "analysis-open");
}
