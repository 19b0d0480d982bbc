// SPDX-License-Identifier: MIT
// A keyboard on the screen for a new name, because a table's touch screen has no other one.
// It appears when a finger, not a mouse, taps the name, and replaces the list of names.

import { $, el, show } from "../dom.js";
import { gettext } from "../messages.js";

/** The rows of the language's own keyboard, then the letters of its neighbours. */
const ROWS = gettext("QWERTYUIOP ASDFGHJKL ZXCVBNM-' ÄÖÜÉÈÇÑŞ").split(" ");

export function mountLetters() {
  for (const row of ROWS) {
    $("letters").append(el("div", {}, ...[...row].map((letter) => key(letter, letter, () => write(letter)))));
  }
  $("letters").append(el("div", {},
    key("space", gettext("space"), () => write(" ")), key("erase", "⌫", erase),
    key("done", gettext("Done"), () => $("name-form").requestSubmit())));
  // At the end of the whole tap: what appears during one would be hit by its own click.
  $("new-name").addEventListener("click", (event) => {
    if (event.pointerType === "touch") show($("letters"), true);
  });
}

/** The name keeps the focus and its cursor while its letters are tapped. */
function key(name, sign, type) {
  const button = el("button", { type: "button", text: sign, "data-letter": name, tabindex: -1, onclick: type });
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  return button;
}

/** Capital at the start of a word, small within it. */
function write(letter) {
  const field = $("new-name");
  if (field.value.length >= field.maxLength) return;
  const isStart = field.value === "" || /[\s\-']$/.test(field.value);
  field.setRangeText(isStart ? letter : letter.toLowerCase(), field.selectionStart, field.selectionEnd, "end");
}

function erase() {
  const field = $("new-name");
  const from = field.selectionStart === field.selectionEnd ? field.selectionStart - 1 : field.selectionStart;
  field.setRangeText("", Math.max(from, 0), field.selectionEnd, "end");
}
