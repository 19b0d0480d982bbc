// SPDX-License-Identifier: MIT
// What the field took from a roll: the most frequent choices, each with its share as a bar.

import { el, fill, setText } from "../dom.js";

/** `field` is a list of `{do, players}`, the most frequent first. */
export function showField(list, field, most = 5) {
  const all = field.reduce((sum, { players }) => sum + players, 0);
  fill(list, field.slice(0, most), makeBar, (item, { do: actions, players }) => {
    const share = Math.round((100 * players) / all);
    const [choice, bar, percent] = item.children;
    setText(choice, actions.join(" "));
    setText(percent, `${share}\u202f%`);
    bar.style.setProperty("--share", share / 100);
  });
}

function makeBar() {
  return el("li", {}, el("b"), el("span", { class: "bar" }), el("output"));
}
