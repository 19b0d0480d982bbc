// SPDX-License-Identifier: MIT
// A keyboard on the screen for names, because a table's touch screen has no other one. It
// lies over the box cover as soon as a finger, not a mouse, goes to a name.

import { $, el, show } from "./dom.js";

const ROWS = ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM-'", "ÄÖÜÉÈÇÑŞ"];

export function mountLetters() {
  for (const row of ROWS) {
    $("letters").append(el("div", {}, ...[...row].map((letter) => key(letter, letter, () => write(letter)))));
  }
  $("letters").append(el("div", {},
    key("space", "space", () => write(" ")), key("erase", "⌫", erase), key("done", "Done", () => field()?.blur())));
  $("seats").addEventListener("pointerup", (event) => {
    if (event.pointerType === "touch" && event.target.matches("input")) show($("letters"), true);
  });
  $("add-seat").addEventListener("click", (event) => {
    if (event.pointerType === "touch") show($("letters"), true);
  });
  $("seats").addEventListener("focusout", (event) => {
    if (!event.relatedTarget?.matches("#seats input")) show($("letters"), false);
  });
}

/** The name being written keeps the focus while its letters are tapped. */
function key(name, sign, type) {
  const button = el("button", { type: "button", text: sign, "data-letter": name, tabindex: -1, onclick: type });
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  return button;
}

function field() {
  return document.activeElement?.matches("#seats input") ? document.activeElement : null;
}

/** Capital at the start of a word, small within it. */
function write(letter) {
  const input = field();
  if (!input || input.value.length >= input.maxLength) return;
  const isStart = input.value === "" || /[\s\-']$/.test(input.value);
  input.setRangeText(isStart ? letter : letter.toLowerCase(), input.selectionStart, input.selectionEnd, "end");
  input.dispatchEvent(new Event("input"));
}

function erase() {
  const input = field();
  if (!input) return;
  const from = input.selectionStart === input.selectionEnd ? input.selectionStart - 1 : input.selectionStart;
  input.setRangeText("", Math.max(from, 0), input.selectionEnd, "end");
  input.dispatchEvent(new Event("input"));
}
