// SPDX-License-Identifier: MIT
// Send commands to the table, one after the other, and show the reason of a refusal.

import { post } from "./post.js";
import { clearToast, toast } from "./toast.js";

const ANSWER_MS = 5000;
/** A phone's page sends what its own player does, also if an official holds the phone. */
const SEAT = document.body.classList.contains("phone") ? "?seat" : "";
/** The same press again within this time counts as one tap. */
const DOUBLE_MS = 300;

/** The table's question that this page shows. */
let question = "";
/** The name of the last roll, for commands about it at any time. */
let lastRoll = "";
const ROLL_COMMANDS = ["review", "correct"];
/** The last command: its content, its time, and the question that it answered. */
let pressed = { text: "", at: -Infinity, about: "" };

/** The last command in flight. Two at once may overtake each other, so that quick presses would
 * arrive in another order. */
let last = Promise.resolve();

export function mountSend(store) {
  store.watch(["question"], (view) => {
    question = view.question;
  });
  store.watch(["last_roll"], (view) => {
    lastRoll = view.last_roll?.name ?? "no roll";
  });
}

/** What gets the commands instead of a table, on a page that chooses by itself. */
let taker = null;

export function takeCommands(take) {
  taker = take;
}

/** Returns the reason if it was refused, else null. A command may name its question itself. */
export function send(command) {
  if (taker) return taker(command);
  return enqueue(`/command${SEAT}`, { about: questionFor(command), ...command });
}

export function runSimulator(command) {
  return enqueue("/simulator", command);
}

/**
 * A command answers what the page showed when it was pressed, and the table refuses it once it
 * asks something else. A finger that taps twice has seen only the first of two questions.
 */
function questionFor(command) {
  const text = JSON.stringify(command);
  const at = performance.now();
  const asked = ROLL_COMMANDS.includes(command.do) ? lastRoll : question;
  const isDouble = text === pressed.text && at - pressed.at < DOUBLE_MS;
  pressed = { text, at, about: isDouble ? pressed.about : asked };
  return pressed.about;
}

function enqueue(address, body) {
  last = last.then(async () => {
    const { error = null } = await post(address, body, toast, ANSWER_MS);
    if (error === null) clearToast();
    return error;
  });
  return last;
}
