// SPDX-License-Identifier: MIT
// Where the camera cannot be certain a person enters the faces; what could be read stands
// there already, the kept dice first. The roll stays marked as entered by hand.

import { $, el, fill, say } from "../dom.js";
import { showFace } from "../faces.js";
import { send } from "../send.js";

const LETTERS = { light: "w", dark: "b" };
const COLOURS = { light: "white", dark: "black", "": "" };

/** One slot for every die that belongs in the tray: which dice fit it, its face or 0, whether it is kept. */
let slots = [];

export function mountByHand(store) {
  for (const face of [1, 2, 3, 4, 5, 6]) $("hand-pad").append(padKey(face));
  $("enter-by-hand").addEventListener("click", () => open(store.view));
  $("hand-clear").addEventListener("click", clearLast);
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
  return key;
}

function open(view) {
  fill($("hand-by"), view.players, () => el("option"), (option, player) => say(option, player.name));
  const isOn = (state) => view.players.findIndex((player) => player.state === state);
  $("hand-by").selectedIndex = Math.max(isOn("rolls"), isOn("chooses"), 0);
  slots = prefilled(view);
  showSlots();
  $("by-hand").showModal();
}

/** Every slot takes the first read die that fits it. */
function prefilled(view) {
  const isKept = (die) => die.group === "kept";
  const read = [...view.dice.filter(isKept), ...view.dice.filter((die) => !isKept(die))];
  return view.polarities.map((polarity) => {
    const index = read.findIndex((die) => polarity === "" || die.polarity === polarity);
    const [die] = index < 0 ? [] : read.splice(index, 1);
    return { polarity, face: die?.face ?? 0, isKept: die !== undefined && isKept(die) };
  });
}

function add(face) {
  const free = slots.find((slot) => slot.face === 0);
  if (free) free.face = face;
  showSlots();
}

function clearLast() {
  clear(slots.findLast((slot) => slot.face !== 0));
}

function clear(slot) {
  if (slot) Object.assign(slot, { face: 0, isKept: false });
  showSlots();
}

function showSlots() {
  fill($("hand-slots"), slots, makeSlot, (node, slot) => {
    const colour = COLOURS[slot.polarity];
    showFace(node, { face: slot.face, polarity: slot.polarity || "light", colour });
    node.classList.toggle("empty", slot.face === 0);
    node.classList.toggle("kept", slot.isKept);
    node.dataset.face = slot.face;
    node.dataset.polarity = slot.polarity;
    node.setAttribute("aria-label", `${colour} ${slot.face || "empty"}`.trim());
  });
  showPad(slots.find((slot) => slot.face === 0)?.polarity);
  $("hand-take").disabled = !isWhole();
}

/** The pad shows the dice that are entered next. */
function showPad(polarity) {
  for (const key of $("hand-pad").children) {
    showFace(key, { face: key.dataset.pad, polarity: polarity || "light", colour: COLOURS[polarity] ?? "" });
  }
}

function makeSlot(index) {
  return el("button", { type: "button", onclick: () => clear(slots[index]) });
}

function isWhole() {
  return slots.length > 0 && slots.every((slot) => slot.face > 0);
}

/** The roll in its own notation: colours are named where they count. */
function rollText() {
  const dice = slots.map(({ polarity, face }) => `${LETTERS[polarity] ?? ""}${face}`);
  return dice.join(slots.some((slot) => slot.polarity) ? " " : "");
}

async function take() {
  if (!isWhole()) return;
  const wrong = await send({ do: "enter", roll: rollText(), by: $("hand-by").value });
  if (wrong === null) $("by-hand").close();
}

function onKey(event) {
  if (!$("by-hand").open || event.target.closest("select")) return;
  if (/^[1-6]$/.test(event.key)) add(Number(event.key));
  else if (event.key === "Backspace") clearLast();
  else if (event.key === "Enter" && !event.target.closest("#hand-cancel, #hand-clear")) take();
  else return;
  event.preventDefault();
}
