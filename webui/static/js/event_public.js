// SPDX-License-Identifier: MIT
// Bring the page of an event up to date while somebody looks at it. It stands beside the page on any web
// server, so it imports nothing; without it the page stands still. With `#tv` it is a big screen.

const SCREEN = "#tv";
const EVERY_MS = 20_000, SCREEN_MS = 5000;
let shown = "";
let timer = 0;

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

function follow() {
  const isScreen = location.hash === SCREEN;
  document.documentElement.classList.toggle("tv", isScreen);
  clearInterval(timer);
  timer = setInterval(() => {
    if (!document.hidden) refresh();
  }, isScreen ? SCREEN_MS : EVERY_MS);
}

addEventListener("hashchange", follow);
follow();
