// SPDX-License-Identifier: MIT
// The door: the PIN or the code goes to the box, and whoever it lets in goes where they wanted.

import { sendHeartbeats } from "./heartbeat.js";
import { $, setText, show } from "./dom.js";
import { post } from "./post.js";

const PLACES = {
  "code-form": "/login/code",
  "pin-form": "/login/pin",
  "new-pin-form": "/login/new-pin",
  "away-form": "/login/send-away",
  "leave-form": "/login/leave",
};
/** What is said where there is nowhere to go. */
const DONE = {
  "new-pin-form": "The PIN is another one from now on. All other officials are logged out.",
  "away-form": "All phones must enter the table's new code.",
};

for (const [name, address] of Object.entries(PLACES)) {
  const form = document.forms[name];
  if (!form) continue;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(form, address);
  });
  form.querySelector("button").disabled = false;
}

sendHeartbeats();

async function submit(form, address) {
  const fields = Object.fromEntries(new FormData(form));
  const isOpen = await ask(form, address, fields);
  form.reset();
  if (!isOpen) return;
  if (form.id in DONE) tell(DONE[form.id]);
  else if (form.id === "leave-form") location.reload();
  else location.assign(wanted());
}

/** Nobody tries twice while the box still looks at the first try. */
async function ask(form, address, fields) {
  const button = form.querySelector("button");
  button.disabled = true;
  const { error } = await post(address, fields, tell);
  button.disabled = false;
  return error === undefined;
}

/** Where this browser was sent away from: a page of this box, whatever the address says. */
function wanted() {
  const to = new URL(new URLSearchParams(location.search).get("to") ?? "/", location.origin);
  return to.origin === location.origin ? to.pathname : "/";
}

function tell(text) {
  setText($("answer"), text);
  show($("answer"), true);
}
