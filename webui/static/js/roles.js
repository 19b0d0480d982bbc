// SPDX-License-Identifier: MIT
// What the browser of this page may do at the table.

const WATCHES = ["watcher", "guest", "stranger"];

/** Whether it only watches, so that no button of the game does anything here. */
export function isWatcher() {
  return WATCHES.includes(document.body.dataset.role);
}
