// SPDX-License-Identifier: MIT
// The way back to the table on its own screen: as soon as dice roll, and after a while without a touch.

const ALONE_MS = 180_000;
/** What the table does while a page of the history is open, and needs its screen for. */
const NEEDS_SCREEN = ["rolling", "settling", "reading", "straighten", "fault", "review"];

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
  source.addEventListener("change", (message) => {
    if (NEEDS_SCREEN.includes(JSON.parse(message.data).phase)) goBack();
  });
  addEventListener("pagehide", () => source.close());
}

function goBack() {
  location.assign("/");
}
