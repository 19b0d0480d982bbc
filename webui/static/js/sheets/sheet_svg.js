// SPDX-License-Identifier: MIT
// Text and crosses on a drawn sheet.

import { svg } from "../dom.js";

/** A text with its digits centred on `y` in every font. */
export function text(content, x, y, size, kind, anchor = "middle") {
  return svg("text", { x, y: y + size * 0.36, "font-size": size, class: kind, "text-anchor": anchor, text: content });
}

/** A cross as if drawn by hand: crosses differ, but each stays the same when drawn again. */
export function cross(x, y, width, height, kind, seed) {
  const lean = ((seed * 37) % 7) / 7 - 0.5;
  const [left, right, top, bottom] = [x + width * 0.16, x + width * 0.84, y + height * 0.14, y + height * 0.86];
  const swing = width * 0.16 * lean;
  return svg("path", {
    class: kind,
    d: `M${left} ${top + swing} Q${x + width / 2 + swing} ${y + height / 2} ${right} ${bottom - swing} `
      + `M${right + swing / 2} ${top} Q${x + width / 2} ${y + height / 2 + swing} ${left} ${bottom}`,
  });
}
