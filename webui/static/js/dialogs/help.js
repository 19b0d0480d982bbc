// SPDX-License-Identifier: MIT
// The rules of the game in a few lines, over the table until it is closed.

import { $, el, fill, setText } from "../dom.js";
import { isTyping } from "../typing.js";

const OPEN_KEYS = ["h", "?"];
const CLOSE_KEYS = [...OPEN_KEYS, "Backspace", "Enter"];
const SCROLL_KEYS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const STEP = 0.6;
/** A long help gets smaller type, so that it is seen whole without scrolling. */
const TYPE_REM = 1.35;
const SMALLEST_REM = 0.95;
const TYPE_STEP_REM = 0.05;

export function mountHelp(store) {
  store.watch(["help"], ({ help }) => {
    setText($("help-title"), help.title);
    fill($("help-parts"), help.parts, makePart, showPart);
    fitType();
  });
  new ResizeObserver(fitType).observe($("help"));
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
  fitType();
  $("help-parts").scrollTop = 0;
}

/** The panel's keys turn the pages and close the help; the game below does not get them. */
function onKeyInside(event) {
  if (event.key === "Enter" && event.target.closest("a, button")) return;
  const direction = SCROLL_KEYS[event.key];
  if (direction) $("help-parts").scrollBy({ top: direction * STEP * $("help-parts").clientHeight, behavior: "smooth" });
  else if (CLOSE_KEYS.includes(event.key)) $("help").close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function fitType() {
  const parts = $("help-parts");
  for (let size = TYPE_REM; size >= SMALLEST_REM; size -= TYPE_STEP_REM) {
    parts.style.fontSize = `${size}rem`;
    if (parts.scrollHeight <= parts.clientHeight && parts.scrollWidth <= parts.clientWidth) return;
  }
}

function makePart() {
  return el("section", {}, el("h3"), el("ul"));
}

function showPart(node, { heading, lines }) {
  setText(node.firstElementChild, heading);
  fill(node.lastElementChild, lines, () => el("li"), setText);
}
