// SPDX-License-Identifier: MIT
// Ask for the analysis of a game until it is there: a small machine computes it for a while.

const AGAIN_MS = 2000;
/** The history learns of the end a moment later; after these tries there is no such game. */
const TRIES = 20;

/**
 * Return what asks for the analysis at an address, and what stops asking.
 * `use` gets it once it is ready; it returns false for the analysis of an older game.
 */
export function askForAnalysis(address, use) {
  let again = 0, asked = 0;

  async function ask(tries, number) {
    const analysis = await fetchAnalysis(address);
    if (number !== asked || analysis?.state === "unknown") return;
    if (analysis?.state === "ready" && use(analysis)) return;
    const left = analysis?.state === "working" ? tries : tries - 1;
    if (left > 0) again = setTimeout(ask, AGAIN_MS, left, number);
  }

  const stop = () => {
    asked += 1;
    clearTimeout(again);
  };
  return {
    start() {
      stop();
      ask(TRIES, asked);
    },
    stop,
  };
}

async function fetchAnalysis(address) {
  try {
    const answer = await fetch(address);
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}
