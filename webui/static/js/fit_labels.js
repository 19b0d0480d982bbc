// SPDX-License-Identifier: MIT
// Labels of one line get smaller type when their text, in any language, is wider than their place.

import { measureLater } from "./dom.js";

const LABELS = "#title, #buttons span, #games b, #table-row b, #choices .what em, .jokers span, .form .label, .card h2, .seat .result, #tabs button > span";
/** Smaller type could not be read; what still does not fit ends in dots. */
const LEAST = 0.55;

export function mountFitLabels(store) {
  store.watch([], () => measureLater(fitLabels));
  addEventListener("resize", fitLabels);
}

/** Everything is measured before anything changes, so the page is laid out twice at most. */
function fitLabels() {
  const labels = [...document.querySelectorAll(LABELS)];
  for (const label of labels) label.style.fontSize = "";
  const sizes = labels.map((label) => {
    const [room, length] = label.matches(".sideways *")
      ? [label.clientHeight, label.scrollHeight] : [label.clientWidth, label.scrollWidth];
    return length > room && room > 0
      ? `${parseFloat(getComputedStyle(label).fontSize) * Math.max((room - 1) / length, LEAST)}px` : "";
  });
  for (const [index, label] of labels.entries()) label.style.fontSize = sizes[index];
}
