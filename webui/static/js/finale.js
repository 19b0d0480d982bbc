// SPDX-License-Identifier: MIT
// The end of a game: how it went, and its report as a QR code. The sheets, luck and play and the proof
// stand behind buttons.

import { nameLastRoll } from "./analysis/latest.js";
import { mountTableAnalysis } from "./analysis/table.js";
import { mountCourse } from "./course.js";
import { $, show } from "./dom.js";
import { awaitImage, mountLoaded } from "./loaded.js";

/** The history learns of the end a moment later; after these tries there is no code. */
const AGAIN_MS = 1000, TRIES = 20;
const PARTS = ["sheets-open", "analysis-open"];

export function mountFinale(store) {
  const showCourse = mountCourse(), analysis = mountTableAnalysis(store), code = mountCode();
  store.watch(["outcome", "players", "phase"], ({ outcome, players, phase }) => {
    const isOver = phase === "game over" && outcome !== null;
    show($("finale"), isOver);
    const isEmpty = isOver && outcome.scores.length < 2 && outcome.decisive === null;
    press(isEmpty ? "sheets-open" : "");
    analysis?.follow(isOver);
    code?.want(isOver ? `/history/latest/code.svg?${nameLastRoll(store.view)}&try=` : null);
    if (isOver) showCourse(outcome, players);
  });
  store.watch(["checkpoint"], ({ checkpoint }) => show($("proof-open"), checkpoint !== null));
  $("proof-open").addEventListener("click", () => $("checkpoint-board").showModal());
  for (const id of PARTS.filter($)) $(id).addEventListener("click", () => press($(id).ariaPressed === "false" ? id : ""));
}

/** The code that opens the report; null on a page without one. */
function mountCode() {
  if (!$("take")) return null;
  const image = $("take").querySelector("img");
  return mountLoaded({
    load: (address, isWanted) => awaitImage(image, address, { tries: TRIES, againMs: AGAIN_MS, isWanted }),
    show: () => show($("take"), true),
    clear: () => show($("take"), false),
  });
}

/** Show the sheets, or luck and play, instead of how the game went. */
function press(pressed) {
  for (const id of PARTS.filter($)) $(id).ariaPressed = id === pressed;
  document.body.toggleAttribute("data-sheets", pressed === "sheets-open");
  document.body.toggleAttribute("data-analysis", pressed === "analysis-open");
}
