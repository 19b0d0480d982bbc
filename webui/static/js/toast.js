// SPDX-License-Identifier: MIT
// A message from the table, shown for a while at the foot of the page.

import { $, setText, show } from "./dom.js";

const TOAST_MS = 7000;
let toastTimer = 0;

export function toast(text) {
  setText($("toast"), text);
  show($("toast"), true);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(clearToast, TOAST_MS);
}

/** What was refused before is out of date once something has worked. */
export function clearToast() {
  clearTimeout(toastTimer);
  show($("toast"), false);
}
