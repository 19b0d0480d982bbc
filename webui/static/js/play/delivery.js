// SPDX-License-Identifier: MIT
// Brings a choice to the server: it is kept until the server has answered that it is durable, through
// lost networks and reloads. The server knows a repeated choice, so sending it again is safe.

import { gettext } from "../messages.js";
import { post } from "../post.js";
import { clearToast, toast } from "../toast.js";
import { nameQuestion } from "./phase.js";
import { addSeat, IS_KIOSK, nameStored } from "./seat.js";

const KEPT = nameStored("dicebell-choice");
const ANSWER_MS = 5000;
const AGAIN_MS = 1200;
/** The server cannot be reached or is busy; everything else is an answer. */
const BRIEF = [undefined, "away", "rate"];

let listeners = [];
let isSending = false;

/** The choice on its way: its `question` and the `body` of its request; null if there is none. */
export function readKept() {
  try {
    return JSON.parse(localStorage.getItem(KEPT));
  } catch {
    return null;
  }
}

export function onDelivery(listener) {
  listeners = [...listeners, listener];
}

export function mountDelivery(event) {
  event.watch(["own"], (view) => {
    const kept = readKept();
    if (!kept || !view.own?.player) return;
    // The roll is over, or the server has the choice.
    if (kept.question !== nameQuestion(view) || view.own.roll.chosen) forget();
    else deliver();
  });
}

/** Send a choice, and again until it is answered. */
export function sendChoice(question, body) {
  localStorage.setItem(KEPT, JSON.stringify({ question, body }));
  tell();
  deliver();
}

async function deliver() {
  if (isSending) return;
  isSending = true;
  for (let kept = readKept(); kept; kept = readKept()) {
    const { error, code } = await post(addSeat("/event/choices"), kept.body, () => {}, ANSWER_MS);
    if (error === undefined) clearToast();
    else if (BRIEF.includes(code)) {
      toast(gettext("Your choice has not arrived yet. It is sent again …"));
      await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS); });
      continue;
    } else toast(explain(code, error));
    if (readKept()?.question === kept.question) forget(error === undefined ? kept : null);
  }
  isSending = false;
}

/** `arrived` is the choice that is durable, which the stream shows a moment later. */
function forget(arrived = null) {
  localStorage.removeItem(KEPT);
  tell(arrived);
}

function tell(arrived = null) {
  for (const listener of listeners) listener(arrived);
}

function explain(code, error) {
  return {
    late: gettext("Too late: the clock had run out."),
    closed: gettext("This roll is closed."),
    twice: gettext("You have chosen from this roll already."),
    annulled: gettext("The dice of this roll were changed. Choose again."),
    seat: IS_KIOSK
      ? gettext("You do not play at this screen any more. Ask an official.")
      : gettext("Another phone plays for you now."),
  }[code] ?? error;
}
