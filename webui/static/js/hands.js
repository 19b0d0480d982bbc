// SPDX-License-Identifier: MIT
// The simulated tray's controls, on the page only where there is a simulated tray.

import { $ } from "./dom.js";
import { isTyping } from "./keys.js";
import { moveTray } from "./send.js";

export function mountHands() {
  if (!$("hands")) return;
  const buttons = [...$("hands").querySelectorAll("button")];
  for (const button of buttons) {
    button.addEventListener("click", () => moveTray({ do: button.dataset.hand }));
  }
  $("fault").addEventListener("change", () => {
    moveTray({ do: "fault", name: $("fault").value || null });
    $("fault").blur();
  });
  document.addEventListener("keydown", (event) => {
    if (isTyping(event) || event.repeat) return;
    buttons.find((button) => button.dataset.shortcut === event.key.toLowerCase())?.click();
  });
}
