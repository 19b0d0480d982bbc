// SPDX-License-Identifier: MIT
// Ask for the analysis of a game until it is there: a small machine computes it for a while.

import { readJson, wait } from "../loaded.js";

const AGAIN_MS = 2000;
/** The history learns of the end a moment later; after these tries there is no such game. */
const TRIES = 20;

/**
 * Return the analysis at an address once it is ready and `isIt(analysis)`; null if there is none, or it is no longer
 * wanted.
 */
export async function loadAnalysis(address, isWanted, isIt = () => true) {
  for (let tries = TRIES; tries > 0 && isWanted(); await wait(AGAIN_MS)) {
    const analysis = await readJson(address);
    if (analysis?.state === "ready" && isIt(analysis)) return analysis;
    if (analysis?.state === "unknown") return null;
    if (analysis?.state !== "working") tries -= 1;
  }
  return null;
}
