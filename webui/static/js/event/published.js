// SPDX-License-Identifier: MIT
// Send a spectator to the published files of the event, so that the desk has its time for the players.

/** Leave for the published page that this one names, if it can be reached; without it this page stays. */
export async function leaveForPublished() {
  const { published } = document.body.dataset;
  if (!published) return;
  try {
    // Whether it answers at all: what another origin answers is not shown to this page.
    await fetch(published, { mode: "no-cors", cache: "no-cache" });
    location.replace(published);
  } catch {
    // The desk shows it.
  }
}
