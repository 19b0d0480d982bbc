// SPDX-License-Identifier: MIT
// The newest checkpoint: its words at the foot, its code before a throw, and both large in a dialog
// that closes as soon as the game continues.

import { $, setText, show } from "./dom.js";
import { showImage } from "./loaded.js";

const CLOSE_KEYS = ["Backspace", "Enter"];

export function mountCheckpoint(store) {
  store.watch(["checkpoint"], showCheckpoint);
  store.watch(["phase"], () => $("checkpoint-board").close());
  for (const name of ["checkpoint", "seal"]) {
    $(name).addEventListener("click", () => $("checkpoint-board").showModal());
  }
  $("checkpoint-board").addEventListener("click", () => $("checkpoint-board").close());
  $("checkpoint-board").addEventListener("keydown", onKeyInside);
}

function showCheckpoint({ checkpoint }) {
  for (const name of ["checkpoint", "seal"]) show($(name), checkpoint !== null);
  if (checkpoint === null) return;
  const words = `${checkpoint.size} ${checkpoint.words.join(" ")}`;
  for (const name of ["checkpoint-words", "board-words"]) setText($(name), words);
  for (const name of ["seal-code", "board-code"]) showImage($(name), `/checkpoint.svg?size=${checkpoint.size}`);
}

/** The panel's keys close the dialog; the game below does not get them. */
function onKeyInside(event) {
  if (!CLOSE_KEYS.includes(event.key)) return;
  $("checkpoint-board").close();
  event.preventDefault();
  event.stopPropagation();
}
