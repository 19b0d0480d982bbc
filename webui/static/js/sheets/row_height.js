// SPDX-License-Identifier: MIT
// How much room a row of a sheet needs to be read.

const LOWEST_ROW_PX = 13;
const LOWEST_ROW_REM = 0.95;

/** A row that is lower cannot be read, in pixels: at arm's length, and on a large screen from afar. */
export function minRowHeight() {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.max(LOWEST_ROW_PX, LOWEST_ROW_REM * rem);
}
