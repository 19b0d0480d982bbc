// SPDX-License-Identifier: MIT
// Post a command to the table, and report a refusal.

import { gettext } from "./messages.js";

const NO_ANSWER = gettext("No reply from the table. Check the connection, then try again.");

/**
 * Returns the table's reply. If it refuses, or does not reply within `longestMs` (0: no limit),
 * `error` is the reason, and `complain` is called with it.
 */
export async function post(address, body, complain, longestMs = 0) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: longestMs ? AbortSignal.timeout(longestMs) : null,
    });
    const reply = await answer.json();
    if (!answer.ok) complain(reply.error);
    return reply;
  } catch {
    complain(NO_ANSWER);
    return { error: NO_ANSWER };
  }
}
