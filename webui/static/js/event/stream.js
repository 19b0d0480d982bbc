// SPDX-License-Identifier: MIT
// Follow a running event: each stream begins with everything, so a page that slept or lost its network
// is right again with the first message.
//
// It is read with fetch because an EventSource hides the server's signs of life, and would wait for
// ever on a connection that broke silently.

import { $ } from "../dom.js";

const AGAIN_MS = 1000;
/** The server sends something every ten seconds. */
const LONGEST_SILENCE_MS = 25_000;
const STALE_MS = 12_000;

/**
 * Call `receive(name, view)` for every message, and `showLost(isLost)` when the connection breaks and
 * when it is back. `now()` of the result is the server's time, by which clocks of rolls run.
 */
export function followEvent(receive, showLost = () => {}, address = "/event/stream") {
  let controller = null;
  let heardAt = Date.now();
  let aheadMs = 0;
  let wake = () => {};
  /** Whether somebody looks at a page whose stream is out of date. */
  let isAwaited = false;

  const handle = (text) => {
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(text) ?? [];
    if (name === undefined) return;
    const view = JSON.parse(data);
    if (view.now_ms !== undefined) aheadMs = view.now_ms - Date.now();
    receive(name, view);
  };
  const read = async () => {
    controller = new AbortController();
    const answer = await fetch(address, { cache: "no-store", signal: controller.signal });
    if (!answer.ok) return;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heardAt = Date.now();
      showLost(false);
      const messages = (text + value).split("\n\n");
      text = messages.pop();
      messages.forEach(handle);
    }
  };
  const run = async () => {
    for (;;) {
      heardAt = Date.now();
      await read().catch(() => {});
      showLost(true);
      if (isAwaited) {
        isAwaited = false;
        continue;
      }
      // Not all phones of a hall at the same moment.
      await new Promise((resolve) => {
        wake = resolve;
        setTimeout(resolve, AGAIN_MS * (1 + Math.random()));
      });
    }
  };
  const endSilence = (limitMs) => {
    if (Date.now() - heardAt > limitMs) controller?.abort();
  };
  const check = () => {
    if (document.hidden) return;
    isAwaited = Date.now() - heardAt > STALE_MS;
    endSilence(STALE_MS);
    wake();
  };
  setInterval(() => endSilence(LONGEST_SILENCE_MS), STALE_MS);
  document.addEventListener("visibilitychange", check);
  window.addEventListener("online", check);
  window.addEventListener("pageshow", check);
  run();
  // Whoever follows has what this returns before the first view comes, which the page may have in itself.
  queueMicrotask(() => {
    if ($("first-view")) JSON.parse($("first-view").content).split("\n\n").forEach(handle);
  });
  return { now: () => Date.now() + aheadMs };
}
