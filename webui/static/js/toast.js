// SPDX-License-Identifier: MIT
// What the table says to a wish, for a while at the foot of the page.

import { $, setText, show } from "./dom.js";

const TOAST_MS = 7000;
let toastTimer = 0;

export function toast(text) {
  setText($("toast"), text);
  show($("toast"), true);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => show($("toast"), false), TOAST_MS);
}
