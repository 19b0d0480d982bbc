// SPDX-License-Identifier: MIT
// The newest lines of the log, the newest first.

import { $, el, fill, setText } from "../dom.js";
import { gettext } from "../messages.js";
import { pollWhileOpen } from "./requests.js";

const AGAIN_MS = 1500;
const LEVELS = ["debug", "info", "warning", "error", "critical"];

export function mountLog() {
  let least = "info";
  const choices = [...document.querySelectorAll("[data-least]")];
  const ask = pollWhileOpen("log", "log", AGAIN_MS, (lines) => {
    const grave = lines.filter(({ level }) => LEVELS.indexOf(level) >= LEVELS.indexOf(least)).reverse();
    const shown = grave.length ? grave : [{ level: "none", text: gettext("Nothing of this kind since the start.") }];
    fill($("log"), shown, () => el("li"), (node, { level, text }) => {
      node.dataset.level = level;
      setText(node, text);
    });
  });
  for (const choice of choices) {
    choice.addEventListener("click", () => {
      least = choice.dataset.least;
      for (const each of choices) each.setAttribute("aria-pressed", each === choice);
      ask();
    });
  }
}
