// SPDX-License-Identifier: MIT
// The key Enter on a page without the four buttons: it confirms what is selected, never the button that was clicked last.

import { mountClicks } from "./clicks.js";
import { $ } from "./dom.js";
import { isTyping } from "./typing.js";

export function mountEnter() {
  mountClicks();
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.repeat || isTyping(event) || event.target.closest("a, button")) return;
    if ($("do-confirm").checkVisibility()) $("do-confirm").click();
  });
}
