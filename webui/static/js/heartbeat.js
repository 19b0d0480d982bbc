// SPDX-License-Identifier: MIT
// The kiosk's heartbeat: posted while a page is drawn and has something to show. The kiosk script
// restarts the browser if the heartbeat stops, so every page that the kiosk may show for more than
// a minute posts it. A browser whose graphics died runs scripts, but calls for no frame.

const EVERY_MS = 5000;
const OWN_NAMES = ["127.0.0.1", "localhost", "[::1]"];

/** Digest of the page files when this page was loaded. */
let loadedDigest = null;

/** Post heartbeats from now on, while `showsSomething()` is true. */
export function sendHeartbeats(showsSomething = () => true) {
  if (!OWN_NAMES.includes(location.hostname)) return;
  let frame = 0;
  setInterval(() => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      if (showsSomething()) sendHeartbeat();
    });
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
    if (loadedDigest !== null && pages !== loadedDigest) location.reload();
    loadedDigest = pages;
  } catch {
    // The table does not answer; the banner of the lost connection shows it.
  }
}
