// SPDX-License-Identifier: MIT
// The kiosk's sign of life: given while a page runs and has something to show. Whoever watches
// over the browser starts it anew when the sign stays away, so every page that the kiosk may
// show for more than a minute gives it.

const EVERY_MS = 5000;
const OWN_NAMES = ["127.0.0.1", "localhost", "[::1]"];

/** What the pages were made of when this one was loaded. */
let madeOf = null;

/** Give signs from now on, as long as the page says that it has something to show. */
export function sendHeartbeats(showsSomething = () => true) {
  if (!OWN_NAMES.includes(location.hostname)) return;
  setInterval(() => {
    if (showsSomething()) sendHeartbeat();
  }, EVERY_MS);
}

async function sendHeartbeat() {
  try {
    const answer = await fetch("/heartbeat", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{}",
      signal: AbortSignal.timeout(EVERY_MS),
    });
    const { pages } = await answer.json();
    if (madeOf !== null && pages !== madeOf) location.reload();
    madeOf = pages;
  } catch {
    // The table does not answer; the banner of the lost connection tells it.
  }
}
