// SPDX-License-Identifier: MIT
// Wishes go to the table as commands, one after the other; what was wrong with one comes back
// in words.

import { $, say, show } from "./dom.js";

const TOAST_MS = 5000;
const ANSWER_MS = 5000;
let toastTimer = 0;

/** The last command on its way. Two at once may overtake each other, and quick presses would
 * arrive as others than were made. */
let last = Promise.resolve();

export function send(command) {
  return post("/command", command);
}

export function moveTray(command) {
  return post("/tray", command);
}

/** Returns the reason when it was refused, else null. */
function post(address, body) {
  last = last.then(() => ask(address, body));
  return last;
}

async function ask(address, body) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    if (answer.ok) return null;
    const { error } = await answer.json();
    toast(error);
    return error;
  } catch {
    // No answer: the banner of the lost connection tells it.
    return "no connection";
  }
}

function toast(text) {
  say($("toast"), text);
  show($("toast"), true);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => show($("toast"), false), TOAST_MS);
}
