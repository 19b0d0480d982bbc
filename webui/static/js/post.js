// SPDX-License-Identifier: MIT
// Says something to the table, and hands on what it says to that where it is a refusal.

const NO_ANSWER = "No connection to the table.";

/**
 * Returns what the table answers; where it refuses or says nothing within `longestMs` (0: however
 * long it takes), `error` says why, and `complain` tells it.
 */
export async function post(address, body, complain, longestMs = 0) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: longestMs ? AbortSignal.timeout(longestMs) : null,
    });
    const told = await answer.json();
    if (!answer.ok) complain(told.error);
    return told;
  } catch {
    complain(NO_ANSWER);
    return { error: NO_ANSWER };
  }
}
