// SPDX-License-Identifier: MIT
// The rules of the game in a few lines, and a worked example, over the table until it is closed.

import { $, el, fill, setText, show } from "../dom.js";
import { isTyping } from "../typing.js";
import { makeExample, showStep } from "./example.js";

const OPEN_KEYS = ["h", "?"];
const CLOSE_KEYS = [...OPEN_KEYS, "Backspace", "Enter"];
const SCROLL_KEYS = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };
const STEP = 0.6;
/** A long help gets smaller type, so that it is seen whole without scrolling. */
const TYPE_REM = 1.35;
const SMALLEST_REM = 0.95;
const TYPE_STEP_REM = 0.05;

/** The step of the example that is shown; -1 for the rules. */
let page = -1;
let example = [];

export function mountHelp(store) {
  $("help-example").append(...makeExample());
  store.watch(["help"], ({ help }) => {
    setText($("help-title"), help.title);
    fill($("help-parts"), help.parts, makePart, showPart);
    example = help.example;
    turnTo(Math.min(page, example.length - 1));
  });
  new ResizeObserver(showPage).observe($("help"));
  $("help-open").addEventListener("click", open);
  $("help").addEventListener("click", () => $("help").close());
  $("help").addEventListener("keydown", onKeyInside);
  $("help-pages").addEventListener("click", onPageClick);
  document.addEventListener("keydown", (event) => {
    if (!isTyping(event) && !event.repeat && OPEN_KEYS.includes(event.key)) open();
  });
}

function open() {
  if ($("help").open) return;
  $("help").showModal();
  turnTo(-1);
  $("help-parts").scrollTop = 0;
}

/** A click elsewhere closes the help. */
function onPageClick(event) {
  event.stopPropagation();
  const { page: name, step } = event.target.closest("button")?.dataset ?? {};
  if (step) turnTo(page + Number(step));
  else if (name) turnTo(name === "rules" ? -1 : Math.max(page, 0));
}

/** The panel's keys turn the pages and close the help; the game below does not get them. */
function onKeyInside(event) {
  if (event.key === "Enter" && event.target.closest("a, button")) return;
  const direction = SCROLL_KEYS[event.key];
  if (direction) scrollOrTurn(direction);
  else if (CLOSE_KEYS.includes(event.key)) $("help").close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** A long page is scrolled to its end before the next one comes. */
function scrollOrTurn(direction) {
  const shown = shownPage();
  const left = direction > 0 ? shown.scrollHeight - shown.clientHeight - shown.scrollTop : shown.scrollTop;
  if (left > 1) shown.scrollBy({ top: direction * STEP * shown.clientHeight, behavior: "smooth" });
  else turnTo(Math.min(Math.max(page + direction, -1), example.length - 1));
}

function shownPage() {
  return page < 0 ? $("help-parts") : $("help-example");
}

function turnTo(wanted) {
  page = wanted;
  show($("help-pages"), example.length > 0);
  show($("help-parts"), page < 0);
  show($("help-example"), page >= 0);
  show($("help-steps"), page >= 0);
  for (const button of $("help-pages").querySelectorAll("[data-page]")) {
    button.setAttribute("aria-current", (button.dataset.page === "rules") === page < 0 ? "page" : "false");
  }
  setText($("help-steps").querySelector("output"), `${page + 1}/${example.length}`);
  const [back, next] = $("help-steps").querySelectorAll("button");
  back.disabled = page <= 0;
  next.disabled = page >= example.length - 1;
  $("help-example").scrollTop = 0;
  // The focus never stays at something hidden, where no key would reach the help.
  if ($("help").open) shownPage().focus({ preventScroll: true });
  showPage();
}

/** Sheets and type fit themselves to the dialog, so it is open by then. */
function showPage() {
  if (!$("help").open) return;
  if (page >= 0) showStep($("help-example"), example[page]);
  else fitType();
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
