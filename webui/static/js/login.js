// SPDX-License-Identifier: MIT
// The login page: send the PIN or the code to the box, then return to the page that the visitor
// came from.

import { sendHeartbeats } from "./heartbeat.js";
import { $, setText, show } from "./dom.js";
import { mountLanguages } from "./language.js";
import { gettext } from "./messages.js";
import { post } from "./post.js";

const ADDRESSES = {
  "code-form": "/login/code",
  "pin-form": "/login/pin",
  "new-pin-form": "/login/new-pin",
  "away-form": "/login/send-away",
  "leave-form": "/login/leave",
};
/** The message of a form that does not log in. */
const DONE = {
  "new-pin-form": gettext("The PIN has been changed. All other officials are logged out."),
  "away-form": gettext("All phones must enter the table's new code."),
};

for (const [name, address] of Object.entries(ADDRESSES)) {
  const form = document.forms[name];
  if (!form) continue;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit(form, address);
  });
  form.querySelector("button").disabled = false;
}

sendHeartbeats();
mountLanguages();
identifyBox();

async function submit(form, address) {
  const fields = Object.fromEntries(new FormData(form));
  const isOpen = await ask(form, address, fields);
  form.reset();
  if (!isOpen) return;
  if (form.id in DONE) showMessage(DONE[form.id]);
  else if (form.id === "leave-form") location.reload();
  else location.assign(returnPath());
}

/** The kiosk's script starts its browser here, with the key of the box's own screen. */
async function identifyBox() {
  const key = new URLSearchParams(location.hash.slice(1)).get("box");
  if (!key) return;
  const { error } = await post("/login/box", { key }, showMessage);
  if (error === undefined) location.replace(returnPath());
}

/** The button is disabled while the box checks the first attempt. */
async function ask(form, address, fields) {
  const button = form.querySelector("button");
  button.disabled = true;
  show($("answer"), false);
  const { error } = await post(address, fields, showMessage);
  button.disabled = false;
  return error === undefined;
}

/** The page that redirected here: always one of this box, whatever the address contains. */
function returnPath() {
  const to = new URL(new URLSearchParams(location.search).get("to") ?? "/", location.origin);
  if (to.origin !== location.origin) return "/";
  // A path that begins with two slashes would name another machine.
  return `${location.origin}/${to.pathname.replace(/^\/+/, "")}`;
}

function showMessage(text) {
  setText($("answer"), text);
  show($("answer"), true);
}
