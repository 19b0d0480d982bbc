// SPDX-License-Identifier: MIT
// Send a spectator to the published files of the event, so that the desk has its time for the players.

/** Leave for the published page that this one names, if it is there; otherwise this page stays. */
export async function leaveForPublished() {
  const { published } = document.body.dataset;
  if (!published) return;
  let found = "no answer that this page may read";
  try {
    const answer = await fetch(published, { cache: "no-cache" });
    if (answer.ok) {
      location.replace(published);
      return;
    }
    found = `status ${answer.status}`;
  } catch {
    // The server is away, or sends no Access-Control-Allow-Origin.
  }
  console.warn(`--public-url: expected a page at ${published}, found ${found}. The desk shows its own.`);
}
