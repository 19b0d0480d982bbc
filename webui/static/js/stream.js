// SPDX-License-Identifier: MIT
// Follow the table: the whole view first, then changes. A broken connection is opened again, and the
// next whole view contains what was missed.

import { $, show } from "./dom.js";

const AGAIN_MS = 2000;
/** The table sends an event at least every two seconds; a connection may break silently. */
const LONGEST_SILENCE_MS = 8000;

/** As a popover it is above an open dialog too. */
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
      if (name !== "here") store.apply(JSON.parse(message.data), name === "snapshot");
    });
  }
  source.addEventListener("error", () => {
    // The browser connects again by itself, unless the server refused the request.
    if (source.readyState === EventSource.CLOSED) reconnect(AGAIN_MS);
    else {
      showLost(true);
      restartTimeout();
    }
  });
  restartTimeout();
}
