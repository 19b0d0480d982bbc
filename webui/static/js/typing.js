// SPDX-License-Identifier: MIT
// Whether a key is typed into something.

/** Keys belong to the panel, except while somebody types or a dialog or a button has them. */
export function isTyping(event) {
  const isPlain = !(event.ctrlKey || event.altKey || event.metaKey);
  return !isPlain || document.querySelector("dialog[open]") !== null
    || event.target.closest("input, select, textarea") !== null;
}
