// SPDX-License-Identifier: MIT
// The requests of the calibration page: polling one after the other, actions at once.

import { post } from "../post.js";
import { toast } from "../toast.js";

const LOOK_AGAIN_MS = 250;
const READ_AGAIN_MS = 900;
const DICE_AGAIN_MS = 1000;
const FAILED_MS = 1500;

/** Poll status, readings and dice, each only after its last reply. */
export function mountRequests(store) {
  poll(store, "/calibrate/status", "look", LOOK_AGAIN_MS);
  poll(store, "/calibrate/reading", "reading", READ_AGAIN_MS);
  poll(store, "/calibrate/dice", "own", DICE_AGAIN_MS);
}

async function poll(store, address, key, pause) {
  let next = pause;
  if (!document.hidden) {
    if (!(await ask(store, address, key))) next = FAILED_MS;
  }
  setTimeout(() => poll(store, address, key, pause), next);
}

/** Request once; returns whether a reply came. */
async function ask(store, address, key) {
  try {
    const answer = await fetch(address, { cache: "no-store" });
    if (answer.ok) store.apply({ [key]: await answer.json() }, false);
    return answer.ok;
  } catch {
    return false;
  }
}

/** Returns the reason when it was refused, else null. */
export async function runAction(body) {
  return (await post("/calibrate", body, toast)).error ?? null;
}

/** An action on the owner's dice; its result is shown at once. */
export async function runDiceAction(store, body) {
  const { error } = await post("/calibrate/dice", body, toast);
  await ask(store, "/calibrate/dice", "own");
  return error ?? null;
}

export function runSimulator(name) {
  return post("/simulator", { do: name }, toast);
}
