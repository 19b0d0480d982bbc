// SPDX-License-Identifier: MIT
// What goes to the table and what comes back: questions one after the other, wishes at once.

import { $, say, show } from "../dom.js";

const LOOK_AGAIN_MS = 250;
const READ_AGAIN_MS = 900;
const FAILED_MS = 1500;
const TOAST_MS = 7000;
let toastTimer = 0;

/** Ask for the looks and the readings for ever, each only after the last one came. */
export function mountAsk(store) {
  askForever(store, "/calibrate/look", "look", LOOK_AGAIN_MS);
  askForever(store, "/calibrate/reading", "reading", READ_AGAIN_MS);
}

async function askForever(store, address, key, pause) {
  let next = pause;
  if (!document.hidden) {
    try {
      const answer = await fetch(address, { cache: "no-store" });
      if (answer.ok) store.take({ [key]: await answer.json() }, false);
      else next = FAILED_MS;
    } catch {
      next = FAILED_MS;
    }
  }
  setTimeout(() => askForever(store, address, key, pause), next);
}

/** Returns the reason when it was refused, else null. */
export function wish(body) {
  return post("/calibrate", body);
}

export function moveTray(name) {
  return post("/tray", { do: name });
}

async function post(address, body) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) return null;
    const { error } = await answer.json();
    toast(error);
    return error;
  } catch {
    toast("No connection to the table.");
    return "no connection";
  }
}

function toast(text) {
  say($("toast"), text);
  show($("toast"), true);
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => show($("toast"), false), TOAST_MS);
}
