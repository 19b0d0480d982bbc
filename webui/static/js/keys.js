// SPDX-License-Identifier: MIT
// The four buttons: on the screen, by touch, and on a keyboard; each shows its current action.

import { mountClicks } from "./clicks.js";
import { $, setText } from "./dom.js";
import { gettext } from "./messages.js";
import { send } from "./send.js";
import { isTyping } from "./typing.js";

const KEYS = { ArrowLeft: "left", ArrowRight: "right", Enter: "confirm", Backspace: "back" };
const NAMES = { left: gettext("left"), right: gettext("right"), confirm: gettext("confirm"), back: gettext("back") };
const NOTHING = gettext("nothing now");
const REPEATS = ["left", "right"];
/** Where a game has four arrows: two of them are buttons, the others point at a choice. */
const GRID_KEYS = { ArrowDown: "left", ArrowRight: "right" };
const GRID_ARROWS = { ArrowUp: "up", ArrowLeft: "left" };
const FLASH_MS = 140;
/** A longer text gets smaller type, to stay within its button. */
const LONG = 12;

export function mountKeys(store) {
  store.watch(["buttons"], ({ buttons }) => {
    for (const button of $("buttons").children) {
      const does = buttons[button.dataset.key];
      setText(button.querySelector("span"), does ?? "");
      button.classList.toggle("long", does?.length > LONG);
      button.classList.toggle("dark", does === null);
      button.setAttribute("aria-disabled", does === null);
      button.setAttribute("aria-label", gettext("{button}: {action}", { button: NAMES[button.dataset.key], action: does ?? NOTHING }));
    }
  });
  store.watch(["arrows"], (view) => setText($("button-left").querySelector("kbd"), isGrid(view) ? "↓" : "←"));
  for (const button of $("buttons").children) {
    button.addEventListener("click", () => press(button.dataset.key, store));
  }
  document.addEventListener("keydown", (event) => onKey(event, store));
  mountClicks();
}

/** Whether this key is one of the four buttons now. */
export function isPanelKey(event) {
  const isButtons = event.key === "Enter" && event.target.closest("button") !== null;
  return event.key in KEYS && !isTyping(event) && !isButtons;
}

function isGrid(view) {
  return "down" in view.arrows;
}

function onKey(event, store) {
  const hasGrid = store.view !== null && isGrid(store.view) && !isTyping(event);
  if (hasGrid && event.key in GRID_ARROWS) {
    event.preventDefault();
    send({ do: "choose", index: store.view.arrows[GRID_ARROWS[event.key]] });
    return;
  }
  const key = hasGrid && event.key in GRID_KEYS ? GRID_KEYS[event.key] : isPanelKey(event) && KEYS[event.key];
  if (!key) return;
  event.preventDefault();
  if (event.repeat && !REPEATS.includes(key)) return;
  flash($(`button-${key}`));
  press(key, store);
}

/** Leaving a paused game must be confirmed, as with the small button. */
function press(key, store) {
  if (key === "back" && store.view?.phase === "paused") $("leave-dialog").showModal();
  else send({ do: "press", key });
}

function flash(button) {
  button.classList.add("pressed");
  setTimeout(() => button.classList.remove("pressed"), FLASH_MS);
}
