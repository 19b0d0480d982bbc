// SPDX-License-Identifier: MIT
// Follows the table: the whole view first, then changes. A broken line mends itself, and
// what was missed comes with the next whole view.

import { $, show } from "./dom.js";

const AGAIN_MS = 2000;
/** A table tells every two seconds that it is still there; a line may break without a word. */
const LONGEST_SILENCE_MS = 8000;

/** As a popover it lies above an open dialog too. */
function showLost(isLost) {
  show($("lost"), isLost);
  $("lost").togglePopover(isLost);
}

export function follow(store) {
  const source = new EventSource("/events");
  let silence = 0;
  const restartTimeout = () => {
    clearTimeout(silence);
    silence = setTimeout(() => reconnect(0), LONGEST_SILENCE_MS);
  };
  const reconnect = (pause) => {
    clearTimeout(silence);
    source.close();
    showLost(true);
    setTimeout(() => follow(store), pause);
  };
  for (const name of ["snapshot", "change", "here"]) {
    source.addEventListener(name, (message) => {
      restartTimeout();
      if (name === "snapshot") showLost(false);
      if (name !== "here") store.take(JSON.parse(message.data), name === "snapshot");
    });
  }
  source.addEventListener("error", () => {
    // The browser tries again by itself, except when the server refused in so many words.
    if (source.readyState === EventSource.CLOSED) reconnect(AGAIN_MS);
    else {
      showLost(true);
      restartTimeout();
    }
  });
  restartTimeout();
}
