// SPDX-License-Identifier: MIT
// The big layout of a small screen: legible from two metres. One sheet is whole, of the others only
// name and total are shown; a tap brings another sheet to the front until the next choice.

import { $ } from "./dom.js";

const SMALL_SCREEN = "(max-device-width: 1280px) and (max-device-height: 800px) and (orientation: landscape)";

export function mountBigLayout(store) {
  const { body } = document;
  if (body.dataset.size === "auto") {
    body.dataset.size = matchMedia(SMALL_SCREEN).matches ? "big" : "normal";
  }
  if (body.dataset.size !== "big") return;
  $("sheets").addEventListener("click", (event) => {
    const card = event.target.closest(".card");
    if (!card || card.querySelector(".paper").contains(event.target)) return;
    bringToFront(card.classList.contains("active") ? null : card);
  });
  let question = "";
  store.watch(["question"], (view) => {
    if (view.question !== question) bringToFront(null);
    question = view.question;
  });
}

/** Show the sheet of a card instead of the active one; null for the active one again. */
function bringToFront(chosen) {
  for (const card of $("sheets").children) {
    card.classList.toggle("front", card === chosen && !card.classList.contains("front"));
  }
}
