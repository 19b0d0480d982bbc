// SPDX-License-Identifier: MIT
// Bring the page of an event up to date while somebody looks at it. It stands beside the page on any web
// server, so it imports nothing; without it the page stands still.

const EVERY_MS = 20_000;
let shown = "";

async function refresh() {
  try {
    const answer = await fetch(location.pathname, { cache: "no-cache" });
    const text = answer.ok ? await answer.text() : shown;
    if (text === shown) return;
    shown = text;
    const page = new DOMParser().parseFromString(text, "text/html");
    document.querySelector("main").replaceWith(page.querySelector("main"));
  } catch {
    // The next time may be better.
  }
}

setInterval(() => {
  if (!document.hidden) refresh();
}, EVERY_MS);
