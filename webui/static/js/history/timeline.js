// SPDX-License-Identifier: MIT
// All steps in a line, the marked ones coloured; a slider goes to any of them.

import { $, el } from "../dom.js";
import { gettext } from "../messages.js";

export function mountTimeline(store, frames, go) {
  const slider = el("input", {
    type: "range", min: 0, max: frames.length - 1, step: 1, "aria-label": gettext("Step"),
    oninput: ({ target }) => go(Number(target.value)),
  });
  const ticks = el("ol", { "aria-hidden": true }, ...frames.map(({ step }) => el("li", { "data-mark": step.marks.at(-1) ?? "" })));
  $("timeline").append(ticks, slider);
  store.watch([], ({ index, step }) => {
    slider.value = index;
    slider.setAttribute("aria-valuetext", step.roll ? gettext("Roll {number}: {player}", { number: step.roll, player: step.by }) : `${index + 1}`);
    [...ticks.children].forEach((tick, place) => tick.classList.toggle("past", place <= index));
  });
}
