// SPDX-License-Identifier: MIT
// Says something to the table, and shows what it says to that where it is a refusal.

import { $, say, show } from "./dom.js";

const TOAST_MS = 7000;
let toastTimer = 0;

/** Returns what the table answers; with the reason as `error` where it refused, shown already. */
export async function post(address, body) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const told = await answer.json();
    if (!answer.ok) toast(told.error);
    return told;
  } catch {
    toast("No connection to the table.");
    return { error: "no connection" };
  }
}

export function toast(text) {
  say($("toast"), text);
  show($("toast"), true);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => show($("toast"), false), TOAST_MS);
}
