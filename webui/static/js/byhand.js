// SPDX-License-Identifier: MIT
// Where the camera cannot be certain a person enters the faces; what could be read stands
// there already. The roll stays marked as entered by hand.

import { $, el, fill, say } from "./dom.js";
import { showFace } from "./faces.js";
import { send } from "./send.js";

let entered = [];
let wanted = 0;

export function mountByHand(store) {
  for (const face of [1, 2, 3, 4, 5, 6]) $("hand-pad").append(padKey(face));
  $("enter-by-hand").addEventListener("click", () => open(store.view));
  $("hand-clear").addEventListener("click", () => change(entered.slice(0, -1)));
  $("hand-cancel").addEventListener("click", () => $("by-hand").close());
  $("hand-take").addEventListener("click", take);
  document.addEventListener("keydown", onKey);
  store.watch(["phase"], ({ phase }) => {
    if (phase !== "straighten") $("by-hand").close();
  });
}

function padKey(face) {
  const key = el("button", { type: "button", "data-pad": face, "aria-label": `${face}` });
  key.addEventListener("click", () => add(face));
  showFace(key, { face, polarity: "light", colour: "" });
  return key;
}

function open(view) {
  wanted = view.dice_wanted;
  fill($("hand-by"), view.players, () => el("option"), (option, player) => say(option, player.name));
  const current = view.players.findIndex((player) => player.state === "rolls");
  $("hand-by").selectedIndex = Math.max(current, 0);
  change(view.dice.map((die) => die.face).slice(0, wanted));
  $("by-hand").showModal();
}

function add(face) {
  if (entered.length < wanted) change([...entered, face]);
}

function change(faces) {
  entered = faces;
  const slots = Array.from({ length: wanted }, (_, index) => entered[index] ?? 0);
  fill($("hand-slots"), slots, () => el("span"), (slot, face) => {
    showFace(slot, { face, polarity: "light", colour: "" });
    slot.classList.toggle("empty", face === 0);
  });
  $("hand-slots").setAttribute("aria-label", entered.join(" ") || "nothing entered");
  $("hand-take").disabled = entered.length !== wanted;
}

async function take() {
  if (entered.length !== wanted) return;
  const wrong = await send({ do: "enter", roll: entered.join(""), by: $("hand-by").value });
  if (wrong === null) $("by-hand").close();
}

function onKey(event) {
  if (!$("by-hand").open || event.target.closest("select")) return;
  if (/^[1-6]$/.test(event.key)) add(Number(event.key));
  else if (event.key === "Backspace") change(entered.slice(0, -1));
  else if (event.key === "Enter" && !event.target.closest("#hand-cancel, #hand-clear")) take();
  else return;
  event.preventDefault();
}
