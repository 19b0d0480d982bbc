// SPDX-License-Identifier: MIT
// The key Enter confirms what is selected, never the button that was clicked last.

import { $ } from "./dom.js";
import { isTyping } from "./typing.js";

/** A button that was touched or clicked must not keep the focus, or the next Enter would press it again. */
export function mountClicks() {
  document.addEventListener("click", (event) => {
    if (event.detail > 0) event.target.closest("button")?.blur();
  });
}

/** On a page without the four buttons, Enter presses the large one. */
export function mountEnter() {
  mountClicks();
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.repeat || isTyping(event) || event.target.closest("a, button")) return;
    if ($("do-confirm").checkVisibility()) $("do-confirm").click();
  });
}
