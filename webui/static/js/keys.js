// SPDX-License-Identifier: MIT
// The four buttons: on the screen, by touch, and on a keyboard; each tells what it does now.

import { $, say } from "./dom.js";
import { send } from "./send.js";

const KEYS = { ArrowLeft: "left", ArrowRight: "right", Enter: "confirm", Backspace: "back" };
const REPEATS = ["left", "right"];
const FLASH_MS = 140;

export function mountKeys(store) {
  store.watch(["buttons"], ({ buttons }) => {
    for (const button of $("buttons").children) {
      const does = buttons[button.dataset.key];
      say(button.querySelector("span"), does ?? "");
      button.classList.toggle("dark", does === null);
      button.setAttribute("aria-disabled", does === null);
    }
  });
  for (const button of $("buttons").children) {
    button.addEventListener("click", () => press(button.dataset.key, store));
  }
  document.addEventListener("keydown", (event) => onKey(event, store));
  // A button touched or clicked must not keep the focus, or the next Enter would press it
  // again instead of the panel's own confirm.
  document.addEventListener("click", (event) => {
    if (event.detail > 0) event.target.closest("button")?.blur();
  });
}

/** Keys belong to the panel, except while somebody types or a dialog or a button has them. */
export function isTyping(event) {
  const isPlain = !(event.ctrlKey || event.altKey || event.metaKey);
  return !isPlain || document.querySelector("dialog[open]") !== null
    || event.target.closest("input, select, textarea") !== null;
}

function onKey(event, store) {
  const key = KEYS[event.key];
  if (!key || isTyping(event)) return;
  if (key === "confirm" && event.target.closest("button")) return;
  event.preventDefault();
  if (event.repeat && !REPEATS.includes(key)) return;
  flash($(`button-${key}`));
  press(key, store);
}

/**
 * In the lobby the names stand on this page only, so confirming there starts with them. Leaving
 * a paused game is asked twice, as it is by the small button.
 */
function press(key, store) {
  const phase = store.view?.phase;
  if (key === "confirm" && phase === "lobby") $("seats-form").requestSubmit();
  else if (key === "back" && phase === "paused") $("leave-dialog").showModal();
  else send({ do: "press", key });
}

function flash(button) {
  button.classList.add("pressed");
  setTimeout(() => button.classList.remove("pressed"), FLASH_MS);
}
