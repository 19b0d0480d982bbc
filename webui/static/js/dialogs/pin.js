// SPDX-License-Identifier: MIT
// The PIN, typed by finger or keyboard. The box asks each time, because its screen stands among the
// players, unless its owner has switched that off. An official from elsewhere has entered it at the login.

import { $, el, setText, show } from "../dom.js";
import { gettext } from "../messages.js";

const DIGITS = ["1", "2", "3", "4", "5", "6", "7", "8", "9", "0"];
const LONGEST = 12;
const SHORTEST = 6;

let typed = "";
let onChange = () => {};

export function mountPin(changed) {
  onChange = changed;
  for (const digit of DIGITS) {
    $("pin-pad").append(el("button", { type: "button", "data-digit": digit, text: digit, onclick: () => addDigit(digit) }));
  }
  show($("hand-pin"), isPinNeeded());
}

/** Whether this browser must enter the PIN. */
function isPinNeeded() {
  return "needsPin" in document.body.dataset;
}

export function pin() {
  return typed;
}

export function isPinTyped() {
  return !isPinNeeded() || typed.length >= SHORTEST;
}

export function addDigit(digit) {
  if (isPinNeeded() && typed.length < LONGEST) write(typed + digit);
}

export function deleteDigit() {
  write(typed.slice(0, -1));
}

export function forgetPin() {
  write("");
  if (isPinNeeded() && document.body.dataset.role === "box") showFirstPin();
}

function write(digits) {
  typed = digits;
  setText($("pin-typed"), "•".repeat(typed.length));
  onChange();
}

/**
 * Before a game the table's own screen shows its first PIN until it is used. During a game that
 * would give full access to anybody, so it is shown only with simulated dice.
 */
async function showFirstPin() {
  try {
    const answer = await fetch("/login/pairing");
    const first = answer.ok ? (await answer.json()).first_pin : null;
    const words = $("simulator")
      ? gettext("The first PIN is {pin}.", { pin: first })
      : gettext("The lobby shows the first PIN.");
    setText($("pin-first"), first ? words : "");
  } catch {
    // No answer: the banner of the lost connection shows it.
  }
}
