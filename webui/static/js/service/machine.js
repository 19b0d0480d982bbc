// SPDX-License-Identifier: MIT
// Doctor, phones and PIN, and power; power actions are confirmed first.

import { $, el, fill, setText, show } from "../dom.js";
import { gettext } from "../messages.js";
import { toast } from "../toast.js";
import { pollWhileOpen, changePin, runAction } from "./requests.js";

const AGAIN_MS = 1000;
const LEVELS = { ok: gettext("OK"), note: gettext("Note"), wrong: gettext("Problem") };
const SUBJECTS = {
  python: "Python",
  packages: gettext("Packages"),
  settings: gettext("Settings"),
  data: gettext("Data folder"),
  disk: gettext("Disk"),
  port: gettext("Port"),
  tournament: gettext("Tournament"),
  camera: gettext("Camera"),
  gpio: gettext("Pins"),
  display: gettext("Screen"),
  mqtt: "MQTT",
  clock: gettext("Clock"),
  temperature: gettext("Temperature"),
  power: gettext("Power supply"),
};

export function mountMachine() {
  const askDoctor = pollWhileOpen("machine", "doctor", AGAIN_MS, showDoctor);
  const askMachine = pollWhileOpen("machine", "machine", AGAIN_MS, showMachine);
  onClick("examine", { do: "examine" }, askDoctor);
  onClick("new-code", { do: "new code" }, askMachine);
  onClick("send-away", { do: "send phones away" }, askMachine);
  for (const button of document.querySelectorAll("[data-act]")) button.addEventListener("click", () => confirmAction(button));
  $("sure").addEventListener("close", runConfirmedAction);
  $("pin-form").addEventListener("submit", sendPin);
  $("pin-form").querySelector("button").disabled = false;
}

function onClick(id, body, then) {
  $(id).addEventListener("click", () => runAction(body).then(then));
}

function showDoctor({ running, findings }) {
  $("examine").disabled = running;
  setText($("examine"), running ? gettext("Checking …") : gettext("Check everything"));
  const make = () => el("li", {}, el("b"), el("span"), el("p"));
  fill($("findings"), findings, make, (node, { subject, level, what, mend }) => {
    node.dataset.level = level;
    setText(node.children[0], `${LEVELS[level]} · ${SUBJECTS[subject] ?? subject}`);
    setText(node.children[1], what);
    setText(node.children[2], mend && `→ ${mend}`);
  });
}

function showMachine({ acts, code, broker }) {
  setText($("broker"), broker);
  show($("code"), code !== null);
  show($("no-code"), code === null);
  setText($("code").lastElementChild, code ?? "");
  for (const id of ["new-code", "send-away"]) $(id).disabled = code === null;
  for (const button of document.querySelectorAll("[data-act]")) button.disabled = Boolean(acts[button.dataset.act]);
  const why = [...new Set(Object.values(acts).filter(Boolean))];
  fill($("acts-why"), why, () => el("li"), (node, text) => setText(node, text));
}

function confirmAction(button) {
  setText($("sure-what"), `${button.textContent}?`);
  $("sure").dataset.act = button.dataset.act;
  $("sure").returnValue = "no";
  $("sure").showModal();
}

function runConfirmedAction() {
  if ($("sure").returnValue === "yes") runAction({ do: "machine", act: $("sure").dataset.act });
}

async function sendPin(event) {
  event.preventDefault();
  const form = event.currentTarget;
  const reply = await changePin(Object.fromEntries(new FormData(form)));
  form.reset();
  if (!reply.error) toast(gettext("The PIN has been changed. All other officials are logged out."));
}
