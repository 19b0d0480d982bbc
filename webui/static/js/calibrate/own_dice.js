// SPDX-License-Identifier: MIT
// The owner's own dice: the faces of a throw with their numbers, and the available buttons.

import { $, el, fill, setText, show } from "../dom.js";
import { gettext } from "../messages.js";
import { runDiceAction } from "./requests.js";

const NUMBERS = [0, 1, 2, 3, 4, 5, 6];
let isBusy = false;

export function mountOwnDice(store) {
  for (const button of document.querySelectorAll("[data-own]")) {
    button.addEventListener("click", () => run(store, button.dataset.own));
  }
  store.watch(["look", "own"], ({ look, own }) => own && draw(store, look, own));
}

/** One action at a time: a second press during a reading would confirm an unseen throw. */
async function run(store, name) {
  if (isBusy) return;
  isBusy = true;
  for (const button of document.querySelectorAll("[data-own]")) button.disabled = true;
  await runDiceAction({ do: name });
  isBusy = false;
  draw(store, store.view.look, store.view.own);
}

function draw(store, look, own) {
  const isSaved = Boolean(look?.saved_at);
  const waits = own.faces.length > 0;
  setText($("own-says"), isSaved ? own.text : gettext("Save the calibration first; then the table learns your dice here."));
  fill($("own-faces"), own.faces, faceItem, updateFace);
  show($("own-throw"), !waits);
  show($("own-confirm"), waits);
  show($("own-discard"), waits);
  show($("own-keep"), !waits && own.throws > 0);
  show($("own-forget"), !waits && (own.kept > 0 || own.throws > 0));
  for (const button of document.querySelectorAll("[data-own]")) button.disabled = isBusy || !isSaved;
  $("step-own").dataset.state = own.kept > 0 && !waits && !own.throws ? "good" : "open";
}

function faceItem(index) {
  const select = el("select", { "aria-label": gettext("Number of face {number}", { number: index + 1 }), "data-face": index });
  for (const number of NUMBERS) select.append(el("option", { value: number, text: number || "–" }));
  select.addEventListener("change", () => runDiceAction({ do: "face", index, number: Number(select.value) }));
  return el("li", {}, el("label", {}, el("span", { text: `${index + 1}: ` }), select));
}

function updateFace(node, { number, doubt }) {
  const select = node.querySelector("select");
  if (document.activeElement !== select) select.value = number;
  node.dataset.state = number ? "read" : "left-out";
  node.title = doubt;
}
