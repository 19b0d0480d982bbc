// SPDX-License-Identifier: MIT
// Follows the table: the whole view first, then changes. A broken line mends itself, and
// what was missed comes with the next whole view.

import { $, show } from "./dom.js";

const AGAIN_MS = 2000;

/** As a popover it lies above an open dialog too. */
function tellLost(isLost) {
  show($("lost"), isLost);
  $("lost").togglePopover(isLost);
}

export function follow(store) {
  const source = new EventSource("/events");
  source.addEventListener("snapshot", (message) => {
    tellLost(false);
    store.take(JSON.parse(message.data), true);
  });
  source.addEventListener("change", (message) => store.take(JSON.parse(message.data), false));
  source.addEventListener("error", () => {
    tellLost(true);
    // The browser tries again by itself, except when the server refused in so many words.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => follow(store), AGAIN_MS);
  });
}
