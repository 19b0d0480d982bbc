// SPDX-License-Identifier: MIT
// The rules of the game in a few lines, over the table until it is closed.

import { $, el, fill, setText } from "../dom.js";
import { isTyping } from "../typing.js";

const OPEN_KEYS = ["h", "?"];
const CLOSE_KEYS = [...OPEN_KEYS, "Backspace", "Enter"];
const SCROLL_KEYS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const STEP = 0.6;

export function mountHelp(store) {
  store.watch(["help"], ({ help }) => {
    setText($("help-title"), help.title);
    fill($("help-parts"), help.parts, makePart, showPart);
  });
  $("help-open").addEventListener("click", open);
  $("help").addEventListener("click", () => $("help").close());
  $("help").addEventListener("keydown", onKeyInside);
  document.addEventListener("keydown", (event) => {
    if (!isTyping(event) && !event.repeat && OPEN_KEYS.includes(event.key)) open();
  });
}

function open() {
  if ($("help").open) return;
  $("help").showModal();
  $("help-parts").scrollTop = 0;
}

/** The panel's keys turn the leaf and put it away; the game below hears none of them. */
function onKeyInside(event) {
  if (event.key === "Enter" && event.target.closest("a, button")) return;
  const direction = SCROLL_KEYS[event.key];
  if (direction) $("help-parts").scrollBy({ top: direction * STEP * $("help-parts").clientHeight, behavior: "smooth" });
  else if (CLOSE_KEYS.includes(event.key)) $("help").close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function makePart() {
  return el("section", {}, el("h3"), el("ul"));
}

function showPart(node, { heading, lines }) {
  setText(node.firstElementChild, heading);
  fill(node.lastElementChild, lines, () => el("li"), setText);
}
