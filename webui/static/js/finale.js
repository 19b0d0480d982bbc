// SPDX-License-Identifier: MIT
// The end of a game: how it went, and its report as a QR code. The sheets and the proof stand behind
// buttons.

import { mountCourse } from "./course.js";
import { $, show } from "./dom.js";

/** The history learns of the end a moment later; after these tries there is no code. */
const AGAIN_MS = 1000, TRIES = 20;

export function mountFinale(store) {
  const showCourse = mountCourse();
  let again = 0;
  store.watch(["outcome", "players", "phase"], ({ outcome, players, phase }) => {
    const isOver = phase === "game over" && outcome !== null;
    clearTimeout(again);
    show($("finale"), isOver);
    showSheets(false);
    if (!isOver) return;
    showCourse(outcome, players);
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
