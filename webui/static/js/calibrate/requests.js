// SPDX-License-Identifier: MIT
// The requests of the calibration page: polling one after the other, actions at once.

import { mountLoaded, readJson } from "../loaded.js";
import { post } from "../post.js";
import { toast } from "../toast.js";

const LOOK_AGAIN_MS = 250;
const READ_AGAIN_MS = 900;
const DICE_AGAIN_MS = 1000;
const FAILED_MS = 1500;

/** What is polled: its key in the store, its address and the pause after each reply. */
const POLLED = [
  ["look", "/calibrate/status", LOOK_AGAIN_MS],
  ["reading", "/calibrate/reading", READ_AGAIN_MS],
  ["own", "/calibrate/dice", DICE_AGAIN_MS],
];
const newest = {};

/** Poll status, readings and dice, each only after its last reply. */
export function mountRequests(store) {
  for (const [key, address, pause] of POLLED) {
    newest[key] = mountLoaded({ load: () => readJson(address), show: (value) => store.apply({ [key]: value }, false) });
    poll(newest[key], pause);
  }
}

async function poll(one, pause) {
  const isDone = document.hidden || await one.again();
  setTimeout(poll, isDone ? pause : FAILED_MS, one, pause);
}

/** Returns the reason when it was refused, else null. */
export async function runAction(body) {
  return (await post("/calibrate", body, toast)).error ?? null;
}

/** An action on the owner's dice; its result is shown at once. */
export async function runDiceAction(body) {
  const { error } = await post("/calibrate/dice", body, toast);
  await newest.own.again();
  return error ?? null;
}

export function runSimulator(name) {
  return post("/simulator", { do: name }, toast);
}
