// SPDX-License-Identifier: MIT
// The way back to the table on its own screen: as soon as a game goes on, and after a while without a touch.

const ALONE_MS = 180_000;
/** Nobody waits for the screen then. */
const CALM = ["lobby", "paused", "game over"];

export function mountReturn() {
  if (document.body.dataset.role !== "box") return;
  let timer = 0;
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(goBack, ALONE_MS);
  };
  for (const name of ["pointerdown", "keydown", "scroll"]) addEventListener(name, wait, { capture: true, passive: true });
  wait();
  const source = new EventSource("/events");
  for (const name of ["snapshot", "change"]) {
    source.addEventListener(name, (message) => {
      const { phase } = JSON.parse(message.data);
      if (phase !== undefined && !CALM.includes(phase)) goBack();
    });
  }
  addEventListener("pagehide", () => source.close());
}

function goBack() {
  location.assign("/");
}
