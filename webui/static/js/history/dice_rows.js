// SPDX-License-Identifier: MIT
// Dice by their texts in a record: 4, w4 or b6.

import { dieFace } from "../faces.js";

export function mountDiceRows() {
  for (const place of document.querySelectorAll("[data-die]")) {
    const text = place.dataset.die;
    place.append(dieFace(Number(text.at(-1)), text.startsWith("b") ? "dark" : "light"));
  }
}
