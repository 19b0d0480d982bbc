// SPDX-License-Identifier: MIT
// The lists of the history: arrows go through the games and the pages, Backspace goes back.

import { mountDiceRows } from "./history/dice_rows.js";
import { mountPlots } from "./history/plots.js";
import { mountReturn } from "./history/return.js";
import { sendHeartbeats } from "./heartbeat.js";
import { isTyping } from "./typing.js";

const STEPS = { ArrowDown: 1, ArrowUp: -1 };
const PAGES = { ArrowLeft: "prev", ArrowRight: "next" };

document.addEventListener("keydown", (event) => {
  if (isTyping(event)) return;
  if (event.key in STEPS && moveFocus(STEPS[event.key])) event.preventDefault();
  if (event.key in PAGES) document.querySelector(`#paging [rel="${PAGES[event.key]}"]`)?.click();
  if (event.key === "Backspace") document.querySelector("[data-back]").click();
});

/** Move the focus along the entries of the list; returns whether there is one. */
function moveFocus(step) {
  const links = [...document.querySelectorAll(":is(#games, #people) a")];
  if (links.length === 0) return false;
  const at = links.indexOf(document.activeElement);
  const next = at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1);
  links[next].focus();
  links[next].scrollIntoView({ block: "nearest" });
  return true;
}

/** A chosen filter shows at once; without scripts its button does. */
for (const field of document.querySelectorAll("#filter select")) {
  field.addEventListener("change", () => field.form.requestSubmit());
}

mountDiceRows();
mountPlots();
mountReturn();
sendHeartbeats();
