// SPDX-License-Identifier: MIT
// The big layout of a small screen: legible from two metres. One sheet is whole, of the others only
// name and total are shown; a tap brings another sheet to the front until the next choice.

import { $ } from "./dom.js";

/** Where each setting has the big layout. An upright screen is one column in any case. */
const BIG = {
  auto: "(max-device-width: 1280px) and (max-device-height: 800px) and (orientation: landscape)",
  big: "(orientation: landscape)",
  normal: "not all",
};

export function mountBigLayout(store) {
  const { body } = document;
  followScreen(body, matchMedia(BIG[body.dataset.size]));
  $("sheets").addEventListener("click", (event) => {
    const card = event.target.closest(".card");
    if (body.dataset.size !== "big" || !card || card.querySelector(".paper").contains(event.target)) return;
    bringToFront(card.classList.contains("active") ? null : card);
  });
  let question = "";
  store.watch(["question"], (view) => {
    if (view.question !== question) bringToFront(null);
    question = view.question;
  });
}

/** A screen that is turned gets the other layout. */
function followScreen(body, screen) {
  const follow = () => {
    body.dataset.size = screen.matches ? "big" : "normal";
    bringToFront(null);
  };
  screen.addEventListener("change", follow);
  follow();
}

/** Show the sheet of a card instead of the active one; null for the active one again. */
function bringToFront(chosen) {
  for (const card of $("sheets").children) {
    card.classList.toggle("front", card === chosen && !card.classList.contains("front"));
  }
}
