// SPDX-License-Identifier: MIT
// How every clock shows the time that is left.

/** From here on it is minutes. */
export const LONG_S = 100;

/** "57" seconds, or "12:07" minutes; 0 at the least. */
export function formatLeft(leftS) {
  const seconds = Math.ceil(Math.max(0, leftS));
  if (seconds < LONG_S) return `${seconds}`;
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
}
