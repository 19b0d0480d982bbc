// SPDX-License-Identifier: MIT
// An official enters a roll by hand, or corrects the last one. First the faces, prefilled with what
// was read; then the name, the reason and the PIN. The roll stays marked.

import { $, closeDialog, el, fill, setText, show } from "../dom.js";
import { createEvidence } from "../evidence.js";
import { nameDie, showFace } from "../faces.js";
import { gettext } from "../messages.js";
import { send } from "../send.js";
import { addDigit, deleteDigit, forgetPin, isPinTyped, mountPin, pin } from "./pin.js";
import { nameOfficial, OFFICIAL, REASONS, translateReason, writeRoll } from "./reasons.js";

const STEPS = { ArrowLeft: -1, ArrowRight: 1 };
const LETTERS = { light: "w", dark: "b" };
const COLOURS = { light: "white", dark: "black", "": "" };
const TAKES = { enter: gettext("Use these faces"), correct: gettext("Correct the roll") };

/** One slot for every die of the roll: its polarity, its face or 0, whether it is kept. */
let slots = [];
/** The task: `enter` the dice in the tray, or `correct` the last roll. */
let task = "enter";
/** The roll that is corrected, no other may be, and whose it is. */
let about = "", whose = "";
/** The slot of the next face. */
let at = 0;

export function mountManualEntry(store) {
  const showEvidence = createEvidence($("hand-evidence"));
  for (const face of [1, 2, 3, 4, 5, 6]) $("hand-pad").append(padKey(face));
  mountPin(showAccept);
  $("enter-by-hand").addEventListener("click", () => openEmpty(store.view));
  for (const name of ["review-correct", "correct-open"]) {
    $(name).addEventListener("click", () => openCorrection(store.view, showEvidence));
  }
  $("hand-clear").addEventListener("click", deleteLast);
  $("hand-cancel").addEventListener("click", () => closeDialog($("by-hand")));
  $("hand-next").addEventListener("click", () => showStep("word"));
  $("hand-take").addEventListener("click", submitRoll);
  $("hand-why").addEventListener("input", showAccept);
  // Escape gives the focus back to the button that opened it, where the next Enter would open it again.
  $("by-hand").addEventListener("close", () => document.activeElement?.blur());
  document.addEventListener("keydown", onKey);
  store.watch(["phase", "last_roll"], closeIfOver);
}

function closeIfOver({ phase, last_roll: roll }) {
  const isOver = task === "enter" ? phase !== "straighten" : roll?.name !== about;
  if (isOver) closeDialog($("by-hand"));
}

function padKey(face) {
  const key = el("button", { type: "button", "data-pad": face, "aria-label": `${face}` });
  key.addEventListener("click", () => add(face));
  return key;
}

function openEmpty(view) {
  open("enter", view);
  slots = prefillSlots(view);
  at = Math.max(slots.findIndex((slot) => slot.face === 0), 0);
  showStep("faces");
}

function openCorrection(view, showEvidence) {
  const roll = view.last_roll;
  if (!roll?.may_correct) return;
  $("help").close();
  open("correct", view);
  about = roll.name;
  whose = roll.by;
  const since = roll.since.length ? gettext("Done since then: {choices}.", { choices: roll.since.join(", ") }) : "";
  setText($("hand-about"), `${gettext("Read as {roll}.", { roll: writeRoll(roll.was || roll.roll) })} ${since}`);
  slots = roll.dice.map((die, index) => ({
    polarity: view.polarities[index], face: die.face, isKept: false,
  }));
  at = 0;
  showEvidence(roll);
  showStep("faces");
}

function open(what, view) {
  task = what;
  const names = [OFFICIAL, ...view.players.map((player) => player.name)];
  const options = [[$("hand-by"), names, nameOfficial], [$("hand-reason"), REASONS[task], translateReason]];
  for (const [select, texts, translate] of options) {
    fill(select, texts, () => el("option"), (option, text) => {
      option.value = text;
      setText(option, translate(text));
    });
    select.selectedIndex = 0;
  }
  $("hand-why").value = "";
  $("by-hand").dataset.task = task;
  setText($("hand-take"), TAKES[task]);
  for (const id of ["hand-evidence", "hand-about"]) show($(id), task === "correct");
  forgetPin();
  complain("");
  $("by-hand").showModal();
}

function showStep(step) {
  $("by-hand").dataset.step = step;
  setText($("hand-title"), describeStep(step));
  show($("hand-faces"), step === "faces");
  show($("hand-word"), step === "word");
  show($("hand-next"), step === "faces");
  show($("hand-take"), step === "word");
  showSlots();
}

function describeStep(step) {
  const player = whose;
  if (task === "enter") return step === "faces" ? gettext("What lies in the tray?") : gettext("Who enters the faces, and why?");
  return step === "faces" ? gettext("What does {player}'s roll show?", { player }) : gettext("Who corrects {player}'s roll, and why?", { player });
}

/** Fill every slot with the first read die that fits it. */
function prefillSlots(view) {
  const isKept = (die) => die.group === "kept";
  const read = [...view.dice.filter(isKept), ...view.dice.filter((die) => !isKept(die))];
  return view.polarities.map((polarity) => {
    const index = read.findIndex((die) => polarity === "" || die.polarity === polarity);
    const [die] = index < 0 ? [] : read.splice(index, 1);
    return { polarity, face: die?.face ?? 0, isKept: die !== undefined && isKept(die) };
  });
}

/** Sets the current slot and goes on to the next empty one; if all are full, to the next one. */
function add(face) {
  complain("");
  slots[at].face = face;
  const empty = slots.findIndex((slot) => slot.face === 0);
  at = empty >= 0 ? empty : (at + 1) % slots.length;
  showSlots();
}

function moveSlot(step) {
  at = (at + step + slots.length) % slots.length;
  showSlots();
}

function deleteLast() {
  if ($("by-hand").dataset.step === "word") deleteDigit();
  else clear(slots.findLastIndex((slot) => slot.face !== 0));
}

function clear(index) {
  complain("");
  if (index < 0) return;
  Object.assign(slots[index], { face: 0, isKept: false });
  at = index;
  showSlots();
}

function showSlots() {
  fill($("hand-slots"), slots, makeSlot, (node, slot, index) => {
    const colour = COLOURS[slot.polarity];
    showFace(node, { face: slot.face, polarity: slot.polarity || "light", colour });
    node.classList.toggle("empty", slot.face === 0);
    node.classList.toggle("kept", slot.isKept);
    node.setAttribute("aria-current", index === at);
    node.dataset.face = slot.face;
    node.dataset.polarity = slot.polarity;
    node.setAttribute("aria-label", nameDie({ colour, face: slot.face }));
  });
  showPad(slots[at]?.polarity);
  showAccept();
}

/** The pad shows the dice that are entered next. */
function showPad(polarity) {
  for (const key of $("hand-pad").children) {
    showFace(key, { face: key.dataset.pad, polarity: polarity || "light", colour: COLOURS[polarity] ?? "" });
  }
}

function makeSlot(index) {
  const change = () => {
    clear(index);
    showStep("faces");
  };
  return el("button", { type: "button", onclick: change });
}

function showAccept() {
  $("hand-next").disabled = !isWhole();
  $("hand-take").disabled = !isWhole() || !isPinTyped() || (task === "correct" && reason() === "");
}

function isWhole() {
  return slots.length > 0 && slots.every((slot) => slot.face > 0);
}

function reason() {
  return $("hand-why").value.trim() || $("hand-reason").value;
}

/** The roll in its notation, with colours if they matter. */
function rollText() {
  const dice = slots.map(({ polarity, face }) => `${LETTERS[polarity] ?? ""}${face}`);
  return dice.join(slots.some((slot) => slot.polarity) ? " " : "");
}

async function submitRoll() {
  if ($("hand-take").disabled) return;
  $("hand-take").disabled = true;
  const entry = { roll: rollText(), by: $("hand-by").value, reason: reason(), pin: pin() };
  const wrong = await send({ do: task, ...entry, ...(task === "correct" ? { about } : {}) });
  if (wrong === null) closeDialog($("by-hand"));
  else {
    forgetPin();
    complain(wrong);
  }
}

function complain(text) {
  setText($("hand-wrong"), text);
  show($("hand-wrong"), text !== "");
}

function onKey(event) {
  if (!$("by-hand").open || event.target.closest("select, input")) return;
  const isWord = $("by-hand").dataset.step === "word";
  if (isWord && /^[0-9]$/.test(event.key)) addDigit(event.key);
  else if (!isWord && /^[1-6]$/.test(event.key)) add(Number(event.key));
  else if (!isWord && event.key in STEPS) moveSlot(STEPS[event.key]);
  else if (event.key === "Backspace") deleteLast();
  else if (event.key === "Enter" && !event.target.closest(".row button")) continueEntry(isWord);
  else return;
  event.preventDefault();
}

function continueEntry(isWord) {
  if (isWord) submitRoll();
  else if (isWhole()) showStep("word");
}
