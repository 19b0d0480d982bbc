// SPDX-License-Identifier: MIT
// The height that a row of a sheet needs to be readable.

const LOWEST_ROW_PX = 13;
const LOWEST_ROW_REM = 0.95;

/** In pixels: readable at arm's length, and on a large screen from a distance. */
export function minRowHeight() {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.max(LOWEST_ROW_PX, LOWEST_ROW_REM * rem);
}
