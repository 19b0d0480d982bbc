// SPDX-License-Identifier: MIT
// The door: the PIN or the code goes to the box, and whoever it lets in goes where they wanted.

import { giveSigns } from "./alive.js";
import { $, say, show } from "./dom.js";

const PLACES = {
  "code-form": "/door/code",
  "pin-form": "/door/pin",
  "new-pin-form": "/door/new-pin",
  "away-form": "/door/send-away",
  "leave-form": "/door/leave",
};
const STAYS = ["new-pin-form", "away-form", "leave-form"];

for (const [name, address] of Object.entries(PLACES)) {
  const form = document.forms[name];
  if (!form) continue;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    knock(form, address);
  });
  form.querySelector("button").disabled = false;
}

giveSigns();

async function knock(form, address) {
  const fields = Object.fromEntries(new FormData(form));
  const wrong = await post(form, address, fields);
  form.reset();
  if (wrong !== null) tell(wrong);
  else if (STAYS.includes(form.id)) location.reload();
  else location.assign(wanted());
}

/** Nobody tries twice while the box still looks at the first try. */
async function post(form, address, fields) {
  const button = form.querySelector("button");
  button.disabled = true;
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(fields),
    });
    return answer.ok ? null : (await answer.json()).error;
  } catch {
    return "The box does not answer.";
  } finally {
    button.disabled = false;
  }
}

/** Where this browser was sent away from: a page of this box, whatever the address says. */
function wanted() {
  const to = new URL(new URLSearchParams(location.search).get("to") ?? "/", location.origin);
  return to.origin === location.origin ? to.pathname : "/";
}

function tell(text) {
  say($("answer"), text);
  show($("answer"), true);
}
