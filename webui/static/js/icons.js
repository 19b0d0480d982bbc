// SPDX-License-Identifier: MIT
// Small drawings of the jokers and of a chip.

import { svg } from "./dom.js";

/** Paths on a coin, 100 units wide: throw all again, turn a die, a football. */
const JOKERS = {
  terminator: [
    ["line", "M27 38 A27 27 0 1 1 24 59"], ["full", "M12 27 L40 27 L29 50 Z"],
    ["full", "M41 41 H59 V59 H41 Z"],
  ],
  corrector: [
    ["line", "M22 46 H56 V80 H22 Z"], ["full", "M33 57 H45 V69 H33 Z"],
    ["line", "M52 27 A26 26 0 0 1 75 53"], ["full", "M63 50 L87 50 L75 70 Z"],
  ],
  "3:1": [
    ["full", "M50 35 L65 46 L59 63 H41 L35 46 Z"],
    ["line", "M50 35 V19 M65 46 L80 40 M59 63 L68 77 M41 63 L32 77 M35 46 L20 40"],
  ],
};

/** The coin of a joker by its name in the notation. */
export function jokerIcon(name) {
  const coin = svg("svg", { viewBox: "0 0 100 100", class: "coin", "aria-hidden": true });
  coin.append(
    svg("circle", { cx: 50, cy: 50, r: 48, class: "rim" }), svg("circle", { cx: 50, cy: 50, r: 40, class: "disc" }),
    ...(JOKERS[name] ?? []).map(([kind, d]) => svg("path", { class: kind, d })),
  );
  return coin;
}

/** A chip on the table; a removed one leaves its outline. */
export function chipIcon(isThere = true) {
  const disc = svg("svg", { viewBox: "0 0 100 100", class: isThere ? "chip" : "chip gone", "aria-hidden": true });
  disc.append(
    svg("circle", { cx: 51, cy: 54, r: 45, class: "shade" }), svg("circle", { cx: 50, cy: 50, r: 45, class: "rim" }),
    svg("circle", { cx: 50, cy: 50, r: 39, class: "notches" }), svg("circle", { cx: 50, cy: 50, r: 29, class: "disc" }),
  );
  return disc;
}
