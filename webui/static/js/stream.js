// SPDX-License-Identifier: MIT
// Follows the table: the whole view first, then changes. A broken line mends itself, and
// what was missed comes with the next whole view.

import { $, show } from "./dom.js";

const AGAIN_MS = 2000;
/** A table tells every two seconds that it is still there; a line may break without a word. */
const LONGEST_SILENCE_MS = 8000;

/** As a popover it lies above an open dialog too. */
function tellLost(isLost) {
  show($("lost"), isLost);
  $("lost").togglePopover(isLost);
}

export function follow(store) {
  const source = new EventSource("/events");
  let silence = 0;
  const listenOn = () => {
    clearTimeout(silence);
    silence = setTimeout(() => startOver(0), LONGEST_SILENCE_MS);
  };
  const startOver = (pause) => {
    clearTimeout(silence);
    source.close();
    tellLost(true);
    setTimeout(() => follow(store), pause);
  };
  for (const name of ["snapshot", "change", "here"]) {
    source.addEventListener(name, (message) => {
      listenOn();
      if (name === "snapshot") tellLost(false);
      if (name !== "here") store.take(JSON.parse(message.data), name === "snapshot");
    });
  }
  source.addEventListener("error", () => {
    // The browser tries again by itself, except when the server refused in so many words.
    if (source.readyState === EventSource.CLOSED) startOver(AGAIN_MS);
    else {
      tellLost(true);
      listenOn();
    }
  });
  listenOn();
}
